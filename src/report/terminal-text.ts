/** Control, direction and invisible characters: a name must not steer the reader's terminal, and two that differ must not look the same. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u00ad\u200b\u2060\ufeff]/gu;

/** Text that is safe to print: control characters but the line feed are spelled out, tabs become two blanks. */
export function cleanText(text: string): string {
  return text.replace(control, (found) => {
    if (found === "\n") return found;
    return found === "\t" ? "  " : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** One line that is safe to print, cut when it is very long. */
export function cleanLine(text: string, width = 240): string {
  const line = cleanText(text).replaceAll("\n", "\\n");
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** "1 region", "3 regions". */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** Words as one line that a shell reads as these words. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The colours of a text; an argument, so that reports remain pure: data in, text out. */
export interface Palette {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const asIs = (text: string) => text;

/** No colours at all. */
export const plainPalette: Palette = { bold: asIs, dim: asIs, red: asIs, green: asIs, yellow: asIs, cyan: asIs };
