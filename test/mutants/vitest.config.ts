import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { allMutants } from "./all-mutants.ts";
import type { Mutant } from "./mutant.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chosen = new Set((process.env.LOADFORM_MUTANTS ?? "").split("|"));

/** The sources with one guard taken out, while they are loaded. */
const without = ({ name, file, from, to }: Mutant) => ({
  name,
  enforce: "pre" as const,
  transform(code: string, id: string) {
    if (!id.endsWith(`/src/${file}`)) return undefined;
    if (!code.includes(from)) throw new Error(`${name}: the source no longer reads so`);
    return { code: code.replace(from, () => to), map: null };
  },
});

export default defineConfig({
  root,
  test: {
    pool: "forks",
    maxWorkers: 2,
    reporters: [fileURLToPath(new URL("./failure-reporter.ts", import.meta.url))],
    projects: allMutants
      .filter(({ name }) => chosen.has(name))
      .map((mutant) => ({
        root,
        plugins: [without(mutant)],
        test: { name: mutant.name, include: [`test/${mutant.by[0]}`], testTimeout: 20_000 },
      })),
  },
});
