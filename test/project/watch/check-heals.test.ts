import { describe, expect, test } from "vitest";
import { loadFolder } from "../../../src/project/open-project.ts";
import { openState } from "../../../src/project/open-state.ts";
import type { Found } from "../../../src/watch/check-result.ts";
import {
  apply,
  check,
  clientsAt,
  folder,
  foundOf,
  outside,
  shop,
  short,
  system,
  useShop,
  write,
} from "./check-bench.ts";

useShop();

describe("healing", () => {
  test("writes the addresses that are answered and what they need, and tells how it is afterwards", async () => {
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    await write(shop({ description: "Paying" }));
    await outside("DELETE", "/_loadform/requests");
    const { result } = await check({ heal: "drift" }, (found) =>
      found.findings.filter(({ origin }) => origin === "drift").map(({ address }) => address),
    );
    expect(await outside("GET", "/_loadform/requests")).toHaveLength(result.requests ?? -1);
    expect(result).toMatchObject({
      heal: { status: "healed", written: ["testCase.checkout/configuration.smoke"], diagnostics: [] },
    });
    expect([short(foundOf(result)), await clientsAt()]).toEqual([[["testCase.checkout", "update git"]], 1]);
  });

  const unrecorded = (found: Found) => found.unrecorded;

  test("stores what git and the service agree in, so that later changes have their true origin", async () => {
    await write(shop({ protect: true, clients: 9 }));
    await outside("PUT", "/test-confs/1", { concurrentClients: 9 });
    expect((await check({}, () => [])).result).toMatchObject({ found: { findings: [] } });
    const { result, first } = await check({ heal: "drift" }, unrecorded);
    expect(first?.unrecorded).toContain("testCase.checkout/configuration.smoke");
    expect(result).toMatchObject({ heal: { status: "healed", written: [] }, found: { findings: [], unrecorded: [] } });
    await outside("PUT", "/test-confs/1", { concurrentClients: 50 });
    expect(short((await check({}, () => [])).first)).toEqual([["configuration.smoke", "update drift"]]);
    await write(shop({ gateways: ["a"], clients: 9 }));
    expect((await check({ heal: "all", prune: true })).first?.blocked.map(({ code }) => code)).toEqual(["LF4001"]);
  });

  test("does not store what would take along a change that is not to be healed", async () => {
    const schedules = { n: { scheduleType: "Recurring", recurringInterval: "Day", hour: 3 } };
    await write(shop({ schedules }));
    await apply();
    await write(shop({ clients: 4, schedules: { n: { ...schedules.n, protect: true } } }));
    const { result, first } = await check({ heal: "drift" }, unrecorded);
    expect([first?.unrecorded, "heal" in result, await clientsAt()]).toEqual([[], false, 1]);
  });

  test("completes an apply that was cut short: a schedule that it paused is resumed", async () => {
    const schedules = { often: { scheduleType: "Recurring", recurringInterval: "Minute", minute: 1 } };
    await write(shop({ schedules }));
    await apply();
    const edited = shop({ schedules, clients: 2 });
    edited.testCases.checkout.scenarios.browse.script = "const a = 2;";
    await write(edited);
    await outside("PUT", "/_loadform/faults", [
      { method: "PUT", path: "/test-schedules/:scheduleId", after: 1, status: 400 },
    ]);
    await expect(apply()).rejects.toThrow();
    await outside("PUT", "/_loadform/faults", []);
    const active = async () =>
      ((await outside("GET", "/test-confs/1")) as { schedules: { active: boolean }[] }).schedules;
    expect(await active()).toMatchObject([{ active: false }]);
    const { result } = await check({ heal: "drift" }, unrecorded);
    expect(result).toMatchObject({ heal: { status: "healed" }, found: { findings: [], unrecorded: [], warnings: [] } });
    expect(await active()).toMatchObject([{ active: true }]);
  });

  test("ends at a held lock", async () => {
    await write(shop({ clients: 2 }));
    const project = await loadFolder({ dir: folder, vars: {} }, system(), { unsetEnv: "error" });
    const session = await openState(project, system()).lock({ operation: "apply", timeoutMs: 0 });
    const { result } = await check({ heal: "all" });
    await session.release();
    expect(result).toMatchObject({ is: "checked", heal: { status: "locked", written: [] } });
    expect(await clientsAt()).toBe(1);
  });

  test("leaves a configuration with a run under way alone, with its scenario, and does the rest", async () => {
    await outside("POST", "/test-confs/1/executions", {});
    const edited = shop({ clients: 2, description: "Paying" });
    edited.testCases.checkout.scenarios.browse.script = "const a = 2;";
    await write(edited);
    const { result, first } = await check({ heal: "all" });
    expect(short(first)).toEqual([
      ["testCase.checkout", "update git"],
      ["configuration.smoke", "update git running"],
      ["scenario.browse", "update git running"],
    ]);
    expect(result).toMatchObject({ heal: { status: "healed", written: ["testCase.checkout"] } });
    expect(await clientsAt()).toBe(1);
  });

  test("is postponed when a run has begun since the comparison", async () => {
    await write(shop({ clients: 2 }));
    const { result } = await check({ heal: "all" }, async (found) => {
      await outside("POST", "/test-confs/1/executions", {});
      return found.findings.map(({ address }) => address);
    });
    expect([result.is, "heal" in result, await clientsAt()]).toEqual(["checked", false, 1]);
  });

  test("leaves alone what a schedule starts within five minutes", async () => {
    const soon = new Date(Date.now() + 240_000).toISOString();
    const late = new Date(Date.now() + 600_000).toISOString();
    await write(shop({ schedules: { once: { scheduleType: "Single", nextScheduled: late } } }));
    await apply();
    await write(shop({ clients: 2, schedules: { once: { scheduleType: "Single", nextScheduled: late } } }));
    expect(short((await check({ heal: "all" }, () => [])).first)).toEqual([["configuration.smoke", "update git"]]);
    await write(shop({ schedules: { once: { scheduleType: "Single", nextScheduled: soon } } }));
    await apply();
    await write(shop({ clients: 2, schedules: { once: { scheduleType: "Single", nextScheduled: soon } } }));
    const { result, first } = await check({ heal: "all" });
    expect(short(first)).toEqual([["configuration.smoke", "update git starting"]]);
    expect(["heal" in result, await clientsAt()]).toEqual([false, 1]);
  });

  test("deletes nothing without prune, whatever is answered", async () => {
    await write(shop({ gateways: ["a"] }));
    expect((await check({ heal: "all" })).result).not.toHaveProperty("heal");
    expect((await check({ heal: "all", prune: true })).result).toMatchObject({
      heal: { status: "healed" },
      found: { findings: [] },
    });
  });
});
