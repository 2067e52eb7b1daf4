import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type RouteDescriptor, routes } from "../../../src/api/routes.ts";
import { createService, type Service } from "../../../src/service/index.ts";
import { sampleOf, timesOf } from "../../support/deep.ts";
import { makeFullShop } from "../support/full-shop.ts";

import { flat, makeRig, makeShop, rigOf, start } from "../support/rig.ts";

type Json = ReturnType<typeof JSON.parse>;
type Path = readonly (string | number)[];

const folder = mkdtempSync(join(tmpdir(), "loadform-damaged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every place of a document; of a list of numbers, such as the buckets of a histogram, the first. */
function placesIn(value: Json, at: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const isNumbers = Array.isArray(value) && value.every((each) => typeof each === "number");
  return [
    at,
    ...Object.entries(value)
      .slice(0, isNumbers ? 1 : undefined)
      .flatMap(([name, each]) => placesIn(each, [...at, name])),
  ];
}

function changed(document: Json, path: Path, change: (parent: Json, name: string | number) => void): Json {
  const copy = structuredClone(document);
  let parent = copy;
  for (const name of path.slice(0, -1)) parent = parent[name];
  change(parent, path.at(-1) ?? "");
  return copy;
}

const removed = (parent: Json, name: string | number) => {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
};
const puts = [null, "x", -1].map((value) => (parent: Json, name: string | number) => {
  parent[name] = value;
});

/** Reads without parameters but ids, and a few writes that lean on what is stored. */
const reads = Object.entries<RouteDescriptor>(routes)
  .filter(([key]) => key.startsWith("GET ") && !key.includes("_loadform"))
  .map(([key]) => ["GET", key.slice(4).replace(/:\w+/g, "1")] as const);
const others = [
  ["GET", "/test-cases?down=true&deep=true&up=true"],
  ["POST", "/test-confs/1/executions"],
  ["POST", "/test-cases/1/copy?name=copy"],
  ["PUT", "/test-confs/1"],
  ["PUT", "/scripts/1"],
  ["DELETE", "/test-cases/1"],
] as const;

/** One value after the other taken out, or of another type. */
function damages(whole: Json) {
  const places = placesIn(whole).filter((path) => path.length > 0);
  const all = places.flatMap((path) => [removed, ...puts].map((change) => ({ path, change })));
  return sampleOf(all).map(({ path, change }) => ({ path: path.join("."), damaged: changed(whole, path, change) }));
}

/** Calls that are answered as defects. What else a damaged state is answered as is not compared with what is published. */
async function breaksOf(service: Service, taken: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [method, path] of sampleOf([...reads, ...others], taken)) {
    const body = method === "PUT" ? {} : undefined;
    const { status, json } = await service.handle({ method, path, headers: { "x-api-key": "local" }, body });
    if (status >= 500) found.push(`${method} ${path} is ${status} ${JSON.stringify(json)}`);
  }
  return found;
}

describe("a damaged state", () => {
  it("is refused as a whole, with the place; what is taken breaks nothing", async () => {
    const full = await makeFullShop();
    const whole: Json = JSON.parse(JSON.stringify(full.service.snapshot()));
    expect(Object.keys(whole.tables)).toHaveLength(18);
    const service = createService({ clock: { mode: "frozen", now: start } });
    const rig = await rigOf(service);
    const found: string[] = [];
    let refused = 0;
    let taken = 0;
    for (const { path, damaged } of damages(whole)) {
      const { status } = await rig.call("PUT", "/_loadform/state", damaged);
      if (status === 400) refused++;
      else {
        taken++;
        found.push(...(await breaksOf(service, taken)).map((each) => `${status} ${path}: ${each}`));
      }
    }
    expect(found.slice(0, 20)).toEqual([]);
    expect(refused).toBeGreaterThan(timesOf({ few: 800 }));
    expect(taken).toBeGreaterThan(timesOf({ few: 200 }));
  });

  it.each<readonly [string, (tables: Json) => void, string]>([
    [
      "a table that is no list",
      (tables) => (tables.configuration = null),
      "tables.configuration: found null; expected a list",
    ],
    [
      "a list that is null",
      (tables) => (tables.configuration[0].providers = null),
      "tables.configuration[0].providers: found null; expected a list",
    ],
    [
      "a field that is gone",
      (tables) => delete tables.scenario[0].main,
      "tables.scenario[0].main: found none; expected text",
    ],
    [
      "a deep value of another type",
      (tables) => (tables.configuration[0].providers[0].params.regions = 1),
      "tables.configuration[0].providers[0].params.regions: found 1; expected text",
    ],
    [
      "an id that is there twice",
      (tables) => tables.region.push(tables.region[0]),
      "tables.region[7].id: found 1; expected an id that no other of the table has",
    ],
    [
      "an object without its parent",
      (tables) => (tables.configuration[0].testCaseId = 7),
      "tables.configuration[0].testCaseId: found 7; expected the id of an entry of tables.testCase",
    ],
    [
      "users without the access that others speak of",
      (tables) => delete tables.user,
      "tables.grant[0].userId: found 1; expected the id of an entry of tables.user",
    ],
  ])("names %s", async (_, damage, place) => {
    const rig = await makeShop();
    const before = JSON.stringify(rig.service.snapshot());
    const snapshot = JSON.parse(before);
    damage(snapshot.tables);
    const answer = await rig.call("PUT", "/_loadform/state", snapshot);
    expect([answer.status, answer.body.message]).toEqual([400, `the snapshot is damaged at ${place}`]);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
  });

  it("without an organization is refused: nobody could enter it", async () => {
    const rig = await makeRig();
    const { format, next, salt } = rig.service.snapshot();
    const answer = await rig.call("PUT", "/_loadform/state", { format, next: { ...next }, salt, tables: {} });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("tables.organization") } });
    expect((await rig.call("GET", "/test-cases")).status).toBe(200);
  });

  it("in a data file is refused when it is opened, and left alone", async () => {
    const data = join(folder, "d.json");
    await (await makeShop({ data })).close();
    const text = readFileSync(data, "utf8").replace('"providers":[', '"providers":null,"other":[');
    writeFileSync(data, text);
    expect(() => createService({ data })).toThrow(/tables\.configuration\[0\]\.providers: found null/);
    expect(readFileSync(data, "utf8")).toBe(text);
    expect(() => createService({ state: text })).toThrow(/found null/);
  });

  it("with ids beyond its counters loses no object to a new one", async () => {
    const rig = await makeShop();
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    delete snapshot.next.configuration;
    await rig.service.restore(snapshot);
    expect(await rig.ok("POST", "/test-cases/1/confs", { ...flat, name: "Two" })).toMatchObject({ id: 2 });
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ name: "Smoke" });
  });

  it("of a schedule that repeats in millions of years is read as one that does not run", async () => {
    const rig = await makeShop();
    const month = { scheduleType: "Recurring", recurringInterval: "Month", month: Number.MAX_SAFE_INTEGER };
    const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 1 };
    await rig.ok("PUT", "/test-confs/1", { schedules: [month, daily] });
    const runs = async () => (await rig.ok("GET", "/test-confs/1/executions?limit=-1")).length;
    const before = await runs();
    await rig.ok("POST", "/_loadform/clock/advance", { ms: 40 * 24 * 3_600_000 });
    expect((await rig.ok("GET", "/test-confs/1")).schedules[0]).toMatchObject({ nextScheduled: null });
    // It runs once, at the first of the month, and the other each day.
    expect((await runs()) - before).toBe(1 + 40);
  });
});
