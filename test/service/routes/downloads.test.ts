import { describe, expect, it } from "vitest";
import type { Rig } from "../support/rig.ts";
import { failedTest, makeCompletedRun, type Row, threeTests as tests, textOf } from "../support/run-rig.ts";

/** The same run serves all tests that only read. */
const shared = makeCompletedRun({ tests, withTwoRequests: true });

const results =
  "timestamp,executionRegionId,regionName,agent,chunkId,globalClientIndex,iteration,connectionId,threadId,resource,url,count,bandwidth,bytesSent,bytesReceived,dnsLookupMs,connectionOpenMs,firstReceivedMs,connectionCloseMs,outcome,responseCode,httpContentType";
const suites =
  "suiteUuid,suiteName,uuid,name,state,started,finished,duration,errorType,error,errorTrace,threadId,iterationId";
const summaries = "suiteName,name,total,passed,failed,skipped,durationP50,durationP95,durationMax";
const errors = "suiteName,name,errorType,error,count";
const commands = "command,args,state,started,duration,browser,threadId,errorType,error";

const csvRoutes = [
  ["GET", "/executions/1/results.csv", results],
  ["GET", "/executions/1/resources/2/results.csv", results],
  ["GET", "/executions/1/suite-results.csv", suites],
  ["GET", "/executions/1/failed-suite-results.csv", suites],
  ["GET", "/executions/1/suite-summaries.csv", summaries],
  ["GET", "/executions/1/suite-errors.csv", errors],
  ["GET", "/executions/1/command-streams.csv", commands],
  ["GET", "/executions/1/failed-command-streams.csv", commands],
  ["GET", "/executions/1/command-stream-summaries.csv", commands],
  ["GET", "/executions/1/command-stream-errors.csv", commands],
  ["GET", "/executions/1/regions/2/results.csv", results],
  ["GET", "/executions/1/regions/2/resources/2/results.csv", results],
  ["GET", "/executions/1/regions/2/suite-results.csv", suites],
  ["GET", "/executions/1/regions/2/failed-suite-results.csv", suites],
  ["GET", "/executions/1/regions/2/suite-summaries.csv", summaries],
  ["GET", "/executions/1/regions/2/suite-errors.csv", errors],
  ["GET", "/executions/1/regions/2/command-streams.csv", commands],
  ["GET", "/executions/1/regions/2/failed-command-streams.csv", commands],
  ["GET", "/executions/1/regions/2/command-stream-summaries.csv", commands],
  ["GET", "/executions/1/regions/2/command-stream-errors.csv", commands],
] as const;

const jsonRoutes = [
  ["GET", "/executions/1/results", results],
  ["GET", "/executions/1/resources/2/results", results],
  ["GET", "/executions/1/suite-results", suites],
  ["GET", "/executions/1/failed-suite-results", suites],
  ["GET", "/executions/1/suite-summaries", summaries],
  ["GET", "/executions/1/suite-errors", errors],
  ["GET", "/executions/1/command-streams", ""],
  ["GET", "/executions/1/failed-command-streams", ""],
  ["GET", "/executions/1/command-stream-summaries", ""],
  ["GET", "/executions/1/command-stream-errors", ""],
  ["GET", "/executions/1/regions/2/results", results],
  ["GET", "/executions/1/regions/2/resources/2/results", results],
  ["GET", "/executions/1/regions/2/suite-results", suites],
  ["GET", "/executions/1/regions/2/failed-suite-results", suites],
  ["GET", "/executions/1/regions/2/suite-summaries", summaries],
  ["GET", "/executions/1/regions/2/suite-errors", errors],
  ["GET", "/executions/1/regions/2/command-streams", ""],
  ["GET", "/executions/1/regions/2/failed-command-streams", ""],
  ["GET", "/executions/1/regions/2/command-stream-summaries", ""],
  ["GET", "/executions/1/regions/2/command-stream-errors", ""],
] as const;

async function rows(path: string, rig?: Rig): Promise<readonly Row[]> {
  return await (rig ?? (await shared)).ok("GET", path);
}

/** Records of a CSV by RFC 4180. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const fields = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)];
  const records: string[][] = [[]];
  for (const [, quoted, plain = "", end] of fields) {
    records.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") records.push([]);
  }
  return records.slice(0, -1);
}

describe("each download as CSV", () => {
  it.each(csvRoutes)("has its exact header row, and the rows of the JSON: %s %s", async (method, path, header) => {
    const rig = await shared;
    const text = await textOf(rig, path);
    expect(text.split("\r\n")[0]).toBe(header);
    const json: readonly Row[] = await rig.ok(method, path.replace(".csv", ""));
    const [columns = [], ...records] = parseCsv(text);
    const expected = json.map((row) => columns.map((name) => String(row[name] ?? "")));
    expect(records).toEqual(expected);
  });

  it("is text/csv with a line end after the last row", async () => {
    const rig = await shared;
    const answer = await rig.call("GET", "/executions/1/suite-errors.csv");
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(await textOf(rig, "/executions/1/command-streams.csv")).toBe(`${commands}\r\n`);
  });

  it("quotes commas, quotes and line ends, and nothing else", async () => {
    const text = await textOf(await shared, "/executions/1/failed-suite-results.csv?limit=1");
    expect(text).toContain(',AssertionError,"expected 1, found ""2""","at line 3\nat line 9",');
    expect(text).toContain(",Shop,");
    expect(await textOf(await shared, "/executions/1/resources/2/results.csv")).toContain(
      '"http://shop.test/data?q=1,2"',
    );
  });

  it("leaves what a spreadsheet could take for a formula as it is", async () => {
    const rig = await makeCompletedRun({ tests: [failedTest("=1+1", { error: "@SUM(A1)", errorType: "-x" })] });
    const text = await textOf(rig, "/executions/1/suite-errors.csv");
    expect(text.split("\r\n")[1]).toMatch(/^Shop,=1\+1,-x,@SUM\(A1\),\d+$/);
  });

  it("writes lists as JSON text", async () => {
    const text = await textOf(await shared, "/executions/1/suite-summaries.csv?includeErrors=true");
    const [header = [], , pays = []] = parseCsv(text);
    expect(header.join(",")).toBe(`${summaries},errors`);
    expect(JSON.parse(pays.at(-1) ?? "")).toMatchObject([
      { errorType: "AssertionError", error: 'expected 1, found "2"' },
    ]);
  });
});

describe("each download as JSON", () => {
  it.each(jsonRoutes)("has the columns as keys, in their order: %s %s", async (method, path, keys) => {
    const all: readonly Row[] = await (await shared).ok(method, path);
    if (keys === "") expect(all).toEqual([]);
    else expect(new Set(all.map((row) => Object.keys(row).join(",")))).toEqual(new Set([keys]));
  });
});

describe("downloads", () => {
  it.each([
    [10, 0],
    [7, 25],
    [-1, 90],
    [0, 3],
    [1000, 1000],
  ])("of which a page is asked for answer these rows of all: limit %d, offset %d", async (limit, offset) => {
    const all = await rows("/executions/1/suite-results");
    const end = limit < 0 ? undefined : offset + limit;
    expect(all.length).toBeGreaterThan(100);
    expect(await rows(`/executions/1/suite-results?limit=${limit}&offset=${offset}`)).toEqual(all.slice(offset, end));
  });

  it("of an execution that is not there are 404", async () => {
    expect((await (await shared).call("GET", "/executions/9/results")).status).toBe(404);
    expect((await (await shared).call("GET", "/executions/9/suite-results.csv")).status).toBe(404);
  });

  it("of a region of no or another execution are 404, and say which there are", async () => {
    const rig = await shared;
    const answer = await rig.call("GET", "/executions/1/regions/3/suite-results");
    expect(answer).toMatchObject({ status: 404, body: { message: "found no region 3 in execution 1; it has 1, 2" } });
    expect((await rig.call("GET", "/executions/1/regions/3/command-streams.csv")).status).toBe(404);
  });

  it("of a resource that is not there are 404, and say which there are", async () => {
    const rig = await shared;
    for (const path of ["/executions/1/resources/3/results", "/executions/1/regions/1/resources/0/results.csv"])
      expect(await rig.call("GET", path), path).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining("it has 1, 2") },
      });
  });

  it("need a key, and answer HEAD without a body", async () => {
    const rig = await shared;
    expect((await rig.call("GET", "/executions/1/results", undefined, { "x-api-key": "no" })).status).toBe(401);
    expect(await rig.call("HEAD", "/executions/1/results.csv")).toMatchObject({ status: 200, body: undefined });
  });

  it("take the browser of command streams, and know no other parameter", async () => {
    const rig = await shared;
    for (const path of [
      "command-streams?limit=5&browser=Chrome",
      "command-stream-summaries?includeErrors=true&browser=Chrome",
    ])
      expect(await rows(`/executions/1/${path}`), path).toEqual([]);
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual([]);
    await rows("/executions/1/suite-errors?browser=Chrome");
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual(["?browser"]);
  });

  it("are the same bytes in two services of one seed, and others with another seed", async () => {
    const other = await makeCompletedRun({ tests, withTwoRequests: true });
    const foreign = await makeCompletedRun({ tests, withTwoRequests: true }, { seed: "other" });
    for (const [, path] of csvRoutes) expect(await textOf(other, path), path).toBe(await textOf(await shared, path));
    expect(await textOf(foreign, "/executions/1/results.csv")).not.toBe(
      await textOf(other, "/executions/1/results.csv"),
    );
  });

  it("leave the state as it was", async () => {
    const rig = await shared;
    const before = JSON.stringify(rig.service.snapshot());
    for (const [method, path] of jsonRoutes) await rig.ok(method, path);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
  });

  it("are a list that the setting pageSize shortens", async () => {
    const rig = await makeCompletedRun({ tests }, { settings: { pageSize: 5 } });
    expect(await rows("/executions/1/results", rig)).toHaveLength(5);
  });
});
