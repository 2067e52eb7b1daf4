import { describe, expect, it } from "vitest";
import { type RouteDescriptor, routes } from "../../../src/api/routes.ts";
import { createService } from "../../../src/service/index.ts";
import { sampleOf, timesOf } from "../../support/deep.ts";
import { makeFullShop } from "../support/full-shop.ts";
import { start } from "../support/rig.ts";
import { fileOf, makeCompletedRun, threeTests } from "../support/run-rig.ts";

type Json = ReturnType<typeof JSON.parse>;
type Path = readonly (string | number)[];

const numbers = [-1, 0.5, 8.7e15, Number.MAX_SAFE_INTEGER, 1e300, -1e300];
const times = ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"];

/** Every number and every time of a document; of a list of numbers the first. */
function placesIn(value: Json, at: Path = []): readonly Path[] {
  if (typeof value === "number") return [at];
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? [at] : [];
  if (typeof value !== "object" || value === null) return [];
  const isNumbers = Array.isArray(value) && value.every((each) => typeof each === "number");
  const entries = Object.entries(value).slice(0, isNumbers ? 1 : undefined);
  return entries.flatMap(([name, each]) => placesIn(each, [...at, name]));
}

function changed(document: Json, path: Path, value: unknown): Json {
  const copy = structuredClone(document);
  let parent = copy;
  for (const name of path.slice(0, -1)) parent = parent[name];
  parent[path.at(-1) ?? ""] = value;
  return copy;
}

const reads = Object.entries<RouteDescriptor>(routes)
  .filter(([key]) => key.startsWith("GET ") && !key.includes("_loadform"))
  .map(([key]) => key.slice(4).replace(/:\w+/g, "1"));

/** Senseless values of a state, each at one place: those that were taken and then broke a read. */
async function breaksOf(whole: Json, { every }: { readonly every: number }) {
  // What a damaged state answers need not be as published: it must only answer.
  const service = createService({ clock: { mode: "frozen", now: start } });
  const ask = (method: string, path: string, body?: Json) =>
    service.handle({ method, path, headers: { "x-api-key": "local" }, ...(body !== undefined && { body }) });
  const found: string[] = [];
  let refused = 0;
  const all = placesIn(whole.tables).flatMap((path) => {
    const place = ["tables", ...path];
    const former = path.reduce((value: Json, name) => value[name], whole.tables);
    return (typeof former === "string" ? times : numbers).map((value) => ({ place, value }));
  });
  for (const { place, value } of sampleOf(all.filter((_, index) => index % every === 0))) {
    const { status, json } = await ask("PUT", "/_loadform/state", changed(whole, place, value));
    if (status === 400) {
      refused += 1;
      expect((json as { message: string }).message).toMatch(/tables|next/);
      continue;
    }
    for (const path of reads) {
      const answer = await ask("GET", path);
      if (answer.status >= 500) found.push(`${place.join(".")} = ${value}: GET ${path}`);
    }
  }
  return { found, refused };
}

describe("a state with senseless numbers and times", () => {
  it("is refused with the place, or breaks nothing", async () => {
    const rig = await makeFullShop();
    const { found, refused } = await breaksOf(JSON.parse(JSON.stringify(rig.service.snapshot())), { every: 7 });
    expect(found).toEqual([]);
    expect(refused).toBeGreaterThan(timesOf({ few: 20 }));
  });

  it("is refused where it is of a completed run, its files and its results", async () => {
    const run = await makeCompletedRun({ tests: threeTests, files: [fileOf(1, "a.txt", "x")] });
    const { found, refused } = await breaksOf(JSON.parse(JSON.stringify(run.service.snapshot())), { every: 7 });
    expect(found).toEqual([]);
    expect(refused).toBeGreaterThan(timesOf({ few: 50 }));
  });

  it("is refused where a run lasted for thousands of years", async () => {
    const run = await makeCompletedRun();
    const snapshot = JSON.parse(JSON.stringify(run.service.snapshot()));
    const damaged = changed(snapshot, ["tables", "execution", 0, "finishedAt"], "9000-01-01T00:00:00.000Z");
    expect(await run.call("PUT", "/_loadform/state", damaged)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("tables.execution[0].finishedAt") },
    });
  });
});
