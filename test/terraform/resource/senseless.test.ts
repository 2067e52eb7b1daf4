import { beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { createService, type Snapshot } from "../../../src/service/index.ts";
import { sampleOf } from "../../support/deep.ts";
import { hostileService, met } from "../../support/hostile/hostile-service.ts";
import { allSenseless, type Senseless } from "../../support/hostile/senseless.ts";
import { madeSince } from "../../support/terraform/made-objects.ts";
import { type Config, type Kept, Refused, SessionCore, start } from "../../support/terraform/session-core.ts";
import { lives } from "../../support/terraform/ten-lives.ts";

type States = ReadonlyMap<string, Kept>;

/** One write of one resource, with all that it stands on. */
interface Step {
  readonly address: string;
  readonly is: "create" | "update";
  readonly config: Config;
  readonly prior?: Kept;
  readonly snapshot: Snapshot;
  /** The requests that carry it out, as patterns. */
  readonly writes: readonly string[];
}

const service = createService({ clock: { mode: "frozen", now: start } });
const hostile = hostileService(service, async () => undefined);
const made = madeSince(service);
let core: SessionCore;
let steps: readonly Step[];

const typeOf = (address: string) => address.split(".")[0] ?? "";

/** Members with what their expressions lead to. */
function configOf(members: JsonObject, states: States): Config {
  const resolved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
    if (typeof value !== "string") return value;
    const [, address = "", attribute = ""] = /^\$\{(\w+\.\w+)\.(\w+)\}$/.exec(value) ?? [];
    return address === "" ? value.replaceAll("$${", () => "${") : (states.get(address)?.value[attribute] as Json);
  };
  return resolved(members) as Config;
}

async function requestsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const before = service.requests.length;
  await run();
  const sent = service.requests.slice(before).filter(({ method }) => method !== "GET" && method !== "DELETE");
  return [...new Set(sent.map(({ method, path }) => `^${method} ${path}$`))];
}

/** Makes one of each kind, then changes each; before each write everything is as it was noted. */
async function noteSteps(): Promise<readonly Step[]> {
  const states = new Map<string, Kept>();
  const noted: Step[] = [];
  for (const [address, { declared }] of Object.entries(lives)) {
    const [config, snapshot] = [configOf(declared, states), service.snapshot()];
    const writes = await requestsOf(async () => states.set(address, await core.create(typeOf(address), config)));
    noted.push({ address, is: "create", config, snapshot, writes });
  }
  const snapshot = service.snapshot();
  for (const [address, { declared, update, rename }] of Object.entries(lives)) {
    const prior = states.get(address);
    if (prior === undefined || (update ?? rename) === undefined) continue;
    const config = configOf({ ...declared, ...update, ...rename }, states);
    const writes = await requestsOf(() => core.update(prior, config));
    noted.push({ address, is: "update", config, prior, snapshot, writes });
    await service.restore(snapshot);
  }
  return noted;
}

/** What Terraform saves of an apply; after an error it is to be replaced if it was new. */
async function applied(step: Step): Promise<{ readonly left: Kept | undefined; readonly isTainted: boolean }> {
  try {
    const plan = await core.plan(typeOf(step.address), step.config, step.prior);
    return { left: await core.apply(plan), isTainted: false };
  } catch (thrown) {
    if (!(thrown instanceof Refused) || /^Provider produced/.test(thrown.message)) throw thrown;
    return { left: thrown.left, isTainted: step.is === "create" };
  }
}

/** The next apply. */
async function appliedAgain(step: Step, { left, isTainted }: Awaited<ReturnType<typeof applied>>): Promise<Kept> {
  await core.walk();
  if (isTainted && left) await core.destroy(left);
  const found = left && !isTainted ? await core.refresh(left) : undefined;
  const plan = await core.plan(typeOf(step.address), step.config, found);
  return found !== undefined && SessionCore.isEmpty(plan) ? found : core.apply(plan);
}

/** Gives one write of a step such an answer, then applies again. */
async function survives(step: Step, on: string, which: Senseless): Promise<void> {
  await service.restore(step.snapshot);
  const before = new Set(made());
  await core.walk();
  hostile.arm([{ is: "senseless", which, at: 0, times: 1, on }]);
  const count = met.get(`senseless ${which}`) ?? 0;
  const first = await applied(step);
  await hostile.disarm();
  expect(met.get(`senseless ${which}`)).toBe(count + 1);
  const kept = await appliedAgain(step, first);
  await core.walk();
  expect(SessionCore.isEmpty(await core.plan(kept.type, step.config, kept))).toBe(true);
  const fresh = made().filter((each) => !before.has(each) && !each.startsWith("tag#"));
  const isNew = step.is === "create" && step.writes.length > 0;
  expect(fresh.map((each) => each.split("#")[1])).toEqual(isNew ? [kept.value["id"]] : []);
}

describe("a senseless answer to any write of any resource", () => {
  beforeAll(async () => {
    core = await SessionCore.open({ service: hostile.service });
    steps = await noteSteps();
  });

  it("is tried for each create and each update", () => {
    const tried = (which: Step["is"]) => steps.filter(({ is, writes }) => is === which && writes.length > 0).length;
    expect([tried("create"), tried("update")]).toEqual([13, 9]);
  });

  it.each(sampleOf(allSenseless))(
    "%s: the next apply ends with an empty plan, one object and no orphan",
    async (which) => {
      const failed: string[] = [];
      for (const step of steps)
        for (const on of step.writes)
          await survives(step, on, which).catch((problem: unknown) => {
            failed.push(`${step.is} ${step.address}, ${on}: ${problem instanceof Error ? problem.message : problem}`);
          });
      expect(failed).toEqual([]);
    },
  );
});
