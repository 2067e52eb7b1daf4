import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { type Rig, start } from "../support/rig.ts";
import { bytesOf, makeCompletedRun, makeRunShop, putProbe, type Row, tally, uuid } from "../support/run-rig.ts";

/** Of three minutes, with two requests an iteration. */
const conf = { durationSecs: 170 };
const shared = makeShared();

async function makeShared(seed = "runs"): Promise<Rig> {
  const rig = await makeCompletedRun({ withTwoRequests: true }, { conf, seed });
  await rig.service.advance(120_000);
  return rig;
}

async function traces(rig?: Rig): Promise<readonly Row[]> {
  return await (rig ?? (await shared)).ok("GET", "/executions/1/traces");
}

interface Packet {
  readonly trafficType: string;
  readonly trafficTimestamp: string;
  readonly [name: string]: unknown;
}

function packetsOf(trace: Row | undefined): readonly Packet[] {
  return trace!["packets"] as readonly Packet[];
}

async function unzip(path: string): Promise<readonly (readonly [string, unknown])[]> {
  const zip = unzipSync(await bytesOf(await shared, path));
  return Object.entries(zip).map(([name, bytes]) => [name, JSON.parse(Buffer.from(bytes).toString("utf8"))] as const);
}

const zips = [
  ["GET", "/executions/1/traces.zip", 1],
  ["GET", "/executions/1/regions/2/traces.zip", 2],
  ["GET", "/executions/1/resources/2/traces.zip", 2],
  ["GET", "/executions/1/regions/2/resources/2/traces.zip", 4],
] as const;

describe("traces", () => {
  it("have id, resource, status, timestamp, connection and packets", async () => {
    const [first] = await traces();
    expect(Object.keys(first!)).toEqual(["id", "resource", "status", "timestamp", "connectionId", "packets"]);
    expect(first).toMatchObject({ id: 1_000_001, connectionId: expect.stringMatching(uuid) });
  });

  it("are at least one for each resource and status of each minute", async () => {
    const rig = await shared;
    const results: readonly Row[] = await rig.ok("GET", "/executions/1/results");
    const kindOf = (at: number, resource: unknown, status: unknown) =>
      `${Math.floor((at - Date.parse(start)) / 60_000)} ${resource} ${status}`;
    const seen = new Set(results.map((row) => kindOf(Number(row["timestamp"]), row["resource"], row["responseCode"])));
    const traced = new Set(
      (await traces()).map((row) => kindOf(Date.parse(String(row["timestamp"])), row["resource"], row["status"])),
    );
    expect(traced).toEqual(seen);
    expect(traced.size).toBe(12);
  });

  it("are requests of the raw results", async () => {
    const results: readonly Row[] = await (await shared).ok("GET", "/executions/1/results");
    for (const { connectionId, resource, status, timestamp } of await traces()) {
      const row = results.find((each) => each["connectionId"] === connectionId);
      expect(row).toMatchObject({ resource, responseCode: status, timestamp: Date.parse(String(timestamp)) });
    }
  });

  it("are numbered in the order in which their requests ended", async () => {
    const all = await traces();
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => 1_000_001 + index));
    const times = all.map(({ timestamp }) => String(timestamp));
    expect(times).toEqual([...times].sort());
  });

  it("keep their ids while the run goes on", async () => {
    const rig = await makeRunShop({ conf });
    await rig.ok("POST", "/test-confs/1/executions");
    await putProbe(rig, 1, { withTwoRequests: true });
    expect(await traces(rig)).toEqual([]);
    for (const ms of [777, 9_000, 61_000, 200_000]) {
      const before = await traces(rig);
      await rig.service.advance(ms);
      expect((await traces(rig)).slice(0, before.length)).toEqual(before);
    }
    expect(await traces(rig)).toEqual(await traces());
  });

  it("are found by their id alone", async () => {
    const rig = await shared;
    const all = await traces();
    expect(await rig.ok("GET", "/execution-traces/1000001")).toEqual(all[0]);
    expect(await rig.ok("GET", `/execution-traces/${all.at(-1)!["id"]}`)).toEqual(all.at(-1));
  });

  it("that are not there are 404, and so are those of no execution", async () => {
    const rig = await shared;
    for (const id of ["1999999", "1000000", "5", "9000001", "x"])
      expect((await rig.call("GET", `/execution-traces/${id}`)).status, id).toBe(404);
    expect((await rig.call("GET", "/executions/9/traces")).status).toBe(404);
  });

  it("are none before the run has begun", async () => {
    const rig = await makeRunShop({ settings: { allocation: { afterMs: 60_000 } } });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await traces(rig)).toEqual([]);
  });
});

describe("the packets of a trace", () => {
  it("are those of a recorded connection, in order of time", async () => {
    for (const trace of await traces()) {
      const packets = packetsOf(trace);
      expect(packets.map(({ trafficType }) => trafficType)).toEqual([
        ...["ConnectionOpened", "DataSent", "DataReceived", "ConnectionClosed"],
      ]);
      const times = packets.map(({ trafficTimestamp }) => trafficTimestamp);
      expect(times).toEqual([...times].sort());
      expect(times.at(-1)).toBe(trace["timestamp"]);
      expect(tally(packets, "connectionId")).toEqual({ [String(trace["connectionId"])]: 4 });
    }
  });

  it("say what was sent and received", async () => {
    const sent = (await traces()).find(
      ({ resource, status }) => String(resource).startsWith("POST") && status === "201",
    );
    const [opened, request, answer, closed] = packetsOf(sent);
    expect(opened).toMatchObject({
      clientIp: "192.0.2.1",
      serverIp: "198.51.100.1",
      ssl: false,
      protocol: "Http",
      length: 0,
    });
    expect(request).toMatchObject({
      httpMethod: "POST",
      httpPath: "/data?q=1,2",
      httpHeaders: "host: shop.test\r\n\r\n",
      length: 120,
    });
    expect(answer).toMatchObject({ httpStatus: 201, httpStatusText: "Created", length: 2_000 });
    expect(answer!["httpHeaders"]).toBe("content-type: text/html\r\ncontent-length: 2000\r\n\r\n");
    expect(closed).toMatchObject({ closeReason: "ServerInitiated" });
  });

  it("of a failure received nothing", async () => {
    const [, , answer, closed] = packetsOf((await traces()).find(({ status }) => status === "500"));
    expect(answer).toMatchObject({ httpStatus: 500, httpStatusText: "Internal Server Error", length: 0 });
    expect(closed).toMatchObject({ closeReason: "Error" });
  });

  it("of what was no request over HTTP have no method and no status", async () => {
    const rig = await makeRunShop();
    await rig.ok("POST", "/test-confs/1/executions");
    const [row] = rig.service.snapshot().tables["execution"] as unknown as {
      plan: { iteration: { requests: object[] } };
    }[];
    const requests = [{ ...row!.plan.iteration.requests[0], resource: "tls", url: "tls://shop.test:99" }];
    await putProbe(rig, 1, {
      record: { plan: { ...row!.plan, iteration: { ...row!.plan.iteration, requests } } } as never,
    });
    await rig.service.advance(60_000);
    const [opened, request, answer] = packetsOf((await traces(rig))[0]);
    expect(opened).toMatchObject({ ssl: true, protocol: "Tcp" });
    expect(request).not.toHaveProperty("httpMethod");
    expect(answer).not.toHaveProperty("httpStatus");
  });
});

describe("zips of traces", () => {
  it.each(zips)("hold one file of each trace and one of its packets: %s %s", async (_method, path, share) => {
    const files = await unzip(path);
    const all = (await traces()).filter(
      ({ resource }) => !path.includes("resources") || String(resource).startsWith("POST"),
    );
    const heads = files.filter(([name]) => !name.includes("packets"));
    expect(files).toHaveLength(2 * heads.length);
    expect(heads.length).toBeGreaterThan(0);
    if (share <= 2 && !path.includes("regions")) expect(heads).toHaveLength(all.length);
    else expect(heads.length).toBeLessThan(all.length);
    for (const [name, head] of heads) {
      const { packets, ...rest } = all.find(({ id }) => name === `trace-${id}.json`)!;
      expect(head).toEqual(rest);
      expect(files).toContainEqual([name.replace(".json", "-packets.json"), packets]);
    }
  });

  it("of the regions together are that of the execution", async () => {
    const both = [
      ...(await unzip("/executions/1/regions/1/traces.zip")),
      ...(await unzip("/executions/1/regions/2/traces.zip")),
    ];
    expect(both.map(([name]) => name).sort()).toEqual(
      (await unzip("/executions/1/traces.zip")).map(([name]) => name).sort(),
    );
  });

  it("of a region or a resource that is not there are 404", async () => {
    const rig = await shared;
    for (const path of ["regions/3/traces.zip", "resources/3/traces.zip", "regions/1/resources/9/traces.zip"])
      expect((await rig.call("GET", `/executions/1/${path}`)).status, path).toBe(404);
    expect((await rig.call("GET", "/executions/9/traces.zip")).status).toBe(404);
  });

  it("are the same bytes in two services of one seed, and others with another seed", async () => {
    const [same, foreign] = [await makeShared(), await makeShared("other")];
    for (const [, path] of zips) {
      const bytes = await bytesOf(await shared, path);
      expect(Buffer.compare(await bytesOf(same, path), bytes), path).toBe(0);
      expect(Buffer.compare(await bytesOf(foreign, path), bytes), path).not.toBe(0);
    }
    expect(await traces(same)).toEqual(await traces());
  });

  it("come as application/zip", async () => {
    const { status, headers } = await (await shared).call("GET", "/executions/1/traces.zip");
    expect([status, headers["content-type"]]).toEqual([200, "application/zip"]);
  });
});

describe("traces of a run that captures failures only (API 2, Common parameters)", () => {
  it("are of failed requests", async () => {
    const rig = await makeCompletedRun({ record: { onlyCaptureFailure: true } });
    const found = await rig.ok("GET", "/executions/1/traces");
    expect(found.length).toBeGreaterThan(0);
    for (const { status } of found) expect(status).toBe("500");
  });
});
