/** The names in an expression: `loadform_scenario.browse.name` is the names `loadform_scenario`, `browse` and `name`. */
export type Reference = readonly (string | number)[];

const step = /\.([A-Za-z_][\w-]*)|\.(\d+)|\[(\d+)\]|\["([^"\\$%]*)"\]/y;
/** The form of most references. */
const plainPath = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+$/;
const first = /[A-Za-z_][\w-]*/y;

/** The path that an expression leads along, `tolist(…)` read as its content; undefined when it is anything but a path. */
export function parseReference(code: string): Reference | undefined {
  if (plainPath.test(code)) return code.split(".");
  const wrapped = /^tolist\(/.test(code) ? closedAt(code, "tolist(".length) : undefined;
  if (wrapped !== undefined) {
    const inner = parseReference(code.slice("tolist(".length, wrapped).trim());
    const rest = stepsFrom(code, wrapped + 1);
    return inner && rest && [...inner, ...rest];
  }
  first.lastIndex = 0;
  const root = first.exec(code)?.[0];
  const rest = root === undefined ? undefined : stepsFrom(code, root.length);
  return root === undefined || rest === undefined || rest.length === 0 ? undefined : [root, ...rest];
}

function stepsFrom(code: string, from: number): Reference | undefined {
  const steps: (string | number)[] = [];
  step.lastIndex = from;
  for (let at = from; at < code.length; at = step.lastIndex) {
    const match = step.exec(code);
    if (match === null) return undefined;
    const [, name, legacy, index, key] = match;
    steps.push(name ?? key ?? Number(legacy ?? index));
  }
  return steps;
}

/** The place of the parenthesis that closes the one opened before `from`. */
function closedAt(code: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === "(") depth++;
    else if (code[at] === ")" && depth-- === 0) return at;
  }
  return undefined;
}

/** An expression that is no path, in Terraform's words. */
export function describeExpression(code: string): string {
  if (/\bfor\b/.test(code)) return "a for expression";
  if (/[A-Za-z_]\w*\(/.test(code)) return "a function";
  if (code.includes("?")) return "a condition";
  if (code.includes("[*]") || code.includes(".*")) return "a splat";
  if (/[-+*/%<>!=&|]/.test(code.replaceAll(/[A-Za-z_][\w-]*/g, ""))) return "an operator";
  return "an expression";
}
