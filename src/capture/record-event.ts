/**
 * From a record of a capture back to the event that was recorded. Checks every member it uses, for the file may be
 * anybody's.
 */

import { exceedsDepth, isJsonObject } from '../base/json.ts'
import { PARSE_ERROR, readMessage } from '../jsonrpc/message.ts'
import type { Reading } from '../jsonrpc/message.ts'
import type { Chain, Direction, Facts, WireEvent, WireNote } from '../jsonrpc/wire.ts'
import { decodeBase64 } from '../formats/base64.ts'
import type { CaptureRecord } from './format.ts'

/** The event; `undefined` for records that are about the file; `bad` for one whose members are of wrong types. */
export function toEvent(record: CaptureRecord, readings: boolean): WireEvent | undefined | 'bad' {
  const { type, conn, n, transport, at, wall } = record
  if (type !== 'open' && type !== 'message' && type !== 'note' && type !== 'close') return undefined
  // A remark about the file itself belongs to no connection.
  if (type === 'note' && conn === undefined) return undefined
  if (typeof conn !== 'string' || !isCount(n) || typeof transport !== 'string') return 'bad'
  const base = { seq: n, connection: conn, transport, at, wall }
  switch (type) {
    case 'open':
      return { type, ...base }
    case 'close':
      return isJsonObject(record.reason)
        ? { type, ...base, reason: toError(record.reason) }
        : { type, ...base }
    case 'note': {
      const note = toNote(record)
      return note === undefined ? 'bad' : { type, ...base, note }
    }
    case 'message': {
      const { dir, text } = record
      if (!isDirection(dir) || typeof text !== 'string') return 'bad'
      const reading = readings ? readText(text) : undefined
      return {
        type,
        ...base,
        direction: dir,
        text,
        ...(reading === undefined ? {} : { reading }),
        ...extras(record),
      }
    }
    default:
      return type satisfies never
  }
}

/** What the text is, as the channel would have told; `undefined` for a batch. */
export function readText(text: string): Reading | undefined {
  try {
    if (exceedsDepth(text)) return unreadable('the text nests too deep')
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? undefined : readMessage(value)
  } catch {
    return unreadable('the text is not JSON')
  }
}

function unreadable(reason: string): Reading {
  return { kind: 'malformed', code: PARSE_ERROR, reason, requirement: 'RPC-01' }
}

function toNote(record: CaptureRecord): WireNote | undefined {
  const { kind, text, b64, data, dir } = record
  if (typeof kind !== 'string') return undefined
  const bytes = typeof b64 === 'string' ? decodeBase64(b64) : undefined
  if (b64 !== undefined && bytes === undefined) return undefined
  return {
    kind,
    ...(typeof text === 'string' ? { text } : {}),
    ...(bytes === undefined ? {} : { bytes }),
    ...(isJsonObject(data) ? { data } : {}),
    ...(isDirection(dir) ? { direction: dir } : {}),
    ...chainOf(record),
  }
}

function extras(record: CaptureRecord): { facts?: Facts; chain?: Chain } {
  return { ...(isJsonObject(record.facts) ? { facts: record.facts } : {}), ...chainOf(record) }
}

function chainOf(record: CaptureRecord): { chain?: Chain } {
  const chain: unknown = record.chain
  if (!isJsonObject(chain)) return {}
  const { run, turn, call, attempt } = chain
  return {
    chain: {
      ...(typeof run === 'string' ? { run } : {}),
      ...(typeof turn === 'string' ? { turn } : {}),
      ...(typeof call === 'string' ? { call } : {}),
      ...(typeof attempt === 'number' ? { attempt } : {}),
    },
  }
}

/** An error that looks like the one that was recorded; its class is not brought back. */
function toError(reason: Readonly<Record<string, unknown>>): Error {
  const error = new Error(typeof reason['message'] === 'string' ? reason['message'] : '')
  const { name } = reason
  if (typeof name === 'string' && name !== error.name) error.name = name
  return typeof reason['code'] === 'string' ? Object.assign(error, { code: reason['code'] }) : error
}

function isDirection(value: unknown): value is Direction {
  return value === 'in' || value === 'out'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
