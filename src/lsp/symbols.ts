import { objectAt } from "../config/declared-object.ts";
import type { AnyKind } from "../model/kind.ts";
import { entriesOf } from "./cursor.ts";
import { withoutPatch } from "./project-index.ts";

/** One object in the outline of a file. */
export interface OutlineSymbol {
  readonly name: string;
  readonly kind: string;
  /** Offsets of its lines. */
  readonly from: number;
  to: number;
  /** Offset of its key. */
  readonly keyFrom: number;
  readonly children: OutlineSymbol[];
}

interface Open {
  readonly column: number;
  readonly key: string;
  readonly symbol: OutlineSymbol | undefined;
}

/** The objects that a file declares, by its lines: they may be half typed. */
export function outline(text: string, kinds: readonly AnyKind[]): readonly OutlineSymbol[] {
  const roots: OutlineSymbol[] = [];
  const open: Open[] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    const [entry] = /^\s*#/.test(line) ? [] : entriesOf(line.replace(/\r$/, ""));
    if (entry?.key !== undefined) openKey({ ...entry, key: entry.key, at }, { open, roots, kinds });
    at += line.length + 1;
    const isBlank = line.trim() === "";
    for (const { symbol } of open) if (symbol && !isBlank) symbol.to = Math.min(text.length, at - 1);
  }
  return roots;
}

function openKey(
  { column, key, at }: { readonly column: number; readonly key: string; readonly at: number },
  {
    open,
    roots,
    kinds,
  }: { readonly open: Open[]; readonly roots: OutlineSymbol[]; readonly kinds: readonly AnyKind[] },
): void {
  while ((open.at(-1)?.column ?? -1) >= column) open.pop();
  const kind = kindAt([...open.map((each) => each.key), key], kinds);
  if (kind === undefined) return void open.push({ column, key, symbol: undefined });
  const symbol = { name: key, kind, from: at, to: at, keyFrom: at + column, children: [] };
  (open.findLast((each) => each.symbol)?.symbol?.children ?? roots).push(symbol);
  open.push({ column, key, symbol });
}

/** The kind of the object at a path; instances and the parameters of a module are listed, too. */
function kindAt(path: readonly string[], kinds: readonly AnyKind[]): string | undefined {
  const own = withoutPatch(path);
  const [first, , third] = own;
  if (first === "use" && (own.length === 2 || (own.length === 4 && third === "forEach"))) return "instance";
  if (first === "parameters" && path.length === 2) return "parameter";
  const place = objectAt(own, kinds);
  return place?.within.length === 0 ? place.kind.name : undefined;
}
