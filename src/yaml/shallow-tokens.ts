import { CST, Lexer, type LineCounter, Parser } from "yaml";

/** A file nested deeper than any project. */
export class TooDeep extends RangeError {
  /** Offset of the first token that is nested too deeply. */
  readonly offset: number;
  constructor(offset: number) {
    super("nested too deeply");
    this.offset = offset;
  }
}

/** The most levels inside each other; the library ends the process at some thousands. */
export const deepest = 200;

interface Depth {
  brackets: number;
  /** Columns at which the open blocks begin, and where the next lexeme begins. */
  readonly columns: number[];
  column: number;
  isLineStart: boolean;
}

/** The tokens of a YAML text, as the library's own parser yields them, until it is nested too deeply. */
export function* shallowTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  const depth: Depth = { brackets: 0, columns: [], column: 0, isLineStart: true };
  let [offset, isScalar] = [0, false];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    const type = isScalar ? "text" : CST.tokenType(lexeme);
    follow(depth, lexeme, type);
    if (depth.brackets + depth.columns.length > deepest) throw new TooDeep(offset);
    yield* parser.next(lexeme);
    isScalar = type === "scalar";
    if (!isScalar && type !== "doc-mode" && type !== "flow-error-end") offset += lexeme.length;
  }
  yield* parser.end();
}

function follow(depth: Depth, lexeme: string, type: ReturnType<typeof CST.tokenType> | "text"): void {
  if (type === "flow-map-start" || type === "flow-seq-start") depth.brackets++;
  else if (type === "flow-map-end" || type === "flow-seq-end") depth.brackets = Math.max(0, depth.brackets - 1);
  if (type === "newline") {
    depth.column = 0;
    depth.isLineStart = true;
    return;
  }
  if (type === "scalar" || type === "doc-mode" || type === "flow-error-end") return;
  const isBlock = type === "seq-item-ind" || type === "explicit-key-ind";
  if (depth.brackets === 0 && type !== "space" && (depth.isLineStart || isBlock)) enter(depth);
  if (type !== "space") depth.isLineStart = isBlock;
  depth.column = lexeme.includes("\n") ? 0 : depth.column + lexeme.length;
  if (lexeme.endsWith("\n")) depth.isLineStart = true;
}

/** A block begins or continues at this column; those that began at or behind it have ended. */
function enter({ columns, column }: Depth): void {
  while ((columns.at(-1) ?? -1) >= column) columns.pop();
  columns.push(column);
}
