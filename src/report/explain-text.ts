import { codes } from "../model/codes.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import { exitCodes } from "./exit-codes.ts";

/** The meaning, in a paragraph, of a diagnostic code (any case, `LF` is optional) or an exit code; undefined for any other word. */
export function explain(word: string) {
  const code = word.toUpperCase().replace(/^(?=\d{4}$)/, "LF");
  const found = Object.entries(codes).find(([key]) => key === code);
  if (found) return { code, title: found[1].title, text: found[1].text };
  const exit = Object.entries(exitCodes).find(([key]) => key === word);
  return exit && { code: word, title: `exit code ${word}`, text: exit[1] };
}

/** Every code that can be explained. */
export function explainableCodes(): readonly string[] {
  return [...Object.keys(codes), ...Object.keys(exitCodes)];
}

/** The code that a mistyped one most likely meant, or the exit codes for a number, as a sentence to append. */
export function nearCode(word: string): string {
  if (/^-?\d{1,3}$/.test(word)) return ` The exit codes are ${Object.keys(exitCodes).join(", ")}.`;
  return didYouMean(word.toUpperCase(), explainableCodes());
}
