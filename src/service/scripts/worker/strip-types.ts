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
  return sources.map(({ name, text, isTyped }) =>
    transform({ source: text, filename: `/${name}.${isTyped ? "ts" : "mjs"}`, ts: isTyped, async: true }),
  );
}
