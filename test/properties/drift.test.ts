import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectKeyOrder } from "../../src/authoring/project-key-order.ts";
import { type Drift, findDrift } from "../../src/drift/find-drift.ts";
import type { ImportOutcome } from "../../src/import/import-files.ts";
import { kinds } from "../../src/kinds/index.ts";
import { isContentMark } from "../../src/model/fingerprint.ts";
import { type Json, sameJson } from "../../src/model/json.ts";
import { kindsByName } from "../../src/model/kind.ts";
import { liveHandle, type TreeNode } from "../../src/model/tree.ts";
import { inactiveFields } from "../../src/model/variant.ts";
import { acceptFrom } from "../../src/project/drift-project.ts";
import type { PlanOutcome } from "../../src/project/plan-opened.ts";
import { formatYaml } from "../../src/yaml/format-yaml.ts";
import { check } from "../support/deep.ts";
import { driftActs, editOutside } from "../support/drift-edits.ts";
import { type ImportBench, importBench } from "../support/import-bench.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { withComments } from "../support/with-comments.ts";

type Planned = NonNullable<PlanOutcome["made"]>;

const errorsOf = ({ diagnostics }: PlanOutcome) => diagnostics.filter(({ severity }) => severity === "error");

/** What differs between two reads of the service, in what a project declares: `address field`, or the address of what is gone. */
function movedBetween(before: Planned, after: Planned): readonly string[] {
  return [...before.project.tree.nodes.values()]
    .filter(({ handle, kind }) => before.state.resources[handle] !== undefined && kind !== "tag")
    .flatMap((wish) => movedOf(wish, before, after))
    .sort();
}

function movedOf({ handle, kind, fields: wished }: TreeNode, before: Planned, after: Planned): readonly string[] {
  const { fields = {}, variants } = kindsByName(kinds).get(kind) ?? {};
  const live = liveHandle(kind, before.state.resources[handle]?.id ?? 0);
  const [old, now] = [before.live.nodes.get(live), after.live.nodes.get(live)];
  if (now === undefined || (now.facts?.["active"] === false && kind === "region")) return [handle];
  // Where the project does not say which variant it is, the service does.
  const foreign = inactiveFields(variants, { ...now.fields, ...wished });
  return Object.keys(wished)
    .filter((name) => !foreign.has(name))
    .filter(
      (name) => !isSameValue(old?.fields[name] ?? fields[name]?.default, now.fields[name] ?? fields[name]?.default),
    )
    .map((name) => `${handle} ${name}`);
}

/** Texts count by their hash. */
function isSameValue(left: Json | undefined, right: Json | undefined): boolean {
  return isContentMark(left) && isContentMark(right) ? left.$content === right.$content : sameJson(left, right);
}

const listed = ({ drifted }: Drift) =>
  drifted
    .flatMap(({ address, action, fields }) =>
      action === "delete" ? [address] : fields.map(({ field }) => `${address} ${field}`),
    )
    .sort();

/** What an acceptance leaves over: what the state is to forget, and secrets that nobody could read. */
const isLeft = ({ action, fields }: Planned["plan"]["changes"][number]) =>
  action !== "forget" && (action !== "update" || fields.some(({ sensitive }) => !sensitive));

interface Style {
  readonly comments: boolean;
  readonly crlf: boolean;
}

/** The imported files as a person might have them. */
function restyle({ root, files }: ImportBench, { comments, crlf }: Style): void {
  for (const [path, latin1] of Object.entries(files())) {
    if (!path.endsWith(".yaml")) continue;
    const text = Buffer.from(latin1, "latin1").toString("utf8");
    const commented = comments ? withComments(text) : text;
    writeFileSync(join(root, path), crlf ? commented.replaceAll("\n", "\r\n") : commented);
  }
}

const yamlOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).filter(([path]) => path.endsWith(".yaml"));

function expectTidy(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>, style: Style) {
  const order = projectKeyOrder(kinds);
  for (const [path, text] of yamlOf(after)) {
    if (style.crlf) expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    const formatted = formatYaml(text, order);
    if (formatted !== undefined) expect(formatYaml(formatted, order)).toBe(formatted);
    if (text === before[path]) continue;
    const old = new Set((before[path] ?? "").split("\n"));
    expect(
      text.split("\n").filter((line) => line.includes("# kept ") && !old.has(line) && !line.includes(": ")),
    ).toEqual([]);
  }
}

const valuesFor = ({ environment }: ImportOutcome) =>
  Object.fromEntries(environment.map(({ name }) => [name, `a value of ${name}`]));

/** A project imported into a folder, and what somebody then did to the service. */
interface Drifted {
  readonly rig: Rig;
  readonly bench: ImportBench;
  readonly env: Readonly<Record<string, string>>;
  readonly made: Planned;
}

type Edit = readonly [act: (typeof driftActs)[number], at: number, number: number];

/** Edits the service outside, and compares what drift lists with what was edited. */
async function driftBy(
  edits: readonly Edit[],
  { rig, bench, env }: Omit<Drifted, "made">,
): Promise<{ readonly drift: Drift; readonly made: Planned }> {
  const first = await bench.plan(env);
  expect(errorsOf(first)).toEqual([]);
  for (const [act, at, number] of edits) await editOutside(rig, act, at, number);
  const { made } = await bench.plan(env);
  if (made === undefined || first.made === undefined) throw new Error("there is no plan");
  const drift = findDrift(made.plan);
  expect(listed(drift)).toEqual(movedBetween(first.made, made));
  return { drift, made };
}

/** Accepts everything; answers whether that could be done. */
async function acceptAll(drift: Drift, { rig, bench, env, made }: Drifted): Promise<boolean> {
  const before = bench.files();
  const ended = await acceptFrom(
    { drift, made: { ...made, project: { ...made.project, root: bench.root } } },
    { accept: ["**"], vars: {} },
    { ...rig.system, env: { ...env, LOADFORM_URL: "memory:service.json" }, cwd: bench.root },
  );
  if ("problems" in ended) {
    expect(bench.files()).toEqual(before);
    console.log(ended.problems.map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`).join("\n"));
    return false;
  }
  expect(listed(ended.drift)).toEqual([]);
  const again = await bench.plan(env);
  expect(errorsOf(again)).toEqual([]);
  expect(again.plan?.changes.filter(isLeft)).toEqual([]);
  return true;
}

const edit = fc.tuple(fc.constantFrom(...driftActs), fc.nat(40), fc.integer({ min: 2, max: 9 }));

describe("drift of a random project", () => {
  test("lists exactly what was edited outside; accepting all of it leaves an empty plan", async () => {
    const count = { accepted: 0, refused: 0 };
    await check(
      "drift",
      fc.asyncProperty(
        randomProject,
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.record({ comments: fc.boolean(), crlf: fc.boolean() }),
        async (wishes, edits, style) => {
          const rig = makeRig();
          await rig.apply(toTree(wishes));
          const bench = importBench(rig);
          try {
            const imported = await bench.import();
            if (imported.status === "nothing") return;
            const place = { rig, bench, env: valuesFor(imported) };
            restyle(bench, style);
            const before = bench.files();
            const { drift, made } = await driftBy(edits, place);
            if (drift.drifted.length === 0) return;
            const isAccepted = await acceptAll(drift, { ...place, made });
            count[isAccepted ? "accepted" : "refused"]++;
            expectTidy(before, bench.files(), style);
          } finally {
            bench.remove();
          }
        },
      ),
      { few: 10, deep: 2_000 },
    );
    console.log(`accepted ${count.accepted}, refused ${count.refused}`);
    expect(count.refused).toBeLessThan(Math.max(1, count.accepted));
  });
});
