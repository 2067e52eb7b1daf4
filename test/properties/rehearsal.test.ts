import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { serviceTransport } from "../../src/project/open-client.ts";
import type { PlanOutcome } from "../../src/project/plan-opened.ts";
import { type ChoosePart, touchedPart } from "../../src/rehearse/loaded-part.ts";
import { type Fork, rehearsePlan } from "../../src/rehearse/rehearse-plan.ts";
import { createService, type Service, type Snapshot } from "../../src/service/index.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { crashDisk } from "../support/crash-files.ts";
import { check } from "../support/deep.ts";
import { planInputOf } from "../support/plan-input-of.ts";
import { randomProject, toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

describe("a rehearsal, on random plans over random live trees", () => {
  test("refuses exactly what the service refuses, lets through what leaves nothing to plan, and ends in a part as in the whole", async () => {
    const seen = { rehearsed: 0, refused: 0, smaller: 0 };
    const runs = await check(
      "rehearsal",
      fc.asyncProperty(
        fc.tuple(randomProject, randomProject, randomProject),
        fc.nat(),
        async ([first, second, theirs], salt) => {
          const rig = makeRig();
          await rig.apply(toTree(crossed(first, salt)));
          await rig.restart(crashDisk(() => undefined).files).apply(toTree(theirs.map(asTheirs)));
          await useOutside(rig, salt);
          const desired = toTree(crossed(second, salt + 1));
          const planned = await rig.plan(desired, { rehearsal: true });
          const found = planned.diagnostics.filter(({ code }) => /^LF30(19|20|21)$/.test(code));
          const isRehearsable =
            (planned.plan?.operations.length ?? 0) > 0 &&
            planned.blocked.length === 0 &&
            planned.diagnostics.every(({ severity, code }) => severity !== "error" || code === "LF3019");
          expect(planned.rehearsed ?? false).toBe(isRehearsable);
          expect(found.filter(({ code }) => code !== "LF3019")).toEqual([]);
          if (!isRehearsable) return;
          seen.rehearsed += 1;
          const whole = await carriedOut(planned, (_, { live }) => live);
          const part = await carriedOut(planned, touchedPart);
          if (part.loaded < whole.loaded) seen.smaller += 1;
          expect(part.diagnostics).toEqual(whole.diagnostics);
          expect(part.answers).toEqual(whole.answers);
          expect(onTopOf(whole.before, part)).toEqual(whole.after);
          const { diagnostics } = await rig.apply(desired);
          const wrong = diagnostics.filter(({ severity }) => severity === "error");
          if (wrong.length > 0) seen.refused += 1;
          expect(found.map(({ address }) => address).sort()).toEqual(wrong.map(({ address }) => address).sort());
        },
      ),
      { few: 60, deep: 5_000 },
    );
    console.log(JSON.stringify(seen));
    expect(seen.rehearsed).toBeGreaterThan(runs / 2);
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.smaller).toBeGreaterThan(runs / 4);
  });
});

/** The project with some configurations that run scenarios of other test cases, or in regions of its own. */
function crossed(wishes: readonly Wish[], salt: number): readonly Wish[] {
  const scenarios = wishes.flatMap(({ kind, key, below }) =>
    below.flatMap((each) => (each.kind === "scenario" ? [`${kind}.${key}/scenario.${each.key}`] : [])),
  );
  const regions = wishes.filter(({ kind }) => kind === "region");
  let turn = salt;
  const cross = (wish: Wish): Wish => {
    if (wish.kind !== "configuration") return { ...wish, below: wish.below.map(cross) };
    turn += 1;
    const scenario = turn % 3 === 0 ? scenarios[turn % scenarios.length] : undefined;
    const region = turn % 4 === 0 ? regions[turn % regions.length] : undefined;
    const { name = "", provider = null } = region?.fields ?? {};
    const providers = region && [{ provider, regions: [name] }];
    return {
      ...wish,
      fields: { ...wish.fields, ...(scenario && { scenario: { ref: scenario } }), ...(providers && { providers }) },
      // As the files' loader says of an object that is referred to by its name.
      ...(region && { dependsOn: [...(wish.dependsOn ?? []), `region.${region.key}`] }),
    };
  };
  return wishes.map(cross);
}

/** The same in another project of the organization: but for tags, which are shared, names at the top are other ones. */
function asTheirs(wish: Wish): Wish {
  if (wish.kind === "tag") return wish;
  return { ...wish, fields: { ...wish.fields, name: `Their ${String(wish.fields["name"])}` } };
}

/** The rows of a service by table and id. */
type Rows = ReadonlyMap<string, unknown>;

/** A plan carried out on a fork with this part of the live tree: the answers to its writes, and what the fork had before and after. */
async function carriedOut(planned: PlanOutcome, part: ChoosePart) {
  const answers: unknown[] = [];
  let service: Service | undefined;
  let before: Rows = new Map();
  const fork: Fork = async (tables, { now, firstId }) => {
    const counters = [...Object.keys(tables), "providerConfiguration", "trigger", "condition", "action", "gatewayKey"];
    const next = Object.fromEntries(counters.map((name) => [name, firstId]));
    const state: Snapshot = { format: "loadform-service/1", next, salt: "s", tables };
    const opened = createService({ clock: { mode: "frozen", now }, state });
    service = opened;
    before = rowsOf(opened);
    const { apiKey, advanceRun } = opened;
    const transport = serviceTransport({
      ...{ apiKey, advanceRun },
      async handle(request) {
        const answer = await opened.handle(request);
        if (request.method !== "GET") answers.push([request.method, request.path, answer.status, answer.json]);
        return answer;
      },
    });
    return { api: createClient({ url: "http://fork", apiKey, transport }), takeRefusal: () => undefined };
  };
  const { plan, contents } = planned;
  if (plan === undefined) throw new Error("there is no plan");
  const rehearsing = { input: planInputOf(planned), fork, contents, hash: sha256, isLive: false, part };
  const diagnostics = await rehearsePlan(plan, rehearsing);
  return { diagnostics, answers, before, after: service ? rowsOf(service) : before, loaded: before.size };
}

function rowsOf(service: Service): Rows {
  return new Map(
    Object.entries(service.snapshot().tables).flatMap(([table, rows]) =>
      rows.map((row) => [`${table} ${String(Reflect.get(Object(row), "id"))}`, row] as const),
    ),
  );
}

/** The whole with what a part of it has become. */
function onTopOf(whole: Rows, { before, after }: { readonly before: Rows; readonly after: Rows }): Rows {
  return new Map([...[...whole].filter(([key]) => !before.has(key)), ...after]);
}

/** Somebody runs one of the scenarios, of whichever test case, with a configuration of their own. */
async function useOutside(rig: ReturnType<typeof makeRig>, salt: number): Promise<void> {
  const cases = await rig.outside.call("GET /test-cases", { query: { down: true } });
  const scenarios = cases.flatMap(({ scenarios: list = [] }) => list);
  const scenario = scenarios[salt % Math.max(1, scenarios.length)];
  if (!scenario || salt % 2 === 0) return;
  const theirs = await rig.outside.call("POST /test-cases", { body: { name: "Theirs", org: 1 } });
  await rig.outside.call("POST /test-cases/:testCaseId/confs", {
    params: { testCaseId: theirs.id },
    body: {
      name: "Theirs",
      scriptId: scenario.id,
      concurrentClients: 1,
      durationSecs: 60,
      providers: [{ providerId: 0, params: { regions: "cloud-us-east-1" } }],
    },
  });
}
