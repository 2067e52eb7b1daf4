import { expect, test } from "vitest";
import { unwritableObjects } from "../../src/import/prove-import.ts";
import { kinds } from "../../src/kinds/index.ts";
import { type WrittenObject, writtenPlain } from "../../src/model/written.ts";

const object = (
  address: string,
  members: readonly string[],
  children: readonly WrittenObject[] = [],
): WrittenObject => ({
  kind: address.slice(address.lastIndexOf("/") + 1).split(".")[0] ?? "",
  key: address.slice(address.lastIndexOf(".") + 1),
  address,
  members: members.map((name) => ({ name, value: writtenPlain("x") })),
  notes: [],
  children,
});

test("of objects that make a file unreadable, those are found that do so alone, and nothing above or beside them", () => {
  const bad = object("testCase.a/scenario.bad", ["description", "__proto__"]);
  const good = object("testCase.a/scenario.good", ["description"]);
  const above = object("testCase.a", ["description"], [good, bad]);
  const broken = object("testCase.b", ["", "name"], [object("testCase.b/scenario.c", [])]);
  const found = unwritableObjects([above, broken, object("testCase.c", ["name"])], kinds);
  expect(found.map((each) => each.object.address)).toEqual(["testCase.a/scenario.bad", "testCase.b"]);
  expect(found[0]?.why).toContain("not usable as a key");
  expect(unwritableObjects([good], kinds)).toEqual([]);
});
