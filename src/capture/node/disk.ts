/**
 * The few calls that the capture writer makes on an open file, as a port, so that a test can make any of them fail.
 */

import { close, fsync, fsyncSync, write, writeSync } from 'node:fs'

/** Writes go to a place in the file, so that repeating one is harmless. Short writes are allowed. */
export interface Disk {
  write(
    data: Uint8Array,
    position: number,
    done: (error: Error | null, written: number) => void,
  ): void
  /** Returns the bytes written, throws when there were none. */
  writeNow(data: Uint8Array, position: number): number
  sync(done: (error: Error | null) => void): void
  syncNow(): void
  close(done: (error: Error | null) => void): void
}

export function openDisk(fd: number): Disk {
  return {
    write: (data, position, done) =>
      write(fd, data, 0, data.length, position, (error, written) => done(error, written)),
    writeNow: (data, position) => writeSync(fd, data, 0, data.length, position),
    sync: (done) => fsync(fd, done),
    syncNow: () => fsyncSync(fd),
    close: (done) => close(fd, (error) => done(error ?? null)),
  }
}
