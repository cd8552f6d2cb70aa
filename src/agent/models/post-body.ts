/** Bodies of answers as bytes: gathered whole, or overheard on their way to whoever reads them. */

import { showUtf8 } from '../../formats/utf8.ts'
import type { BodyReader } from './post-attempt.ts'

/** Keeps up to `maxBytes` and makes a value of their text. */
export function gather<Value>(maxBytes: number, make: (text: string) => Value): BodyReader<Value> {
  const body = new ByteList()
  return {
    push(bytes) {
      body.add(bytes.subarray(0, maxBytes - body.size))
      return body.size >= maxBytes
    },
    end: () => make(body.text()),
  }
}

/** What came of one answer, for captures. */
export class Overheard {
  /** Undefined while there is no answer. */
  status: number | undefined
  contentType = ''
  readonly #body = new ByteList()

  /** The same reader, and everything that it is given is remembered. */
  listen<Value>(reader: BodyReader<Value>): BodyReader<Value> {
    return {
      push: (bytes) => {
        this.#body.add(bytes)
        return reader.push(bytes)
      },
      end: () => reader.end(),
      ...(reader.cut !== undefined && { cut: (cause) => reader.cut?.(cause) ?? cause }),
    }
  }

  text(): string {
    return this.#body.text()
  }
}

class ByteList {
  readonly #pieces: Uint8Array[] = []
  size = 0

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pieces.push(bytes)
    this.size += bytes.length
  }

  text(): string {
    const whole = new Uint8Array(this.size)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return showUtf8(whole)
  }
}
