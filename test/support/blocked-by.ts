import { expect } from "vitest";
import type { toTree, Wish } from "./random-project.ts";
import { makeRig } from "./rig.ts";

/** A test case that is called as its key. */
export const testCase = (key: string, below: readonly Wish[] = []): Wish => ({
  kind: "testCase",
  key,
  fields: { name: key },
  below,
});
/** A scenario `s`. */
export const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] };
/** A gateway `g`. */
export const gateway: Wish = { kind: "gateway", key: "g", fields: { name: "g", url: "https://g.test" }, below: [] };
/** A configuration `c` that runs the scenario `s` of a test case. */
export const configuration = (of: string): Wish => ({
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: { ref: `testCase.${of}/scenario.s` },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs: 10,
    concurrentClients: 1,
  },
  below: [],
});
/** Two test cases, one of them with something of each kind. */
export const full = [testCase("a", [scenario, gateway, configuration("a")]), testCase("b")];

/** Nothing is allowed beforehand. */
export const guarded = { forceThreshold: false, allowDestroy: [] };

/** Applies one project, lets something happen, and plans and applies the next one under all guards. */
export async function blockedBy(of: {
  readonly before: ReturnType<typeof toTree>;
  readonly after: ReturnType<typeof toTree>;
  readonly happens?: (rig: ReturnType<typeof makeRig>) => Promise<unknown>;
  readonly asked?: Parameters<ReturnType<typeof makeRig>["apply"]>[1];
}) {
  const rig = makeRig();
  await rig.apply(of.before);
  await of.happens?.(rig);
  rig.takeWrites();
  const outcome = await rig.apply(of.after, { ...guarded, ...of.asked });
  const guards = (outcome.plan?.plan?.guards ?? []).map(({ guard }) => guard);
  if (guards.length > 0) expect([outcome.status, rig.takeWrites()]).toEqual(["blocked", 0]);
  return { guards, outcome, rig };
}
