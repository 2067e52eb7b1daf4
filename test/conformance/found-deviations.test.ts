import { describe, expect, test } from "vitest";
import { compareService } from "../../src/project/conformance/compare-service.ts";
import { makeRig } from "../support/rig.ts";
import { shopAfter } from "./compared-shop.ts";
import { deviatingService } from "./deviating-service.ts";
import { shownDeviations } from "./deviations.ts";

const applied = makeRig();
const status = (await applied.apply(shopAfter)).status;
const holding = applied.service.snapshot();

describe("a service that deviates in one way", () => {
  test("has the objects of the shop", () => expect(status).toBe("applied"));

  test.each(shownDeviations)("$name: found, named and cited", async (deviation) => {
    const rig = makeRig();
    await rig.service.restore(holding);
    const { service } = deviatingService(rig.service, deviation);
    const { outside, system } = makeRig({ service });
    const { findings } = await compareService({ api: outside, target: { url: "memory:", organization: 1 } }, system);
    const [kind, at] = deviation.shows;
    expect(findings.map((each) => `${each.kind} ${each.at}`)).toContain(`${kind} ${at}`);
    expect(rig.service.snapshot()).toEqual(holding);
  });
});
