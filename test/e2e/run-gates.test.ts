import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { applied, projectOf, scriptOf } from "../support/gated-project.ts";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { slownessNow } from "../support/slowness-now.ts";
import { repository } from "../support/source-files.ts";

const validate = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync(join(repository, "schemas/run.schema.json"), "utf8")) as object,
);

describe("run at the bundled service of a file", () => {
  it("passes within two seconds, fires no schedule and leaves the clock", async () => {
    const { loadform } = await applied();
    const begun = Date.now();
    const { code, stdout, stderr } = await loadform(["run"]);
    const tookMs = Date.now() - begun;
    expect([code, stdout]).toEqual([0, expect.stringContaining("release: passed (simulated)")]);
    expect(stderr).toContain("run 1 of testCase.checkout/configuration.smoke was started");
    if (!process.env.LOADFORM_DEEP) expect(tookMs).toBeLessThan(2_000 * (await slownessNow()));
    expect((await loadform(["run"])).code).toBe(0);
    const listed = JSON.parse((await loadform(["report", "--last", "9", "--json"])).stdout);
    expect(listed.runs).toMatchObject([
      { execution: 2, verdict: "passed" },
      { execution: 1, verdict: "passed" },
    ]);
    expect((await loadform(["plan", "--detailed-exitcode"])).code).toBe(0);
  });

  it("fails with 7, and writes what was asked for", async () => {
    const { loadform, file } = await applied();
    const files = ["--junit", "j.xml", "--html", "h.html", "--markdown", "m.md"];
    const { code, stdout } = await loadform(["run", "--kpi", "count < 5", "--json", ...files]);
    expect(code).toBe(7);
    const document = JSON.parse(stdout);
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(document).toMatchObject({
      diagnostics: [],
      runs: [{ verdict: "failed", kpis: [{ ok: true }, { ok: false }] }],
      summary: { failed: 1 },
    });
    expect(file("j.xml")).toMatch(
      /<testcase classname="testCase.checkout\/configuration.smoke" name="count &lt; 5"[\s\S]*<failure/,
    );
    expect(file("h.html")).toContain("</html>");
    expect(file("m.md")).toContain("count < 5");
    const sha256 = createHash("sha256").update(scriptOf("https://shop.example.com/")).digest("hex");
    expect(file("h.html")).toContain(sha256);
    expect((await loadform(["run", "--html", "h.html"], { CI_COMMIT_SHA: "c0ffee77" })).code).toBe(0);
    expect(file("h.html")).toContain("c0ffee77");
    expect((await loadform(["report", "--html", "h.html"], { CI_COMMIT_SHA: "c0ffee77" })).code).toBe(0);
    expect(file("h.html")).not.toMatch(new RegExp(`c0ffee77|${sha256}`));
    expect((await loadform(["report", "--csv", "c.csv"])).code).toBe(0);
    expect(file("c.csv").split("\n").length).toBeGreaterThan(5);
  });

  it("shows and judges nothing by the state of another service", async () => {
    const { loadform, write } = await applied();
    await loadform(["run"]);
    write(projectOf().replace("service.json", "other.json"));
    for (const command of [["report"], ["report", "--execution", "1"], ["run", "--execution", "1"]]) {
      const { code, stdout, stderr } = await loadform(command);
      expect([code, stdout, stderr]).toEqual([3, "", expect.stringContaining("LF4006")]);
    }
  });

  const long = projectOf()
    .replace("concurrentClients: 2", "concurrentClients: 1000")
    .replace("durationSecs: 60", "durationSecs: 36000");

  it("is stopped by SIGINT while it is computed", async () => {
    const { cwd, loadform } = await applied(long);
    const child = await startCli(["run"], { cwd });
    const [stdout, closed] = [text(child.stdout), once(child, "close")];
    child.stderr.once("data", () => child.kill("SIGINT"));
    expect([await closed, await stdout]).toEqual([[130, null], expect.stringMatching(/stopped|interrupted/)]);
    const { runs } = JSON.parse((await loadform(["report", "--json"])).stdout);
    expect(runs).toMatchObject([{ execution: 1, verdict: "stopped" }]);
    expect(runs[0].summary.durationSecs).toBeLessThan(36_000);
  });

  it("that was killed is in the way of the next one, which says how to see it to its end", async () => {
    const { cwd, loadform } = await applied(long);
    const child = await startCli(["run"], { cwd });
    const closed = once(child, "close");
    child.stderr.once("data", () => child.kill("SIGKILL"));
    await closed;
    const { code, stderr } = await loadform(["run", "--wait-running", "600"]);
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([3, expect.stringContaining("run loadform run --execution 1")]);
  });

  it("judges a run that is there, by its gate and by more", async () => {
    const { loadform } = await applied();
    await loadform(["run"]);
    expect((await loadform(["run", "--execution", "1"])).code).toBe(0);
    expect((await loadform(["run", "--execution", "1", "--kpi", "count < 5"])).code).toBe(7);
    expect((await loadform(["report", "--execution", "1"])).code).toBe(0);
    expect((await loadform(["report", "--execution", "1", "--kpi", "count < 5"])).code).toBe(7);
    const unknown = await loadform(["run", "--execution", "9"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("configurations are 1")]);
    const one = await loadform(["report", "--execution", "9", "--execution", "1", "--json"]);
    expect([one.code, JSON.parse(one.stdout)]).toMatchObject([
      0,
      { warnings: ["the service has no run 9"], runs: [{ execution: 1 }] },
    ]);
    expect((await loadform(["report", "--execution", "9", "--execution", "1"])).stdout).toContain(
      "\n! the service has no run 9\n",
    );
  });

  it.each([
    [["run", "--execution", "1", "--tag", "x"], "--execution does not go with --tag"],
    [["run", "--execution", "1", "--param", "a=b"], "--execution does not go with --param"],
    [["run", "--execution", "1", "--no-wait"], "--execution does not go with --no-wait"],
    [["report", "--execution", "1e0"], "--execution takes an id"],
    [["report", "--since", "7"], "--since cannot be read"],
    [["report", "--since", "2026-02-30"], "--since cannot be read"],
  ])("refuses flags that would do nothing, and numbers that mean nothing: %j", async (args, message) => {
    expect(await runCli(args, { cwd: freshFolder() })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  });

  it("masks what a parameter takes from the environment in every output", async () => {
    const script =
      'log.error(params["token"]); require("https").get("https://shop.example.com/" + params["token"], (r) => r.resume());';
    const text = projectOf().replace(/script: '.*'/, `script: '${script}', paramsConfig: [{ name: token }]`);
    const { loadform, file } = await applied(text);
    const asked = ["--param", "token=a-${env:TOKEN}-b", "--kpi", "count > 5", "--tag", "x"];
    const files = ["--junit", "j.xml", "--html", "h.html", "--markdown", "m.md"];
    const { code, stdout, stderr } = await loadform(["run", ...asked, ...files, "--json"], { TOKEN: "hunter2-secret" });
    expect(code).toBe(0);
    expect(file("h.html")).toContain("(sensitive)");
    for (const text of [stdout, stderr, file("j.xml"), file("h.html"), file("m.md")])
      expect(text).not.toContain("hunter2");
    const unset = await loadform(["run", "--param", "token=${env:NONE}"]);
    expect([unset.code, unset.stderr]).toEqual([
      1,
      expect.stringContaining("--param token names a variable that is not set"),
    ]);
    expect((await loadform(["run", "--param", "problem=1", "--param", "token=x"])).code).toBe(0);
  });

  it("takes the gates of an environment", async () => {
    const text = projectOf(
      'environments:\n  strict: { gates: { release: { kpis: ["count < 5"] } }, testCases: { checkout: { name: Strict } } }\n',
    );
    const { loadform } = await applied(text);
    expect((await loadform(["run"])).code).toBe(0);
    expect((await loadform(["apply", "--auto-approve", "--env", "strict"])).code).toBe(0);
    expect((await loadform(["run", "--env", "strict"])).code).toBe(7);
  });

  it("runs several gates of one configuration in turn", async () => {
    const { loadform, write } = await applied();
    write(
      projectOf().replace(
        /gates:\n.*\n/,
        'gates:\n  a: { configuration: checkout/smoke }\n  b: { configuration: checkout/smoke, kpis: ["count < 1"] }\n',
      ),
    );
    const { code, stdout } = await loadform(["run", "--gate", "*", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      7,
      {
        runs: [
          { gate: "a", warnings: [], execution: 1 },
          { gate: "b", warnings: [], execution: 2 },
        ],
        summary: { passed: 1, failed: 1 },
      },
    ]);
  });

  it("compares with a run that there is, or starts nothing", async () => {
    const { loadform, write } = await applied();
    write(projectOf().replace('95%"]', '95%"], baseline: { execution: 7 }'));
    const { code, stderr } = await loadform(["run"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("the baseline is run 7, which the service does not have"),
    ]);
    write(projectOf());
    expect((await loadform(["report"])).stderr).toContain("None of the chosen configurations has been run");
    await loadform(["run"]);
    const future = await loadform(["report", "--since", "2999-01-01"]);
    expect([future.code, future.stderr]).toEqual([
      1,
      expect.stringContaining("None of the chosen configurations has been run since 2999-01-01T00:00:00.000Z"),
    ]);
    expect((await loadform(["report", "--since", "99999999999d"])).code).toBe(0);
    expect((await loadform(["report", "--baseline", "9"])).code).toBe(1);
    expect((await loadform(["report", "--baseline", "none"])).code).toBe(0);
    write(projectOf().replace('95%"]', '95%"], noWorse: { count: -5% }, baseline: { execution: 7 }'));
    const shown = await loadform(["report", "--json"]);
    const warnings = ["the service has no run 7, which is the baseline, so noWorse was not judged"];
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([
      0,
      { runs: [{ warnings, noWorse: [{ ok: null }] }] },
    ]);
  });

  it("makes its load for real with --live", async () => {
    let asked = 0;
    const server = createServer((_, response) => void response.end(`${++asked}`)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const text = projectOf("", `http://127.0.0.1:${port}/`).replace('require("https")', 'require("http")');
    const { loadform } = await applied(text.replace("durationSecs: 60", "durationSecs: 4"));
    const { code, stdout, stderr } = await loadform(["run", "--live", "--json"]);
    server.close();
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ simulated: false, verdict: "passed" }] });
    expect(JSON.parse(stdout).runs[0].summary.requests).toBeLessThanOrEqual(asked);
  });
});

it("a job of GitHub Actions gets the summary, and its missed KPIs at their lines", async () => {
  const { loadform, cwd, file } = await applied();
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
  writeFileSync(join(cwd, "loadform.yaml"), projectOf().replace("> 95%", "> 100%"));
  const { code, stderr } = await loadform(["run"], env);
  expect([code, stderr]).toEqual([7, expect.stringContaining("::error file=loadform.yaml,line=4")]);
  expect(existsSync(join(cwd, "summary.md")) && file("summary.md")).toContain("release");
});
