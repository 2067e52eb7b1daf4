/** Words as one line that a shell reads as these words. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
