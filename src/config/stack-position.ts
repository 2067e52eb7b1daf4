import type { Position } from "../model/diagnostic.ts";

const frame = /(?:file:\/\/)?(\/[^():]+):(\d+):(\d+)\)?$/;

/** The first place in a stack that is in the project itself, not in a library. */
export function stackPosition(stack: string, root: string): Position | undefined {
  for (const line of stack.split("\n")) {
    const [, path = "", row, column] = frame.exec(line.trim()) ?? [];
    if (!path.startsWith(`${root}/`) || path.includes("/node_modules/")) continue;
    return { file: path.slice(root.length + 1), line: Number(row), column: Number(column) };
  }
  return undefined;
}
