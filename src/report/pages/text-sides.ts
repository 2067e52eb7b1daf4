import { asHtml } from "../../pictures/escape-html.ts";
import { formatSeveral } from "../../pictures/figures.ts";
import { type BothTexts, diffSummary, textHunks } from "../field-text.ts";
import { cleanLine } from "../terminal-text.ts";

/** One row of two texts beside each other, or a remark across both. */
type SideRow =
  | { readonly gap: string }
  | { readonly left?: SideLine | undefined; readonly right?: SideLine | undefined; readonly isChanged: boolean };

interface SideLine {
  readonly number: number;
  readonly text: string;
}

/** Characters of a line. */
const lineWidth = 400;

/** Two texts beside each other, so many rows of them; `heads` are the words above each. */
export function textSides(
  { before, after }: Pick<BothTexts, "before" | "after">,
  {
    rows: most,
    heads,
    label,
  }: { readonly rows: number; readonly heads: readonly [string, string]; readonly label: string },
): string {
  const rows = sideRows(before, after, heads);
  if (rows === undefined) return `<p class="soft">${asHtml(diffSummary(before, after))}</p>`;
  const rest = rows.length - most;
  const shown = rest > 0 ? rows.slice(0, most) : rows;
  const more = rest > 0 ? `<p class="soft">… and ${formatSeveral(rest, "more row")} of this comparison.</p>` : "";
  const [was, is] = heads.map((head) => `<th scope="col" colspan="2">${asHtml(head)}</th>`);
  return `<div class="scroll" role="group" aria-label="${asHtml(label)}" tabindex="0"><table class="sides"><colgroup><col><col><col><col></colgroup><thead><tr>${was}${is}</tr></thead><tbody>
${shown.map(sideRow).join("\n")}</tbody></table></div>${more}`;
}

/** The rows at which two texts differ, with what is around; removed lines are beside the added ones in their place. */
function sideRows(before: string, after: string, heads: readonly [string, string]): readonly SideRow[] | undefined {
  return textHunks(before, after)?.flatMap((hunk): readonly SideRow[] => {
    let [left, right] = [hunk.oldStart, hunk.newStart];
    const rows: SideRow[] = [{ gap: startOf(hunk, heads) }];
    const [removed, added]: [SideLine[], SideLine[]] = [[], []];
    const flush = () => {
      for (let index = 0; index < Math.max(removed.length, added.length); index++)
        rows.push({ left: removed[index], right: added[index], isChanged: true });
      removed.length = 0;
      added.length = 0;
    };
    for (const line of hunk.lines) {
      const text = cleanLine(line.slice(1).replace(/\r$/, "\\r"), lineWidth);
      if (line.startsWith("-")) removed.push({ number: left++, text });
      else if (line.startsWith("+")) added.push({ number: right++, text });
      else {
        flush();
        if (line.startsWith("\\")) rows.push({ gap: text.trim() });
        else rows.push({ left: { number: left++, text }, right: { number: right++, text }, isChanged: false });
      }
    }
    flush();
    return rows;
  });
}

function startOf(
  { oldStart, newStart }: { readonly oldStart: number; readonly newStart: number },
  [was, is]: readonly [string, string],
): string {
  if (oldStart === newStart) return `From line ${oldStart}`;
  return `From line ${oldStart} (${was}), ${newStart} (${is})`;
}

/** End tags that HTML does not need are left out: a page has thousands of such rows. */
function sideRow(row: SideRow): string {
  if ("gap" in row) return `<tr class="gap"><td colspan="4">${asHtml(row.gap)}`;
  const { left, right, isChanged } = row;
  const [was, is] =
    isChanged && left && right ? markedPair(left.text, right.text) : [left?.text, right?.text].map(plain);
  return `<tr>${sideHtml(left, was, isChanged ? "d" : "")}${sideHtml(right, is, isChanged ? "a" : "")}`;
}

function plain(text: string | undefined): string {
  return asHtml(text ?? "");
}

function sideHtml(line: SideLine | undefined, html: string | undefined, name: string): string {
  if (line === undefined) return '<td class="none"><td class="none">';
  const mark = name === "" ? "" : ` class="${name}"`;
  return `<td${mark}>${line.number}<td${mark}>${html}`;
}

/** Two lines with the part marked in which they differ, where they have something in common. */
function markedPair(before: string, after: string): readonly [string, string] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  // A character of two units is not cut.
  if (/[\ud800-\udbff]/.test(before[start - 1] ?? "")) start--;
  if (/[\udc00-\udfff]/.test(before.at(-end) ?? "") && end > 0) end--;
  const marked = (text: string) => {
    const [head, middle, tail] = [
      text.slice(0, start),
      text.slice(start, text.length - end),
      text.slice(text.length - end),
    ];
    return middle === "" ? asHtml(text) : `${asHtml(head)}<mark>${asHtml(middle)}</mark>${asHtml(tail)}`;
  };
  return start + end < least * 0.3 ? [asHtml(before), asHtml(after)] : [marked(before), marked(after)];
}
