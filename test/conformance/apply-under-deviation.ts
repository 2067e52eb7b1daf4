import { expect } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { orExplained } from "../../src/project/explain-failure.ts";
import { createService } from "../../src/service/index.ts";
import { crashDisk } from "../support/crash-files.ts";
import { type Applied, makeRig, rigStart } from "../support/rig.ts";
import { shopAfter, shopBefore } from "./compared-shop.ts";
import { type Deviation, deviatingService } from "./deviating-service.ts";
import { storedIds, storedObjects } from "./stored-objects.ts";

const disk = crashDisk(() => undefined);
const first = makeRig({ files: disk.files });
await first.apply(shopBefore);
const holding = first.service.snapshot();
const before = storedObjects(first.service);
const idsBefore = storedIds(first.service);
const files = new Map(disk.contents);
await first.apply(shopAfter);
const right = storedObjects(first.service);
const idsRight = storedIds(first.service);

/** Objects that remain, by their place: a replacement would give them another id. */
const remaining = [...idsBefore].filter(([place, id]) => idsRight.get(place) === id);

/** A deviation, and what the service makes of a write under it. */
export interface AppliedDeviation extends Deviation {
  /** The object as this service has to store it. */
  readonly stores?: (object: string) => string;
  /** The apply says that the service stored something else than it was sent. */
  readonly isTold?: true;
}

/**
 * Plans and applies the shop's change while a service deviates. Nothing that is written is wrong: each object is as it was or as it has
 * to be, none is there twice, none is gone or replaced that remains. An apply that says that it is done has done it, or says what the
 * service stored otherwise. Once the service no longer deviates, the next apply ends it.
 */
export async function applyUnderDeviation(deviation: AppliedDeviation): Promise<void> {
  const inner = createService({ clock: { mode: "frozen", now: rigStart }, state: holding });
  const { service, end } = deviatingService(inner, deviation);
  const rig = makeRig({ service, files: crashDisk(() => undefined, files).files });
  const planned = await explained(async () => (await rig.plan(shopAfter)).diagnostics);
  expect(storedObjects(inner)).toEqual(before);
  const outcome = await explained<Pick<Applied, "status" | "diagnostics" | "events">>(
    () => rig.apply(shopAfter, { parallelism: 1 }),
    (diagnostics) => ({ status: "failed", diagnostics, events: [] }),
  );
  const found = storedObjects(inner);
  const said = JSON.stringify([planned, outcome.diagnostics, outcome.events]);
  expect(said).not.toMatch(/LF9\d{3}|TypeError|\bat [^"]*\.ts:\d+/);
  const meant = right.map(deviation.stores ?? ((object) => object)).sort();
  if (deviation.isTold) expect(said).toContain("LF6003");
  else if (outcome.status === "applied" || outcome.status === "nothing") expect(found).toEqual(meant);
  else expect(outcome.diagnostics.filter(isError)).not.toEqual([]);
  expect(found.filter((each) => !before.includes(each) && !meant.includes(each))).toEqual([]);
  expect(before.filter((each) => right.includes(each) && !found.includes(each))).toEqual([]);
  expect(found.filter((each, index) => found.indexOf(each) !== index)).toEqual([]);
  const ids = storedIds(inner);
  expect(remaining.filter(([place, id]) => ids.get(place) !== id)).toEqual([]);
  end();
  const ended = await rig.apply(shopAfter);
  expect(ended.diagnostics.filter(isError)).toEqual([]);
  if (deviation.stores === undefined) expect(storedObjects(inner)).toEqual(right);
}

const isError = ({ severity }: Diagnostic) => severity === "error";

function explained<T>(run: () => Promise<T>, explain = (diagnostics: readonly Diagnostic[]) => diagnostics as T) {
  return orExplained<T>(run, explain);
}
