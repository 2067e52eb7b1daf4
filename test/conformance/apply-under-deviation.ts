import { expect } from "vitest";
import { orExplained } from "../../src/apply/explain-failure.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { createService } from "../../src/service/index.ts";
import { crashDisk } from "../support/crash-files.ts";
import { makeRig, rigStart } from "../support/rig.ts";
import { shopAfter, shopBefore } from "./compared-shop.ts";
import type { Deviation } from "./deviating-service.ts";
import { deviatingService } from "./deviating-service.ts";
import { storedObjects } from "./stored-objects.ts";

const disk = crashDisk(() => undefined);
const first = makeRig({ files: disk.files });
await first.apply(shopBefore);
const holding = first.service.snapshot();
const before = storedObjects(first.service);
const files = new Map(disk.contents);
await first.apply(shopAfter);
const right = storedObjects(first.service);

/**
 * Plans and applies the shop's change while a service deviates. Nothing that is written is wrong: each object is as it was or as it has to
 * be, none is there twice, and none is gone that remains. An apply that says that it is done has done it. Once the service no
 * longer deviates, the next apply ends it.
 */
export async function applyUnderDeviation(deviation: Deviation): Promise<void> {
  const inner = createService({ clock: { mode: "frozen", now: rigStart }, state: holding });
  const { service, end } = deviatingService(inner, deviation);
  const rig = makeRig({ service, files: crashDisk(() => undefined, files).files });
  const refused = (diagnostics: readonly Diagnostic[]) => ({ status: "failed", diagnostics, events: [] });
  const planned = await orExplained(() => rig.plan(shopAfter), refused);
  expect(storedObjects(inner)).toEqual(before);
  const outcome = await orExplained(() => rig.apply(shopAfter, { parallelism: 1 }), refused);
  const found = storedObjects(inner);
  const errors = outcome.diagnostics.filter(({ severity }) => severity === "error");
  const told = [
    ...planned.diagnostics,
    ...outcome.diagnostics,
    ...outcome.events.map((event) => JSON.stringify(event)),
  ];
  expect(JSON.stringify(told)).not.toMatch(/LF9\d{3}|TypeError|\bat .*\.ts:\d+/);
  if (outcome.status === "applied" || outcome.status === "nothing") expect(found).toEqual(right);
  else expect([outcome.status, errors.length > 0]).toEqual([outcome.status, true]);
  expect(found.filter((each) => !before.includes(each) && !right.includes(each))).toEqual([]);
  expect(before.filter((each) => right.includes(each) && !found.includes(each))).toEqual([]);
  expect(found.filter((each, index) => found.indexOf(each) !== index)).toEqual([]);
  end();
  const ended = await rig.apply(shopAfter);
  expect(ended.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(storedObjects(inner)).toEqual(right);
}
