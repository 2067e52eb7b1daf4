import { createRequire } from "node:module";
import type { StripTask } from "../worker-task.ts";

interface Jiti {
  readonly createJiti: (path: string) => {
    readonly transform: (options: { source: string; filename: string; ts: boolean; async: boolean }) => string;
  };
}

/** JavaScript without `import` and `export` of each source. */
export function stripTypes({ jiti, sources }: StripTask): readonly string[] {
  const { createJiti } = createRequire(jiti)(jiti) as Jiti;
  const { transform } = createJiti(jiti);
  return sources.map(({ name, text, isTyped }) => {
    const code = transform({ source: text, filename: `/${name}.${isTyped ? "ts" : "mjs"}`, ts: isTyped, async: true });
    refuseMistake(code, `${name}.${isTyped ? "ts" : "js"}`);
    return code;
  });
}

const mistake = "exports.__JITI_ERROR__ = ";

/** Throws the mistake of a text that cannot be parsed: it comes back as code that says so. */
function refuseMistake(code: string, file: string): void {
  if (!code.startsWith(mistake)) return;
  const { line, column, message } = JSON.parse(code.slice(mistake.length)) as Record<string, unknown>;
  throw new SyntaxError(`${String(message).trim()} (${file}:${String(line)}:${Number(column) + 1})`);
}
