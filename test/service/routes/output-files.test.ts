import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { type Rig, start } from "../support/rig.ts";
import {
  bytesOf,
  failedTest,
  fileOf,
  makeCompletedRun,
  makeRunShop,
  putProbe,
  type Row,
  testOf,
  textOf,
  uuid,
} from "../support/run-rig.ts";

/** A picture of one pixel; only its bytes matter here. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const files = [
  fileOf(1, "report.json", '{"ok":true}', { atMs: 5 }),
  fileOf(2, "shots/home.png", png, { atMs: 20 }),
  fileOf(3, "notes.txt", "Grüße", { atMs: 50 }),
  fileOf(4, "report.json", "second", { atMs: 60 }),
];

const shared = makeCompletedRun({ files, tests: [testOf("opens")] });
const began = Date.parse(start);

async function names(query: string, rig?: Rig): Promise<readonly string[]> {
  const found = await (rig ?? (await shared)).ok("GET", `/executions/1/output-files?${query}`);
  return found.map((each: Row) => `${each["id"]} ${each["name"]}`);
}

/** Texts of the files of a zip by their path. */
async function unzip(path: string, rig?: Rig): Promise<Readonly<Record<string, string>>> {
  const zip = unzipSync(await bytesOf(rig ?? (await shared), path));
  return Object.fromEntries(Object.entries(zip).map(([name, bytes]) => [name, Buffer.from(bytes).toString("utf8")]));
}

const everything = ["1 report.json", "2 shots/home.png", "3 notes.txt", "4 report.json"];

describe("output files", () => {
  it("have every field, as what client 0 of the first region wrote in iteration 0", async () => {
    const rig = await shared;
    const [first, image] = await rig.ok("GET", "/executions/1/output-files");
    const { regions } = await rig.ok("GET", "/executions/1");
    const at = new Date(began + 5).toISOString();
    const url = "/api/executions/1/output-files/1/download";
    expect(first).toEqual({
      ...{ id: 1, createdAt: at, updatedAt: at, firstVersion: true, capturedAt: at, name: "report.json" },
      ...{ type: "application/json", charset: "UTF-8", size: 11, url, viewUrl: url, thumbnailUrl: null },
      ...{ executionId: 1, executionRegionId: 1, regionId: 1, locationId: 1, chunkId: 1, chunkIndex: 0 },
      ...{ concurrentClientIndex: 0, globalConcurrentClientIndex: 0, regionalConcurrentClientIndex: 0, iteration: 0 },
      ...{ diffPercent: null, diffDataStore: null, expectDiff: false, suiteTestResultId: null },
      ...{ threadId: expect.stringMatching(uuid), iterationId: expect.stringMatching(uuid) },
      ...{ isImage: false, isRelatedToFailure: false, agentId: regions[0].chunks[0].agent },
    });
    expect(image).toMatchObject({ isImage: true, charset: null, thumbnailUrl: image.url, suiteTestResultId: 1 });
  });

  it("are of the iteration and thread that the suite results name", async () => {
    const rig = await shared;
    const [file] = await rig.ok("GET", "/executions/1/output-files?limit=1");
    const tests = await rig.ok("GET", `/executions/1/suite-results?limit=1&threadId=${file.threadId}`);
    expect(tests).toMatchObject([{ threadId: file.threadId, iterationId: file.iterationId }]);
  });

  it("have links that lead to their bytes", async () => {
    const rig = await shared;
    for (const { url, size } of await rig.ok("GET", "/executions/1/output-files"))
      expect((await bytesOf(rig, url)).length).toBe(size);
  });

  it("are none before the run has begun, and none of a run that wrote none", async () => {
    const waiting = await makeRunShop({ settings: { allocation: { afterMs: 60_000 } } });
    await waiting.ok("POST", "/test-confs/1/executions");
    await putProbe(waiting, 1, { files });
    expect(await names("", waiting)).toEqual([]);
    await waiting.service.advance(60_000);
    expect(await names("", waiting)).toEqual(everything);
    expect(await names("", await makeCompletedRun())).toEqual([]);
  });

  it("of an execution that is not there are 404, as a list, a zip and a file", async () => {
    const rig = await shared;
    for (const path of ["output-files", "output-files.zip", "output-files/1/download"])
      expect((await rig.call("GET", `/executions/9/${path}`)).status, path).toBe(404);
  });
});

describe("the filters of output files", () => {
  it.each([
    ["limit=2", everything.slice(0, 2)],
    ["limit=-1&offset=3", everything.slice(3)],
    ["limit=0", []],
    [`since=${began + 20}`, everything.slice(1)],
    [`until=${began + 50}`, everything.slice(0, 2)],
    [`since=${began + 20}&until=${began + 60}`, everything.slice(1, 3)],
    [`since=${new Date(began + 60).toISOString()}`, everything.slice(3)],
    ["contentType=application/json", ["1 report.json", "4 report.json"]],
    ["contentType=IMAGE/PNG", ["2 shots/home.png"]],
    ["contentType=application/json&offset=1", ["4 report.json"]],
    ["regions=1", everything],
    ["regions=2", []],
    ["regions=2,%201", everything],
    ["client=0&iteration=0", everything],
    ["client=1", []],
    ["iteration=1", []],
    ["agent=nobody", []],
    ["failuresOnly=false", everything],
    ["failuresOnly=true", []],
  ])("find what they ask for: %s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it("find the files of an agent among several", async () => {
    const [{ agentId }] = await (await shared).ok("GET", "/executions/1/output-files");
    expect(await names(`agent=nobody,${agentId}`)).toEqual(everything);
  });

  it("find the files of an iteration with assertion errors only", async () => {
    const rig = await makeCompletedRun({ files, tests: [testOf("opens"), failedTest("pays")] });
    expect(await names("failuresOnly=true", rig)).toEqual(everything);
    const [file] = await rig.ok("GET", "/executions/1/output-files");
    expect(file).toMatchObject({ isRelatedToFailure: true });
  });

  it("are 400 with every parameter that is invalid", async () => {
    const path = "/executions/1/output-files?limit=-5&since=soon&client=first&failuresOnly=1";
    const { status, body } = await (await shared).call("GET", path);
    expect(status).toBe(400);
    expect(body.errors.map((each: Row) => each["field"])).toEqual(["limit", "since", "client", "failuresOnly"]);
  });
});

describe("one output file", () => {
  it("is found by its name, the first of them, else by its id", async () => {
    const rig = await shared;
    expect(await textOf(rig, "/executions/1/output-files/report.json/download")).toBe('{"ok":true}');
    expect(await textOf(rig, "/executions/1/output-files/4/download")).toBe("second");
    const shot = "/executions/1/output-files/shots%2Fhome.png/download";
    expect(await bytesOf(rig, shot)).toEqual(Buffer.from(png));
    expect((await rig.call("GET", shot)).headers["content-disposition"]).toMatch(/^inline; filename="home.png";/);
  });

  it("is found by a name that is the id of another", async () => {
    const rig = await makeCompletedRun({ files: [fileOf(1, "a.txt", "by id"), fileOf(2, "1", "by name")] });
    expect(await textOf(rig, "/executions/1/output-files/1/download")).toBe("by name");
  });

  it("comes with its type and charset", async () => {
    const rig = await shared;
    const typeOf = async (id: number) =>
      (await rig.call("GET", `/executions/1/output-files/${id}/download`)).headers["content-type"];
    expect([await typeOf(1), await typeOf(2), await typeOf(3)]).toEqual([
      "application/json; charset=UTF-8",
      "image/png",
      "text/plain; charset=UTF-8",
    ]);
  });

  it("that is not there is 404, and names those that are", async () => {
    const answer = await (await shared).call("GET", "/executions/1/output-files/none/download");
    expect(answer).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('it has 1 "report.json", 2') },
    });
  });
});

describe("the zip of output files", () => {
  const folder = "user-0/iteration-0";

  it("has folders by user and iteration for a load test", async () => {
    const zip = await unzip("/executions/1/output-files.zip");
    expect(Object.keys(zip)).toEqual([
      `${folder}/report.json`,
      `${folder}/shots/home.png`,
      `${folder}/notes.txt`,
      `${folder}/report (2).json`,
    ]);
    expect(zip[`${folder}/notes.txt`]).toBe("Grüße");
    expect(zip[`${folder}/report (2).json`]).toBe("second");
  });

  it("has all files at its root where it is flat", async () => {
    const zip = await unzip("/executions/1/output-files.zip?flat=true");
    expect(Object.keys(zip)).toEqual(["report.json", "home.png", "notes.txt", "report (2).json"]);
  });

  it.each([
    ["Load", `${folder}/report.json`],
    ["Monitor", "report.json"],
    ["Functional", "report.json"],
  ])("is flat by default but for load tests: %s", async (testType, name) => {
    const rig = await makeCompletedRun({ files: files.slice(0, 1), record: { testType } });
    expect(Object.keys(await unzip("/executions/1/output-files.zip", rig))).toEqual([name]);
    expect(Object.keys(await unzip("/executions/1/output-files.zip?flat=false", rig))).toEqual([
      `${folder}/report.json`,
    ]);
  });

  it("takes the filters, and is empty when nothing is found", async () => {
    const query = "contentType=text/plain&flat=true";
    expect(Object.keys(await unzip(`/executions/1/output-files.zip?${query}`))).toEqual(["notes.txt"]);
    expect(await unzip("/executions/1/output-files.zip?client=7")).toEqual({});
    expect((await (await shared).call("GET", "/executions/1/output-files.zip?flat=maybe")).status).toBe(400);
  });

  it("leads nowhere but into its folder, whatever files are called", async () => {
    const hostile = [
      "../../etc/passwd",
      "/root/x",
      "C:\\a\\..\\..\\b",
      "..",
      "a/./b/../c",
      "__proto__",
      "nul\u0000\n\u202eb",
    ];
    const rig = await makeCompletedRun({ files: hostile.map((name, index) => fileOf(index + 1, name, name)) });
    const found = Object.keys(await unzip("/executions/1/output-files.zip", rig));
    expect(found).toEqual(
      ["etc/passwd", "root/x", "C_/a/b", "file", "a/b/c", "proto", "nul___b"].map((name) => `${folder}/${name}`),
    );
    const flat = Object.keys(await unzip("/executions/1/output-files.zip?flat=true", rig));
    expect(flat).toEqual(["passwd", "x", "b", "file", "c", "proto", "nul___b"]);
  });

  it("tells files apart whose names differ in case only", async () => {
    const rig = await makeCompletedRun({
      files: [fileOf(1, "a.txt", "1"), fileOf(2, "A.TXT", "2"), fileOf(3, "x/a.txt", "3")],
    });
    const zip = await unzip("/executions/1/output-files.zip?flat=true", rig);
    expect(zip).toEqual({ "a.txt": "1", "A (2).TXT": "2", "a (3).txt": "3" });
  });

  it("gives a file another name that is called like a folder", async () => {
    const rig = await makeCompletedRun({ files: [fileOf(1, "a", "file"), fileOf(2, "A/b", "in folder")] });
    expect(await unzip("/executions/1/output-files.zip", rig)).toEqual({
      [`${folder}/a (2)`]: "file",
      [`${folder}/A/b`]: "in folder",
    });
  });

  it("is the same bytes in two services of one seed, and in every time zone", async () => {
    const path = "/executions/1/output-files.zip";
    const zone = process.env["TZ"];
    const other = await makeCompletedRun({ files, tests: [testOf("opens")] });
    const first = await bytesOf(await shared, path);
    process.env["TZ"] = "Asia/Tokyo";
    const second = await bytesOf(other, path);
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
    expect(Buffer.compare(first, second)).toBe(0);
    expect(await other.ok("GET", "/executions/1/output-files")).toEqual(
      await (await shared).ok("GET", "/executions/1/output-files"),
    );
  });
});
