/** A word for a line that people copy into their shell. Not for starting anything: no shell reads what we start. */

/** The word as it stands where that is safe, else in the quotes of the platform's shell. */
export function shellWord(word: string, platform: string = process.platform): string {
  if (platform === 'win32') return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
