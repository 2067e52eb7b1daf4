import { describe, expect, it } from "vitest";
import { misfit, plainGate, readAllowance } from "../../../src/model/gates/gate.ts";

describe("an allowance", () => {
  it.each([
    ["+10%", { sign: 1, amount: 10, unit: "%" }],
    ["-0.5pp", { sign: -1, amount: 0.5, unit: "pp" }],
    ["+20ms", { sign: 1, amount: 20, unit: "ms" }],
    [" -.5 s ", { sign: -1, amount: 0.5, unit: "s" }],
    ["5", { sign: 1, amount: 5 }],
    ["-5", { sign: -1, amount: 5 }],
    ["+0%", { sign: 1, amount: 0, unit: "%" }],
    ["+7 bytes", { sign: 1, amount: 7, unit: "bytes" }],
  ])("%j is read", (text, expected) => expect(readAllowance(text)).toEqual(expected));

  it.each(["", "10 percent", "++5", "5 MS", "+%", "1e3", "1,5", "true", "-", "10%", "0.5pp"])("%j is none", (text) =>
    expect(readAllowance(text)).toBeUndefined(),
  );

  it.each([
    ["+1ms", "ms", undefined],
    ["+1s", "ms", undefined],
    ["+1pp", "%", undefined],
    ["+1bytes", "bytes", undefined],
    ["+1%", null, undefined],
    ["+1", "%", undefined],
    ["+1ms", "%", "found the unit ms; expected pp for"],
    ["+1pp", "ms", "found the unit pp; expected ms or s for"],
    ["+1s", "bytes", "found the unit s; expected bytes for"],
    ["+1pp", null, "found the unit pp; expected none for"],
  ])("%s of a figure in %s: %s", (text, unit, expected) => {
    const allowance = readAllowance(text);
    const found = allowance && misfit(allowance, unit);
    expect(found).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });
});

it("a configuration without a gate has to measure one request", () => {
  expect(plainGate("a")).toMatchObject({ address: "a", kpis: [], minimumRequests: 1, baseline: { is: "previous" } });
});
