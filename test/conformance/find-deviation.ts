import { expect } from "vitest";
import { compareService } from "../../src/project/conformance/compare-service.ts";
import { collectDecisionIds } from "../service/support/decisions-page.ts";
import { makeRig } from "../support/rig.ts";
import { shopAfter } from "./compared-shop.ts";
import { deviatingService } from "./deviating-service.ts";
import type { ShownDeviation } from "./deviations.ts";

const applied = makeRig();
const { status } = await applied.apply(shopAfter);
if (status !== "applied") throw new Error(`the shop is ${status}`);
const holding = applied.service.snapshot();
const decisions = new Set(collectDecisionIds());

/** Compares a deviating service that has the shop: the deviation is found, named and cited, and nothing is written. */
export async function findDeviation(deviation: ShownDeviation): Promise<void> {
  const inner = makeRig().service;
  await inner.restore(holding);
  const { service } = deviatingService(inner, deviation);
  const { outside, system } = makeRig({ service });
  const target = { url: "memory:", organization: 1 };
  const { findings } = await compareService({ api: outside, target }, system);
  const [kind, at] = deviation.shows;
  expect(findings.map((each) => `${each.kind} ${each.at}`)).toContain(`${kind} ${at}`);
  for (const { contradicts } of findings) {
    expect(contradicts.section).toMatch(/^API [12], /);
    if (contradicts.decision !== undefined) expect(decisions).toContain(contradicts.decision);
  }
  expect(JSON.stringify(findings)).not.toMatch(/shop\.test|hunter2|Buying|start\(\)|users\.csv|Rack 4/);
  expect(inner.snapshot()).toEqual(holding);
}
