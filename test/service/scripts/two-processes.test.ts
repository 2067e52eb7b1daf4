// merge: two processes; data-table.test.ts has seeds in one.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { builtCli } from "../../support/built-cli.ts";

const main = `
  import { randomBytes } from "node:crypto";
  log.info(Math.random(), crypto.randomUUID(), randomBytes(8).toString("hex"), new Date(), moment().valueOf());
  const ids = await Promise.all([1, 2, 3].map(async (n) => {
    const answer = await fetch("http://shop.test/" + n, { method: "POST", body: "x".repeat(n) });
    return (await answer.json()).url + " " + Date.now();
  }));
  log.info(ids);
  setInterval(function () { results().timing("tick", Math.round(performance.now())); if (Date.now() % 7 === 0) clearInterval(this) }, 33).unref();
  const socket = new WebSocket("wss://shop.test/");
  socket.on("open", () => socket.send("hello"));
  socket.on("message", (data) => { log.info(String(data), Date.now()); socket.close() });
  require("zlib").gzip("a".repeat(1e5), (_, bytes) => log.info(bytes.length, Date.now()));
  it("fails", () => { throw new Error("no") });
  require("fs").writeFileSync("out.txt", String(Math.random()));
`;

/** What a service of the bundled package answers in a process of its own. */
async function answered(seed: string): Promise<string> {
  const service = pathToFileURL(join(await builtCli(), "..", "service.js")).href;
  const program = `
    import { createService } from ${JSON.stringify(service)};
    const service = createService({ clock: { mode: "frozen", now: "2026-11-20T10:07:30.000Z" }, seed: ${JSON.stringify(seed)} });
    const call = (method, path, body) => service.handle({ method, path, body, headers: { "x-api-key": "local" } });
    await call("POST", "/test-cases", { name: "T", org: 1 });
    await call("POST", "/test-cases/1/scripts", { name: "S", main: ${JSON.stringify(main)} });
    const { json } = await call("POST", "/scripts/1/run");
    process.stdout.write(JSON.stringify(json));
  `;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", cwd: "/" });
}

describe("a script of the bundled package", () => {
  it("runs the same to the byte in two processes with the same seed, and not with another", async () => {
    const [first, second, other] = [await answered("a"), await answered("a"), await answered("b")];
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    const { results, logs } = JSON.parse(first) as { results: readonly object[]; logs: readonly object[] };
    expect(results.length).toBeGreaterThan(4);
    // Its own five, and the line that its requests were simulated.
    expect(logs).toHaveLength(6);
  });
});
