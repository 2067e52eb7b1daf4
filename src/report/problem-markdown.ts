import type { Diagnostic } from "../model/diagnostic.ts";
import type { DiagnosticStyle } from "./diagnostic-text.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { fencedCode } from "./markdown-text.ts";
import { plainPalette } from "./palette.ts";

/** Characters of one problem. */
const problemLength = 4_000;

/** Problems as the command line prints them, as many as there is room for. */
export function problemFence(
  problems: readonly Diagnostic[],
  { lineOf, characters }: Pick<DiagnosticStyle, "lineOf"> & { readonly characters: number },
): string {
  const style = { palette: plainPalette, lineOf, width: 100 };
  const texts = problems.map((problem) => diagnosticText(problem, style).slice(0, problemLength));
  return fencedCode("text", cutWords(texts, characters).join("\n\n"));
}

/** As many texts as there is room for, and how many there are beyond. */
export function cutWords(texts: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const kept = texts.filter((text) => {
    left -= text.length + 2;
    return left >= 0;
  });
  return kept.length === texts.length ? texts : [...kept, `… and ${texts.length - kept.length} more`];
}
