/** A fenced block. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  readonly marks: ReadonlyMap<string, string>;
}

export interface FencePart {
  readonly is: "fence";
  readonly fence: Fence;
}

/** What a page consists of, as far as it is run. */
export type Part = FencePart | { readonly is: "hidden"; readonly line: number; readonly text: string };

/** Fenced blocks with the marks before them, and hidden commands, in the order of the page. */
export function partsOf(markdown: string): readonly Part[] {
  const lines = markdown.split("\n");
  const parts: Part[] = [];
  let marks = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const block = blockAt(lines, at, marks);
    const mark = /^<!-- ([a-z ]+)(?:: (.+))? -->$/.exec(line);
    if (mark) marks.set(mark[1] ?? "", mark[2] ?? "");
    else if (line !== "") marks = new Map();
    if (block === undefined) continue;
    parts.push(block.part);
    at = block.end;
  }
  return parts;
}

/** The block that begins with a line, and the line that ends it. */
function blockAt(lines: readonly string[], at: number, marks: Fence["marks"]) {
  const line = lines[at] ?? "";
  const [, fence, language = ""] = /^(`{3,})(\S*)$/.exec(line) ?? [];
  if (fence === undefined && line !== "<!-- run") return undefined;
  const end = lines.indexOf(fence ?? "-->", at + 1);
  if (end < 0) throw new Error(`line ${at + 1}: what begins here has no end`);
  const text = lines
    .slice(at + 1, end)
    .map((each) => `${each}\n`)
    .join("");
  const part: Part =
    fence === undefined
      ? { is: "hidden", line: at + 2, text }
      : { is: "fence", fence: { language, text, line: at + 2, marks } };
  return { part, end };
}
