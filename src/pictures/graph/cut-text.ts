/** Widths in em of the widest common fonts, in bold, by the kind of character; whatever is not named is as wide as an emoji. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/^[iljtfrI.,:;'|!()[\]{}\s-]$/, 0.45],
  [/^[mwMW@%&]$/, 1.1],
  [/^[A-Z0-9]$/, 0.8],
  [/^[\x20-\x7e]$/, 0.7],
  [/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\u2026]+$/u, 1],
];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text as far as it fits into `width` at this size of letters, whole characters only, with an ellipsis where it is cut. */
export function cutText(
  text: string,
  { width, letters }: { readonly width: number; readonly letters: number },
): string {
  const room = width / letters;
  let used = 0;
  let fitting = "";
  for (const { segment } of graphemes.segment(text)) {
    used += emOf(segment);
    if (used > room) return `${fitting.trimEnd()}…`;
    if (used + emOf("…") <= room) fitting += segment;
  }
  return text;
}

function emOf(grapheme: string): number {
  return widths.find(([pattern]) => pattern.test(grapheme))?.[1] ?? 1.4;
}
