import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectKeyOrder } from "../../src/authoring/project-key-order.ts";
import type { ImportOutcome } from "../../src/import/import-files.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { PlanOutcome } from "../../src/project/plan-opened.ts";
import type { StoredState } from "../../src/state/store.ts";
import { formatYaml } from "../../src/yaml/format-yaml.ts";
import { check } from "../support/deep.ts";
import { type ImportBench, importBench } from "../support/import-bench.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

/** Values for everything that an import asks to be set. */
const valuesFor = ({ environment }: ImportOutcome) =>
  Object.fromEntries(environment.map(({ name }) => [name, `a value of ${name}`]));

/** Changes beyond sending the secrets that nobody could read. */
function changesOf({ plan, diagnostics }: PlanOutcome) {
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return plan?.changes.filter(({ action, fields }) => action !== "update" || fields.some((field) => !field.sensitive));
}

/** What a state binds, tags left out: they come by themselves. */
const boundIn = (stored: StoredState | undefined) =>
  Object.values(stored?.state.resources ?? {})
    .filter(({ kind }) => kind !== "tag")
    .map(({ kind, id }) => `${kind}#${id}`)
    .sort();

/** The bindings of an import, those of objects with secrets left out, and the same as a plan settles them that knows the ids alone. */
async function bindingsOf(bench: ImportBench, env: Readonly<Record<string, string>>) {
  const stored = await bench.store.read();
  if (stored === undefined) throw new Error("the import stored nothing");
  const { resources } = stored.state;
  const bare = Object.entries(resources).map(([address, { kind, id, createdAt, parent }]) => [
    address,
    {
      kind,
      id,
      createdAt,
      ...(parent === undefined ? {} : { parent }),
      applied: {},
      content: {},
      secrets: {},
      seen: {},
    },
  ]);
  const state = { ...stored.state, resources: Object.fromEntries(bare) };
  const { plan } = await bench.plan(env, { ...stored, state });
  const changed = new Set(plan?.changes.map(({ address }) => address));
  const open = Object.keys(resources).filter((address) => !changed.has(address));
  const pick = (from: Readonly<Record<string, unknown>> | undefined) =>
    open.map((address) => [address, from?.[address]]);
  return { imported: pick(resources), settled: pick(plan?.stateChanges) };
}

/** The files as `fmt` would write them. */
function formatted(files: Readonly<Record<string, string>>) {
  const isYaml = (path: string) => path.endsWith(".yaml");
  const asFormatted = (text: string) => formatYaml(text, projectKeyOrder(kinds));
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, isYaml(path) ? asFormatted(text) : text] as const),
  );
}

/** The state as of an import that was killed before it could save: its files are all in place. */
async function loseBindings({ store }: ImportBench): Promise<void> {
  const session = await store.lock({ operation: "test", timeoutMs: 0 });
  if (session.stored === undefined) throw new Error("the import stored nothing");
  await session.save({ ...session.stored.state, resources: {} }, []);
  await session.release();
}

describe("importing a random live service (P9)", () => {
  test.each(["yaml", "ts"] as const)(
    "as %s gives a valid project, an empty plan, and the same bytes twice, and is found again without its bindings",
    async (format) => {
      await check(
        `P9 ${format}`,
        fc.asyncProperty(randomProject, async (wishes) => {
          const rig = makeRig();
          const applied = await rig.apply(toTree(wishes));
          expect(applied.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          const benches = [importBench(rig), importBench(rig)] as const;
          const [bench, other] = benches;
          try {
            rig.takeWrites();
            const outcome = await bench.import({ format });
            expect(outcome.diagnostics).toEqual([]);
            expect(boundIn(await bench.store.read())).toEqual(boundIn(await rig.stored()));
            if (outcome.status === "nothing") return;
            const contents = Object.keys(bench.files()).filter((path) => path.split("/").length > 3);
            expect(outcome.requests).toBeLessThanOrEqual(6 + contents.length);
            const planned = await bench.plan(valuesFor(outcome));
            expect(changesOf(planned)).toEqual([]);
            const { imported, settled } = await bindingsOf(bench, valuesFor(outcome));
            expect(imported).toEqual(settled);
            const files = bench.files();
            expect(formatted(files)).toEqual(files);
            expect((await bench.import({ format })).status).toBe("nothing");
            expect(bench.files()).toEqual(files);
            await other.import({ format });
            expect(other.files()).toEqual(files);
            await loseBindings(bench);
            const { objects } = await bench.import({ format });
            expect([objects.length, bench.files()]).toEqual([outcome.objects.length, files]);
            expect(boundIn(await bench.store.read())).toEqual(boundIn(await rig.stored()));
            expect(rig.takeWrites()).toBe(0);
          } finally {
            for (const each of benches) each.remove();
          }
        }),
        { few: format === "yaml" ? 20 : 3, deep: format === "yaml" ? 5_000 : 500 },
      );
    },
  );
});
