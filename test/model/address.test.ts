import { describe, expect, test } from "vitest";
import {
  addressesAbove,
  addressMatcher,
  anyMatcher,
  childAddress,
  isWithin,
  lastStep,
  parentAddress,
  parseAddress,
} from "../../src/model/address.ts";

describe("an address", () => {
  test("lies in those of its steps from the left, the nearest first", () => {
    expect(addressesAbove("testCase.a/scenario.b/dataStore.c")).toEqual(["testCase.a/scenario.b", "testCase.a"]);
    expect(addressesAbove("testCase.a")).toEqual([]);
  });

  test("is made of the parent's and its own step", () => {
    expect(childAddress(undefined, "testCase", "checkout")).toBe("testCase.checkout");
    expect(childAddress("testCase.checkout", "scenario", "a.b")).toBe("testCase.checkout/scenario.a.b");
  });

  test.each([
    ["testCase.checkout", [{ kind: "testCase", key: "checkout" }]],
    [
      "scenario.a/dataStore.users.csv",
      [
        { kind: "scenario", key: "a" },
        { kind: "dataStore", key: "users.csv" },
      ],
    ],
    ["checkout", undefined],
    ["testCase.", undefined],
    [".checkout", undefined],
    ["testCase.-x", undefined],
    ["", undefined],
    ["testCase.a/", undefined],
    ["/testCase.a", undefined],
    ["checkout/scenario.a", undefined],
    ["testCase.a//scenario.b", undefined],
  ])("%j parses to %j", (text, steps) => {
    expect(parseAddress(text)).toEqual(steps);
  });

  test("knows its parent, its last step and what lies within it", () => {
    expect(parentAddress("testCase.a/scenario.b")).toBe("testCase.a");
    expect(parentAddress("testCase.a")).toBeUndefined();
    expect(lastStep("scenario.a/dataStore.users.csv")).toEqual({ kind: "dataStore", key: "users.csv" });
    expect(isWithin("testCase.a/scenario.b", "testCase.a")).toBe(true);
    expect(isWithin("testCase.ab", "testCase.a")).toBe(false);
  });

  test.each([
    ["testCase.a", "testCase.a", true],
    ["testCase.a", "testCase.a/scenario.b", false],
    ["testCase.a/**", "testCase.a", true],
    ["testCase.a/**", "testCase.a/scenario.b/dataStore.c", true],
    ["testCase.a/**", "testCase.ab", false],
    ["*/configuration.*", "testCase.a/configuration.smoke", true],
    ["*/configuration.*", "testCase.a/configuration.smoke/schedule.x", false],
    ["**/schedule.*", "testCase.a/configuration.smoke/schedule.x", true],
    ["testCase.?", "testCase.ab", false],
    ["testCase.a.b", "testCase.axb", false],
    ["testCase.(a|b)", "testCase.a", false],
  ])("glob %s against %s: %s", (glob, address, expected) => {
    expect(addressMatcher(glob)(address)).toBe(expected);
  });

  test("no globs match nothing, several match what any does", () => {
    expect(anyMatcher([])("tag.a")).toBe(false);
    expect(anyMatcher(["tag.a", "tag.b"])("tag.b")).toBe(true);
  });
});
