import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDeep } from "../support/deep.ts";
import type { ForgeKind } from "../support/forge.ts";
import type { JobRun } from "../support/pipeline-runner.ts";
import { type PipelineRig, startPipelineRig } from "./pipeline-rig.ts";

const canRun = ["bash", "git"].every((program) => {
  try {
    return execFileSync(program, ["--version"]).length > 0;
  } catch {
    console.log(`SKIPPED: no ${program}, so the pipelines of examples/ci were not run`);
    return false;
  }
});

const codesOf = (runs: readonly JobRun[]) => Object.fromEntries(runs.map(({ job, code }) => [job, code]));
const logOf = (runs: readonly JobRun[]) => runs.map(({ log }) => log).join("");

/** One repository's life at a forge; every test goes on where the one before it ended. */
export function describePipeline(kind: ForgeKind): void {
  describe.runIf(canRun)(`the pipeline for ${kind}`, () => livingAt(kind));
}

function livingAt(kind: ForgeKind): void {
  // GitLab's jobs have one way out for all exit codes: there each job fails once before a merge, and in the deep run by every code.
  const isWhole = kind === "github" || isDeep;
  let rig: PipelineRig;
  const logs: string[] = [];
  beforeAll(async () => {
    rig = await startPipelineRig(kind);
    const happen = rig.happen;
    rig = {
      ...rig,
      async happen(...args) {
        const runs = await happen(...args);
        logs.push(logOf(runs));
        return runs;
      },
    };
  });
  afterAll(async () => {
    await rig.stop();
  });

  const configuration = async () => {
    const [testCase] = (await rig.service.call("GET", "/test-cases")).body as [{ readonly id: number }];
    const path = `/test-cases/${testCase.id}/confs`;
    const [found] = (await rig.service.call("GET", path)).body as [Readonly<Record<string, unknown>>];
    return found;
  };
  const users = async () => (await configuration())["concurrentClients"];
  const writes = async () => {
    const log = (await rig.service.call("GET", "/_loadform/requests")).body as readonly {
      method: string;
      path: string;
    }[];
    return log.filter(({ method, path }) => method !== "GET" && !path.startsWith("/_loadform")).length;
  };
  const editInConsole = async (fields: Record<string, unknown>) => {
    const found = await configuration();
    const answer = await rig.service.call("PUT", `/test-confs/${String(found["id"])}`, fields);
    expect(answer.status).toBe(200);
  };
  const own = <T extends { own: boolean }>(items: readonly T[]) => items.filter((item) => item.own);

  it("applies main, with the state where the forge keeps it", async () => {
    const runs = await rig.happen("push");
    expect([codesOf(runs), logOf(runs)]).toEqual([{ apply: 0 }, expect.stringContaining("Applied: 6 created")]);
    expect(JSON.parse(rig.state.document() ?? "")).toMatchObject({
      format: "loadform-state/1",
      project: "shop-load-tests",
    });
    expect(rig.state.isLocked()).toBe(false);
  });

  it("comments on a request with what it would change, and changes nothing", async () => {
    const before = await writes();
    await rig.runner.commit("more-users", (files) =>
      files.replace("loadform.yaml", "concurrentClients: 20", "concurrentClients: 30"),
    );
    // Somebody's own comment that begins as ours does, and more comments than one page holds.
    const marker = "<!-- loadform-plan . -->";
    rig.forge.comments.push({ id: 1, own: false, text: `${marker}\nIt is fine, merge it.`, open: true });
    for (let id = 2; id < 140; id++) rig.forge.comments.push({ id, own: false, text: "me too", open: true });
    const runs = await rig.happen("request", "more-users");
    expect(codesOf(runs)).toEqual({ validate: 0, plan: 0 });
    expect(logOf(runs)).toContain("Merging this would change the load tests");
    const [comment, ...further] = own(rig.forge.comments);
    expect(further).toEqual([]);
    expect(comment?.text).toMatch(new RegExp(`^${marker}\n`));
    expect(comment?.text).toContain("- concurrentClients: 20\n+ concurrentClients: 30\n");
    const page = runs.find(({ job }) => job === "plan")?.artifacts?.["plan.html"];
    expect(page).toContain("<del>20</del></dd><dd><ins>30</ins></dd>");
    expect(await writes()).toBe(before);
  });

  it("brings its comment up to date when the request changes", async () => {
    await rig.runner.commit("more-users", (files) =>
      files.replace("loadform.yaml", "concurrentClients: 30", "concurrentClients: 40"),
    );
    expect(codesOf(await rig.happen("request", "more-users"))).toEqual({ validate: 0, plan: 0 });
    expect(own(rig.forge.comments).map(({ text }) => text)).toEqual([
      expect.stringContaining("- concurrentClients: 20\n+ concurrentClients: 40\n"),
    ]);
    expect(rig.forge.comments[0]?.text).toContain("It is fine, merge it.");
  });

  it("plans a request from a fork against the snapshot of main, without key and state, where the forge lets it read that", async () => {
    const before = await writes();
    // Artifacts of the same name that a fork uploaded from a branch of the same name, and that another branch did.
    const forged = { name: "snapshot", files: { "snapshot.json": "{}" } };
    rig.forge.artifacts.push({ ...forged, run: 1_001, branch: "main", from: 8 });
    rig.forge.artifacts.push({ ...forged, run: 1_002, branch: "more-users", from: 7 });
    const runs = await rig.happen("fork", "more-users");
    if (kind === "gitlab") return expect(codesOf(runs)).toEqual({ validate: 0 });
    expect([codesOf(runs), logOf(runs)]).toEqual([{ validate: 0, "plan-without-key": 0 }, expect.any(String)]);
    expect(logOf(runs)).toContain("Merging this would change the load tests: see the summary of this job.");
    const [, digest = ""] = /Digest of this plan: `([^`]+)`/.exec(own(rig.forge.comments)[0]?.text ?? "") ?? [];
    const page = runs.find(({ job }) => job === "plan-without-key")?.artifacts?.["plan.html"];
    expect(digest).not.toBe("");
    expect(page).toContain(digest);
    expect(await writes()).toBe(before);
  });

  it.runIf(kind === "github")("tells a request from a fork that main has no snapshot", async () => {
    const kept = rig.forge.artifacts.splice(0);
    rig.forge.artifacts.push(...kept.map((each) => ({ ...each, expired: true as const })));
    const runs = await rig.happen("fork", "more-users");
    rig.forge.artifacts.splice(0, Number.POSITIVE_INFINITY, ...kept);
    expect(codesOf(runs)).toEqual({ validate: 0, "plan-without-key": 1 });
    expect(logOf(runs)).toContain("find-snapshot.mjs: main has no snapshot that has not expired");
  });

  it("applies what was merged", async () => {
    await rig.runner.merge("more-users");
    expect(codesOf(await rig.happen("push"))).toEqual({ apply: 0 });
    expect(await users()).toBe(40);
  });

  if (isWhole)
    it("finds nothing at night while nobody changes anything by hand", async () => {
      expect(codesOf(await rig.happen("night"))).toEqual({ drift: 0 });
      expect(rig.forge.issues).toEqual([]);
    });

  it("opens one issue when somebody did, and keeps it up to date", async () => {
    await editInConsole({ concurrentClients: 999 });
    expect(codesOf(await rig.happen("night"))).toEqual({ drift: 0 });
    await editInConsole({ concurrentClients: 998 });
    expect(codesOf(await rig.happen("night"))).toEqual({ drift: 0 });
    expect(rig.forge.issues).toMatchObject([{ open: true, text: expect.stringContaining("998") }]);
    expect(rig.forge.issues[0]?.text).toMatch(/^<!-- loadform-drift /);
  });

  it("heals what somebody changed by hand with the next apply", async () => {
    await editInConsole({ concurrentClients: 777 });
    expect(codesOf(await rig.happen("push"))).toEqual({ apply: 0 });
    expect(await users()).toBe(40);
  });

  it("closes the issue when all is as declared again", async () => {
    expect(codesOf(await rig.happen("night"))).toEqual({ drift: 0 });
    expect(rig.forge.issues.map(({ open }) => open)).toEqual([false]);
  });

  it("says who holds the lock, and gives up after the time that was set", async () => {
    await editInConsole({ concurrentClients: 5 });
    const release = await rig.state.hold();
    const runs = await rig.happen("push");
    await release();
    expect(codesOf(runs)).toEqual({ apply: 4 });
    expect(logOf(runs)).toContain("The state is locked by another command.");
    expect(logOf(runs)).toContain(rig.state.holder);
    expect(await users()).toBe(5);
  });

  it("says that it was applied in part, and goes on with the next run", async () => {
    const fault = {
      method: "PUT",
      path: "/test-confs/:confId",
      status: 409,
      times: 1,
      body: { code: "BUSY", message: "not now" },
    };
    const { status } = await rig.service.call("PUT", "/_loadform/faults", [fault]);
    expect(status).toBeLessThan(300);
    await rig.runner.commit("two", (files) => {
      files.replace("loadform.yaml", "concurrentClients: 40", "concurrentClients: 50");
      files.replace("scripts/browse.js", '"products"', '"pages"');
    });
    await rig.runner.merge("two");
    const runs = await rig.happen("push");
    expect(codesOf(runs)).toEqual({ apply: 6 });
    expect(logOf(runs)).toContain("Applied in part: some objects failed");
    expect(codesOf(await rig.happen("push"))).toEqual({ apply: 0 });
    expect(await users()).toBe(50);
  });

  it.runIf(kind === "github")("refuses a plan that somebody overtook, and says so", async () => {
    await editInConsole({ concurrentClients: 60 });
    const runs = await rig.happen("push", "main", { Apply: () => editInConsole({ concurrentClients: 70 }) });
    expect(codesOf(runs)).toEqual({ apply: 5 });
    expect(logOf(runs)).toContain("The saved plan is stale");
    expect(await users()).toBe(70);
    expect(codesOf(await rig.happen("push"))).toEqual({ apply: 0 });
  });

  it("applies a reviewed plan by its digest when somebody starts that, on main alone, and no other plan", async () => {
    await editInConsole({ concurrentClients: 60 });
    expect(codesOf(await rig.happen("request", "main"))).toEqual({ validate: 0, plan: 0 });
    const [, digest = ""] = /Digest of this plan: `([^`]+)`/.exec(own(rig.forge.comments)[0]?.text ?? "") ?? [];
    const other = await rig.happen({ digest: digest.replace(/[0-9a-f]/g, "0") });
    expect([codesOf(other), await users()]).toEqual([{ apply: 5 }, 60]);
    expect(await rig.happen({ digest }, "more-users")).toEqual([]);
    expect([codesOf(await rig.happen({ digest })), await users()]).toEqual([{ apply: 0 }, 50]);
  });

  it("passes a release through its gate, and hands over the results", async () => {
    const short = "durationSecs: 8\n        rampupSecs: 0\n        iterationSleepSecs: 1";
    await rig.runner.commit("short", (files) => files.replace("loadform.yaml", "durationSecs: 60", short));
    await rig.runner.merge("short");
    expect(codesOf(await rig.happen("push"))).toEqual({ apply: 0 });
    await rig.runner.tag("v1");
    const runs = await rig.happen("tag", "v1");
    expect(codesOf(runs)).toEqual({ gate: 0 });
    expect(logOf(runs)).toContain("✓ release: passed");
    const { artifacts = {} } = runs[0] ?? {};
    expect(Object.keys(artifacts).sort()).toEqual(["gate.html", "gate.md", "gate.xml"]);
    expect(artifacts["gate.xml"]).toMatch(/<testsuite name="release" tests="5" failures="0" errors="0"/);
  });

  it("stops a release that misses its gate, and hands over why", async () => {
    await rig.runner.commit("strict", (files) => files.replace("loadform.yaml", "p95] < 500ms", "p95] < 5ms"));
    await rig.runner.merge("strict");
    await rig.runner.tag("v2");
    const runs = await rig.happen("tag", "v2");
    expect(codesOf(runs)).toEqual({ gate: 7 });
    expect(logOf(runs)).toContain("A run missed its KPIs");
    expect(/^::error file=loadform\.yaml,line=\d+,col=\d+,title=KPI missed/m.test(logOf(runs))).toBe(kind === "github");
    const { artifacts = {} } = runs[0] ?? {};
    expect(artifacts["gate.xml"]).toContain('<failure message="firstReceivedMs[p95] &lt; 5ms: ');
    expect(artifacts["gate.md"]).toContain("## Load test `release`: ✗ failed");
  });

  if (isWhole)
    it("starts no run for a release that was not applied", async () => {
      await editInConsole({ concurrentClients: 60 });
      const before = await writes();
      expect(codesOf(await rig.happen("tag", "v2"))).toEqual({ gate: 3 });
      expect(await writes()).toBe(before);
      expect(codesOf(await rig.happen("push"))).toEqual({ apply: 0 });
    });

  it("tells a request that deletes what is protected, and applies none of it when it is merged all the same", async () => {
    const file = rig.runner.fileOn("loadform.yaml");
    const vcsRoots = file.slice(file.indexOf("vcsRoots:"), file.indexOf("testCases:"));
    await rig.runner.commit("no-tests", (files) =>
      files.replace("loadform.yaml", file.slice(file.indexOf("gates:")), vcsRoots),
    );
    const runs = await rig.happen("request", "no-tests");
    expect(codesOf(runs)).toEqual({ validate: 0, plan: 3 });
    expect(logOf(runs)).toContain("Blocked by a guard: something protected");
    const [comment] = own(rig.forge.comments);
    expect(comment?.text).toContain("testCase.checkout is protected");
    expect(comment?.text).toContain("| ⚠️ **delete** |");
    const before = await writes();
    await rig.runner.merge("no-tests");
    const merged = await rig.happen("push");
    expect([codesOf(merged), await writes()]).toEqual([{ apply: 3 }, before]);
    expect(logOf(merged)).toContain("Nothing was written.");
  });

  if (isWhole)
    it("tells a request whose project is wrong", async () => {
      await rig.runner.commit("typo", (files) => files.replace("loadform.yaml", "vcsRoots:", "vcsRoot:"));
      const runs = await rig.happen("request", "typo");
      expect(codesOf(runs)).toEqual({ validate: 1, plan: 1 });
      expect(/^::error file=loadform\.yaml,line=\d+,col=\d+,title=LF1101/m.test(logOf(runs))).toBe(kind === "github");
      expect(own(rig.forge.comments)[0]?.text).toContain("## Load tests: no plan");
    });

  it("fails when the forge refuses the comment, and says so without the token", async () => {
    rig.forge.refuse(true);
    const runs = await rig.happen("request", "more-users");
    rig.forge.refuse(false);
    expect(codesOf(runs)).toEqual({ validate: 0, plan: 1 });
    expect(logOf(runs)).toMatch(/comment\.mjs: GET \S+ was answered with 401: .*who are you/);
  });

  it("never shows a secret", () => {
    const posted = [...rig.forge.comments, ...rig.forge.issues].map(({ text }) => text);
    const files = rig.forge.artifacts.flatMap((artifact) => Object.values(artifact.files));
    expect([...logs, ...files, ...posted, rig.state.document() ?? "", ...rig.forge.log].join("\n")).not.toContain(
      "canary",
    );
  });
}
