import type { YAMLError } from "yaml";

interface IndentationProblem {
  readonly offset: number;
  readonly summary: string;
  readonly detail: string;
}

/** A parser error about indentation, explained for its line; undefined for an error about something else. */
export function indentationProblem(error: YAMLError, text: string): IndentationProblem | undefined {
  const start = text.lastIndexOf("\n", error.pos[0] - 1) + 1;
  const end = text.indexOf("\n", start);
  const line = text.slice(start, end === -1 ? text.length : end);
  const indent = line.search(/\S|$/);
  const offset = start + indent;
  if (error.code === "TAB_AS_INDENT" || /^ *\t/.test(line))
    return {
      offset: start + line.indexOf("\t"),
      summary: "a tab is used as indentation",
      detail: "YAML is indented with spaces only: replace the tabs at the beginning of this line and of others",
    };
  const word = line.trim();
  if (lacksColon(error) && /^[A-Za-z][\w.-]*$/.test(word) && !isValue(text, start, indent))
    return {
      offset,
      summary: `${word} has no colon`,
      detail: `A key ends in a colon: write ${word}:, with its value below or after it`,
    };
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") return continuedText(text, { end, indent });
  // A bracket that is not closed is one of the parser's wrong indentations, too.
  const isWrong = error.code === "BAD_INDENT" || error.code === "MULTILINE_IMPLICIT_KEY";
  if (!isWrong || error.message.startsWith("Flow ")) return undefined;
  const columns = openColumns(text.slice(0, start));
  const nearest = [columns.find((column) => column < indent), columns.findLast((column) => column > indent)];
  const open = nearest.filter((column) => column !== undefined);
  return {
    offset,
    summary: "the indentation does not fit",
    detail: `This line is indented by ${countedSpaces(indent)}. Keys of one object begin in the same column: like the lines above, indent it by ${open.join(" or ")}`,
  };
}

/** A key that is indented deeper than the line above it, so that it continues the text of that line. */
function continuedText(text: string, above: { readonly end: number; readonly indent: number }) {
  const [lead = "", spaces = ""] = /^\n(?:[ \t]*\n)*( *)(?=[A-Za-z][\w.-]*:(?:\s|$))/.exec(text.slice(above.end)) ?? [];
  if (above.end === -1 || spaces.length <= above.indent) return undefined;
  return {
    offset: above.end + lead.length,
    summary: "the indentation does not fit",
    detail: `This line is indented by ${countedSpaces(spaces.length)}, deeper than the line above it, so it continues the text there. ${above.indent === 0 ? "Begin it in the first column" : `Indent it by ${above.indent}`} like the key above; if it is part of that text, put the text in quotes`,
  };
}

function lacksColon({ code, message }: YAMLError): boolean {
  return code === "MULTILINE_IMPLICIT_KEY" || message === "Implicit map keys need to be followed by map values";
}

/** True for a line that is the value of a key above it rather than a key: nothing is indented below it. */
function isValue(text: string, start: number, indent: number): boolean {
  const next =
    text
      .slice(start)
      .split("\n")
      .slice(1)
      .find((line) => line.trim() !== "") ?? "";
  return text.slice(0, start).trimEnd().endsWith(":") && next.search(/\S|$/) <= indent;
}

/** Columns at which a line may begin that continues the text above it, the deepest first. */
function openColumns(above: string): readonly number[] {
  const columns: number[] = [];
  for (const line of above.split("\n").reverse()) {
    const column = line.search(/\S/);
    if (column === -1 || line[column] === "#" || column >= (columns.at(-1) ?? Number.POSITIVE_INFINITY)) continue;
    columns.push(column);
  }
  return columns;
}

function countedSpaces(spaces: number): string {
  return spaces === 1 ? "1 space" : `${spaces} spaces`;
}
