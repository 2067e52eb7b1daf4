import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { allMutants } from "./all-mutants.ts";
import { mutantLocator } from "./locate-mutant.ts";
import type { Mutant } from "./mutant.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chosen = new Set((process.env.LOADFORM_MUTANTS ?? "").split("|"));

const locate = mutantLocator();

/** The sources with one guard taken out, while they are loaded. */
const without = (mutant: Mutant) => {
  const place = locate(mutant);
  if (typeof place === "string") throw new Error(`${mutant.name}: found ${place}`);
  const { file, start, end } = place;
  return {
    name: mutant.name,
    enforce: "pre" as const,
    transform(code: string, id: string) {
      if (!id.endsWith(`/src/${file}`)) return undefined;
      return { code: code.slice(0, start) + mutant.to + code.slice(end), map: null };
    },
  };
};

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
