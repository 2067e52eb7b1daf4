/** The command line that does the same without asking, ready to be pasted into a shell. */
export function confirmingCommand(argv: readonly string[]): string {
  const end = argv.indexOf("--");
  const cut = end < 0 ? argv.length : end;
  return shellLine(["loadform", ...argv.slice(0, cut), "--auto-approve", ...argv.slice(cut)]);
}

/** Words as one line that a shell reads as these words. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
