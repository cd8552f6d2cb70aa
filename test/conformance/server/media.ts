/** The smallest files of their kinds that are whole: a picture of one red point, and a sound of eight silent samples. */

/** PNG, 1 by 1. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC'

const FORMAT = [16, 0, 0, 0, 1, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0]

/** WAV, PCM, one channel, 8 bits, 8,000 Hz. */
export const WAV: string = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([44, 0, 0, 0]),
  Buffer.from('WAVEfmt '),
  Buffer.from(FORMAT),
  Buffer.from('data'),
  Buffer.from([8, 0, 0, 0]),
  Buffer.alloc(8, 128),
]).toString('base64')
