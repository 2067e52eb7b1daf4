import type { DocumentPath } from "../model/diagnostic.ts";

/** A place within brackets, seen from the value that they begin. */
export interface FlowCursor {
  readonly path: DocumentPath;
  readonly at: "start" | "value";
  /** Where the word before the cursor begins, as an offset in the text. */
  readonly from: number;
  /** Keys that the same mapping has before the cursor. */
  readonly taken: readonly string[];
}

interface Frame {
  readonly isMap: boolean;
  readonly taken: string[];
  key: string | undefined;
  index: number;
  /** Where the current key or value begins. */
  from: number;
}

/** The place at the end of a text that begins with a bracket; undefined where all of its brackets are closed. */
export function flowCursor(text: string): FlowCursor | undefined {
  const frames: Frame[] = [];
  for (let at = 0; at < text.length; at++) {
    at = /["']/.test(text[at] ?? "") ? quoteEnd(text, at) : at;
    step(frames, text, at);
    if (frames.length === 0) return undefined;
  }
  const last = frames.at(-1);
  if (last === undefined) return undefined;
  const path = frames.flatMap(({ isMap, key, index }) => (isMap ? (key ?? []) : index));
  const blank = /^\s*["']?/.exec(text.slice(last.from))?.[0].length ?? 0;
  const at = last.isMap && last.key !== undefined ? "value" : "start";
  return { path, at, from: last.from + blank, taken: last.taken };
}

function step(frames: Frame[], text: string, at: number): void {
  const sign = text[at];
  const frame = frames.at(-1);
  if (sign === "{" || sign === "[")
    frames.push({ isMap: sign === "{", taken: [], key: undefined, index: 0, from: at + 1 });
  else if (sign === "}" || sign === "]") frames.pop();
  else if (frame !== undefined) stepIn(frame, text, at);
}

function stepIn(frame: Frame, text: string, at: number): void {
  if (text[at] === ",") {
    frame.key = undefined;
    frame.index++;
    frame.from = at + 1;
  } else if (
    frame.isMap &&
    text[at] === ":" &&
    frame.key === undefined &&
    /^(?:\s|$|["'{[])/.test(text.slice(at + 1, at + 2))
  ) {
    frame.key = text
      .slice(frame.from, at)
      .trim()
      .replace(/^(["'])(.*)\1$/, "$2");
    frame.taken.push(frame.key);
    frame.from = at + 1;
  }
}

/** The closing quote, or the last character of a text that has none. */
function quoteEnd(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}
