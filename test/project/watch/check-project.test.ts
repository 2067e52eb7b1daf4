import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkProject } from "../../../src/project/watch/check-project.ts";
import {
  apply,
  check,
  codesOf,
  folder,
  foundOf,
  outside,
  request,
  shop,
  short,
  system,
  url,
  useShop,
  write,
} from "./check-bench.ts";

useShop();

describe("what a check finds", () => {
  test("is nothing when declared and live are equal", async () => {
    const { result } = await check();
    expect(result).toMatchObject({ is: "checked", found: { findings: [], blocked: [], objects: 6, plan: "" } });
  });

  test("has the origin of each difference", async () => {
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    await outside("DELETE", "/gateways/1");
    await write(shop({ description: "Paying", gateways: ["a", "c"] }));
    const { first } = await check({ heal: "all" }, () => []);
    expect(new Map(short(first) as [string, string][])).toEqual(
      new Map([
        ["testCase.checkout", "update git"],
        ["gateway.a", "create drift"],
        ["gateway.b", "delete git ends"],
        ["gateway.c", "create git"],
        ["configuration.smoke", "update drift"],
      ]),
    );
    expect(first?.plan).toContain("concurrentClients");
    expect(first?.findings.find(({ address }) => address.endsWith("smoke"))?.driftedFields).toBe(1);
  });

  test("is git where a field was changed here and outside", async () => {
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    await write(shop({ clients: 3 }));
    const { first } = await check({}, () => []);
    expect(short(first)).toEqual([["configuration.smoke", "update git"]]);
  });

  test("is git where somebody created what `unmanaged: delete` deletes", async () => {
    const document = shop();
    const { checkout } = document.testCases;
    await write({ ...document, testCases: { checkout: { ...checkout, unmanaged: "delete" } } });
    await outside("POST", "/test-cases/1/gateways", { name: "theirs", url: "https://theirs.example.com" });
    const { first } = await check({ heal: "all", prune: true }, () => []);
    expect(first?.findings.map(({ action, origin, ends }) => [action, origin, ends])).toEqual([
      ["delete", "git", true],
    ]);
  });

  test("has the same digests as long as nothing changes, and others afterwards", async () => {
    await write(shop({ clients: 3 }));
    const [one, same] = [(await check({}, () => [])).first, (await check({}, () => [])).first];
    expect([same?.difference, same?.documents]).toEqual([one?.difference, one?.documents]);
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    const live = (await check({}, () => [])).first;
    expect([live?.difference === one?.difference, live?.documents === one?.documents]).toEqual([false, true]);
    await write(shop({ clients: 4 }));
    expect((await check({}, () => [])).first?.documents).not.toBe(one?.documents);
  });
});

describe("what is refused", () => {
  test("another service than the target, before any request", async () => {
    let calls = 0;
    const counted = { ...system(), watch: { trying: () => void calls++, ended: () => undefined } };
    const talk = { compared: async () => [], signal: new AbortController().signal, beforeWrites: () => undefined };
    const result = await checkProject(request({ target: "https://load.example.com/api" }), counted, talk);
    expect([result.is, codesOf(result), calls]).toEqual(["refused", ["LF8002"], 0]);
    const same = await checkProject(request({ target: `${url}/` }), counted, talk);
    expect([same.is, calls > 0]).toEqual(["checked", true]);
  });

  test("a state that would be lost with the checkout, and programs that are not allowed", async () => {
    expect(codesOf((await check({ isCheckout: true })).result)).toEqual(["LF8007"]);
    await writeFile(join(folder, "loadform.config.ts"), "throw new Error('it ran')");
    const { result } = await check({ allowPrograms: false });
    expect([codesOf(result), JSON.stringify(result).includes("it ran")]).toEqual([["LF8003"], false]);
  });

  test("by a guard: without prune those of deletes are not asked", async () => {
    await write(shop({ protect: true }));
    await apply(["nothing"]);
    await write(shop({ gateways: ["a"], protect: true, clients: 2 }));
    expect((await check({ heal: "all", prune: true })).first?.blocked.map(({ code }) => code)).toEqual(["LF4001"]);
    const { result, first } = await check({ heal: "all" });
    expect(first?.blocked).toEqual([]);
    expect(result).toMatchObject({ heal: { status: "healed", written: ["testCase.checkout/configuration.smoke"] } });
    expect(short(foundOf(result))).toEqual([["gateway.b", "delete git ends"]]);
  });

  test("by what needs a flag in apply: a collision is blocked, not failed", async () => {
    await outside("POST", "/test-cases", { name: "Other", org: 1 });
    await write({ ...shop(), testCases: { ...shop().testCases, other: { name: "Other" } } });
    const { result } = await check({ heal: "all" });
    expect(foundOf(result)?.blocked.map(({ code }) => code)).toEqual(["LF3001"]);
    expect(result).not.toHaveProperty("heal");
  });
});
