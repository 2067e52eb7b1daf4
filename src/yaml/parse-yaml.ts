import {
  Composer,
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type YAMLError,
  type YAMLMap,
  YAMLParseError,
} from "yaml";
import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { indentationProblem } from "./indentation-problem.ts";
import { parsePlainYaml } from "./parse-plain-yaml.ts";
import { deepest, shallowTokens, TooDeep } from "./shallow-tokens.ts";

/** Limit of nodes that aliases may add: more is a bomb, not a project. */
const aliasLimit = 2_000_000;

/**
 * A YAML file (1.2 core, with merge keys) as JSON, and its problems. The value is undefined when the file is not well-formed:
 * nothing is read out of half a file.
 */
export function parseYaml(
  source: string,
  file: string,
): { readonly value: Json | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const text = withoutMark(source);
  const plain = parsePlainYaml(text);
  if (plain !== undefined) return { value: plain, diagnostics: [] };
  const lines = new LineCounter();
  const problems: Diagnostic[] = [];
  const said = new Set<string>();
  const report: ReportAt = (offset, problem) => {
    const { line, col } = lines.linePos(offset);
    if (said.has(`${line} ${problem.code}`)) return;
    said.add(`${line} ${problem.code}`);
    problems.push({ severity: "error", ...problem, file, line, column: col });
  };
  const value = guardDepth(report, () => {
    const document = readDocument(text, lines);
    const errors = [...document.errors, ...document.warnings].sort((left, right) => left.pos[0] - right.pos[0]);
    for (const error of errors) {
      if (/call stack/i.test(error.message)) throw new RangeError(error.message);
      if (error.code === "UNEXPECTED_TOKEN" && problems.length > 0) continue;
      const indentation = indentationProblem(error, text);
      if (indentation) report(indentation.offset, malformed(indentation.summary, indentation.detail));
      // Text after a wrong indentation is read at a wrong level: any advice about it would be wrong.
      if (indentation) return undefined;
      report(error.pos[0], describeError(error, text));
    }
    const begun: Conversion = { report, anchors: new Map(), count: 0, added: 0, level: 0, lowest: 0 };
    return convert(document.contents as Node | null, begun);
  });
  const isUsable = problems.every(({ code }) => code === "LF1005" || code === "LF1105");
  return { value: isUsable ? value : undefined, diagnostics: problems };
}

/** The library's parseDocument, with a bound on how deeply the text is nested. */
function readDocument(text: string, lines: LineCounter): Document.Parsed {
  const composer = new Composer({ lineCounter: lines, prettyErrors: false, version: "1.2", uniqueKeys: false });
  let first: Document.Parsed | undefined;
  for (const document of composer.compose(shallowTokens(text, lines), true, text.length)) {
    if (first !== undefined) {
      const [from, to] = document.range;
      first.errors.push(new YAMLParseError([from, to], "MULTIPLE_DOCS", "several documents"));
      break;
    }
    first = document as Document.Parsed;
  }
  return first ?? (new Document(null) as Document.Parsed);
}

/** The text without a byte order mark, which would shift the columns of the first line. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

type Finding = { readonly code: Code; readonly summary: string; readonly detail: string };
type ReportAt = (offset: number, problem: Finding) => void;

const malformed = (summary: string, detail: string): Finding => ({ code: "LF1003", summary, detail });

/** A file nested beyond the stack is refused like any other malformed one. */
function guardDepth(report: ReportAt, parse: () => Json | undefined): Json | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const detail = `It is nested more than ${deepest} levels deep, which no project needs`;
    report(error instanceof TooDeep ? error.offset : 0, malformed("nested too deeply", detail));
    return undefined;
  }
}

function describeError(error: YAMLError, text: string): Finding {
  if (text.startsWith("${", error.pos[0] - 1)) return malformed(...unquoted);
  const words = error.message.startsWith("Flow ") ? unclosed : sayings[error.code];
  if (words) return malformed(...words);
  const said = error.message.charAt(0).toLowerCase() + error.message.slice(1).replace(/\s+/g, " ").trim();
  return malformed("the YAML is not well-formed", `It cannot be read from here on: ${said}`);
}

const unquoted = [
  "${…} needs quotes here",
  'Between { … } or [ … ] braces are YAML\'s own. Put the text in quotes: "${…}"',
] as const;

const unclosed = [
  "a bracket is not closed",
  "A list or mapping does not end before the next key: close its bracket",
] as const;

const sayings: Readonly<Partial<Record<YAMLError["code"], readonly [string, string]>>> = {
  MULTIPLE_DOCS: [
    "several documents in one file",
    "A second document begins after `---`. Put it into a file of its own and name that under `include`",
  ],
  TAG_RESOLVE_FAILED: ["unknown YAML tag", "Tags (`!…`) have no meaning here: write the plain value"],
  BLOCK_AS_IMPLICIT_KEY: [
    "a colon in plain text",
    'A colon at the end of a word, or followed by a space, starts a key. If it is text, put it in quotes, as in "memory:"; if it is a key, indent it like the other keys of its object',
  ],
  BLOCK_IN_FLOW: [
    "a colon within brackets",
    'Between { } or [ ] a text that ends in a colon needs quotes, as in "memory:", and no keys can be indented below',
  ],
  MISSING_CHAR: ["a character is missing", "The value ends too early: add its closing quote or bracket"],
};

/**
 * A document on its way to JSON. Aliases share what they repeat, so memory remains small; what they would expand to is
 * counted and bounded, and a cycle is reported.
 */
interface Conversion {
  readonly report: ReportAt;
  readonly anchors: Map<string, { readonly value: Json; readonly size: number; readonly height: number } | "open">;
  count: number;
  added: number;
  /** The depth of the present node, and the greatest so far. */
  level: number;
  lowest: number;
}

function convert(node: Node | null, conversion: Conversion): Json {
  if (node === null) return null;
  conversion.count++;
  conversion.level++;
  const value = isAlias(node) ? convertAlias(node.source, node, conversion) : convertAnchored(node, conversion);
  conversion.level--;
  return value;
}

function convertAnchored(node: Node, conversion: Conversion): Json {
  const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
  const { count, level, lowest } = conversion;
  conversion.lowest = Math.max(lowest, level);
  if (anchor === undefined) return convertPlain(node, conversion);
  conversion.lowest = level;
  conversion.anchors.set(anchor, "open");
  const value = convertPlain(node, conversion);
  conversion.anchors.set(anchor, { value, size: conversion.count - count, height: conversion.lowest - level });
  conversion.lowest = Math.max(lowest, conversion.lowest);
  return value;
}

function convertPlain(node: Node, conversion: Conversion): Json {
  if (isMap(node)) return convertMap(node, conversion);
  if (isSeq(node)) return node.items.map((item) => convert(item as Node | null, conversion));
  if (!isScalar(node)) return null;
  const { value } = node;
  if (typeof value === "number" && !Number.isFinite(value)) {
    const detail = `${node.source ?? "It"} is not a number that JSON can hold`;
    conversion.report(node.range?.[0] ?? 0, { code: "LF1102", summary: "not a finite number", detail });
    return null;
  }
  if (typeof value === "number" && /^[-+]?\d+$/.test(node.source ?? "") && !Number.isSafeInteger(value)) {
    const detail = `${node.source} would lose digits, as any integer beyond ${Number.MAX_SAFE_INTEGER}. Put it in quotes to keep them all`;
    conversion.report(node.range?.[0] ?? 0, { code: "LF1104", summary: "an integer with too many digits", detail });
    return null;
  }
  return value as Json;
}

function convertAlias(name: string, node: Node, conversion: Conversion): Json {
  const { report, anchors } = conversion;
  const offset = node.range?.[0] ?? 0;
  const found = anchors.get(name);
  if (found === undefined || found === "open") {
    const why = found === "open" ? "inside its own anchor" : "without an anchor";
    report(
      offset,
      malformed(`alias *${name} leads nowhere`, `*${name} is an alias ${why}. Its anchor, &${name}, must be above it`),
    );
    return null;
  }
  conversion.lowest = Math.max(conversion.lowest, conversion.level + found.height);
  if (conversion.lowest > deepest) throw new TooDeep(offset);
  const before = conversion.added;
  conversion.count += found.size;
  conversion.added += found.size;
  if (conversion.added <= aliasLimit) return found.value;
  if (before > aliasLimit) return null;
  const detail = `They repeat more than ${aliasLimit} values, which no project needs: write the values out`;
  report(offset, malformed("aliases expand without bound", detail));
  return null;
}

/** The library compares each key with all before it, so keys are checked here, where a look-up does. */
function convertMap(node: YAMLMap, conversion: Conversion): Json {
  const own: Record<string, Json> = {};
  let merged: Record<string, Json> | undefined;
  for (const pair of node.items) {
    const value = convert(pair.value as Node | null, conversion);
    const isMerge = isMergeKey(pair);
    const key = isMerge ? "<<" : keyText(pair, conversion);
    if (key === undefined) continue;
    if (isMerge ? merged !== undefined : Object.hasOwn(own, key)) {
      const detail = `The same mapping has the key ${key} above. Rename or remove one of them`;
      conversion.report(offsetOf(pair), { code: "LF1005", summary: `${key} is declared twice`, detail });
    } else if (isMerge) merged = mergeSources(value, pair, conversion);
    else own[key] = value;
  }
  return merged === undefined ? own : { ...merged, ...own };
}

function offsetOf(pair: Pair): number {
  return (pair.key as Node | null)?.range?.[0] ?? 0;
}

/** True for `<<: …`, a merge key: keys of the mapping itself win, then the earlier of several sources. */
export function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.value === "<<" && pair.key.type === "PLAIN";
}

function mergeSources(value: Json, pair: Pair, { report }: Conversion): Record<string, Json> {
  const sources: readonly Json[] = Array.isArray(value) ? value : [value];
  const merged: Record<string, Json> = {};
  for (const source of [...sources].reverse()) {
    if (typeof source === "object" && source !== null && !Array.isArray(source)) Object.assign(merged, source);
    else {
      const detail = "After << write an alias of a mapping, or a list of these: `<<: *name`";
      report(offsetOf(pair), malformed("<< merges mappings only", detail));
    }
  }
  return merged;
}

/** The key as text. `__proto__` is refused: as a key of plain objects it is not data. */
function keyText(pair: Pair, { report, anchors }: Conversion): string | undefined {
  const node = pair.key as Node | null;
  const aliased = isAlias(node) ? anchors.get(node.source) : undefined;
  const value = isScalar(node) ? (node.source ?? node.value) : aliased === "open" ? undefined : aliased?.value;
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (text !== "" && text !== "__proto__") return text;
  const detail = `${text === "" ? "An empty or nested key" : text} cannot be a key: write a word`;
  report(node?.range?.[0] ?? 0, { code: "LF1105", summary: "not usable as a key", detail });
  return undefined;
}
