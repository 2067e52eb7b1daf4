import { utf8Text } from "../model/utf8-text.ts";
import { WorkspaceError } from "./workspace.ts";

/** The text of a file; bytes that are no UTF-8 are refused, for a text with some of them replaced is another one. */
export function sourceText(path: string, bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text !== undefined) return text;
  const lines = textBefore(bytes)
    .replace(/^\uFEFF/, "")
    .split("\n");
  const at = { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  const message = "found bytes that are no UTF-8; expected text: save the file as UTF-8";
  throw new WorkspaceError(path, message, { at });
}

/** The text up to the first byte that cannot be read. */
function textBefore(bytes: Uint8Array): string {
  const read = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const back = new TextEncoder().encode(read);
  let end = back.findIndex((byte, index) => byte !== bytes[index]);
  while (end > 0 && ((back[end] ?? 0) & 0xc0) === 0x80) end--;
  return Buffer.from(back.subarray(0, Math.max(0, end))).toString("utf8");
}
