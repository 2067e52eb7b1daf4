import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../../support/run-cli.ts";
import { folderOf, namedProject, projectFolder } from "../../support/small-project.ts";

const text = (more: string, users: number) => `project: shop
service: { url: "memory:.loadform/service.json" }
testCases:
  checkout:
    scenarios:
      browse: { script: "\${file:browse.js}" }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: ${users}
        durationSecs: 600
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
        schedules:
          nightly: { scheduleType: Recurring, recurringInterval: Day, hour: 2, minute: 30 }
${more}`;

const secret = `<pass & "word">-of-git`;
const env = { GIT_TOKEN: secret, USERS_PASSWORD: "hunter2-the-second" };
const vcs = `vcsRoots: { scripts: { url: "https://git.example.com/a.git", vcsAuthType: Username, username: ci, password: "\${env:GIT_TOKEN}" } }\n`;

function appliedFolder() {
  const cwd = projectFolder(text(vcs, 20));
  writeFileSync(join(cwd, "browse.js"), "before();\n");
  const run = (...args: string[]) => runCli(args, { cwd, env });
  const read = (name: string) => readFileSync(join(cwd, name), "utf8");
  return { cwd, run, read };
}

describe("plan --html", () => {
  it("writes a page with the diff, the load, the calendar and the graph, and prints the plan as it does without", async () => {
    const { cwd, run, read } = appliedFolder();
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    writeFileSync(join(cwd, "loadform.yaml"), text(vcs, 50));
    writeFileSync(join(cwd, "browse.js"), "after();\n");
    const plain = await run("plan");
    expect(await run("plan", "--html", "plan.html")).toEqual(plain);
    const page = read("plan.html");
    for (const words of [
      "Plan: 0 to create, 2 to update, 0 to delete",
      "<mark>before</mark>();",
      "20 → 50 users",
      "testCase.checkout/configuration.smoke/schedule.nightly: 1",
      "testCase.checkout/configuration.smoke (update)",
    ])
      expect(page).toContain(words);
    expect(page).toMatch(/<pre class="command"[^>]*>loadform apply --digest -\.[0-9a-f]{64}</);
  });

  it("has of a plan without changes the calendar and the load too, also when that was known before", async () => {
    const { run, read } = appliedFolder();
    await run("apply", "--auto-approve");
    await run("plan");
    expect(await run("plan", "--html", "plan.html")).toMatchObject({ code: 0 });
    expect(read("plan.html")).toContain("No changes: 5 objects are as declared.");
    expect(read("plan.html")).toContain("schedule.nightly");
  });

  it("contains no secret, however it is written in HTML or beside what differs", async () => {
    const { cwd, run, read } = appliedFolder();
    const users = (word: string) => text(`${vcs}tags: { a: { name: "by-\${env:USERS_PASSWORD}-${word}" } }\n`, 20);
    writeFileSync(join(cwd, "loadform.yaml"), users("one"));
    writeFileSync(join(cwd, "browse.js"), `login("hunter2-the-second");\n`);
    await run("apply", "--auto-approve");
    writeFileSync(join(cwd, "loadform.yaml"), users("two"));
    writeFileSync(join(cwd, "browse.js"), `login("hunter2-the-third");\n`);
    await run("plan", "--html", "plan.html", "--out", "plan.json");
    await run("drift", "--html", "drift.html");
    await run("show", "plan.json", "--html", "shown.html");
    for (const name of ["plan.html", "drift.html", "shown.html"]) {
      const page = read(name);
      expect(page.replaceAll(/<\/?mark>/g, "")).not.toMatch(/hunter2-the-second|pass &amp;|word&quot;|of-git/);
      expect(page).toContain("</html>");
    }
    expect(read("plan.html")).toContain("(sensitive)");
  });

  it("says why there is no plan, and why one cannot be applied", async () => {
    const { cwd, run, read } = appliedFolder();
    writeFileSync(join(cwd, "loadform.yaml"), text(vcs, 20).replace("durationSecs", "durationSec"));
    expect((await run("plan", "--html", "plan.html")).code).toBe(1);
    expect(read("plan.html")).toContain("No plan could be made: ");
    expect(read("plan.html")).toContain("   11 |         durationSec: 600");
    writeFileSync(join(cwd, "loadform.yaml"), text(`${vcs}limits: { users: { atPeak: 5 } }\n`, 20));
    expect((await run("plan", "--html", "plan.html")).code).toBe(3);
    expect(read("plan.html")).toContain("Blocked by 1 guard: none of this plan can be applied");
  });

  it("is an error when the page cannot be written", async () => {
    const { run } = appliedFolder();
    const { code, stderr } = await run("plan", "--html", "missing/plan.html");
    expect([code, stderr]).toEqual([1, expect.stringContaining("the page could not be saved to missing/plan.html")]);
  });

  it("writes one page of several projects: a row for each, and a section for each with something to decide", async () => {
    const cwd = folderOf({ "tests/a/loadform.yaml": namedProject("a"), "tests/b/loadform.yaml": namedProject("b") });
    await runCli(["apply", "tests/a", "--auto-approve"], { cwd });
    await runCli(["plan", "tests/*", "--html", "plan.html"], { cwd });
    const page = readFileSync(join(cwd, "plan.html"), "utf8");
    expect(page).toContain("<h1>Plan for 2 projects</h1>");
    expect(page).toContain('<th scope="row">tests/a</th>');
    expect(page).toContain('<th scope="row"><a href="#project-1">tests/b</a></th>');
    expect(page).toContain("loadform apply tests/b --digest");
    expect(page.match(/<h2 class="project">[^<]*/g)).toEqual(['<h2 class="project">tests/b']);
  });
});

describe("show --html", () => {
  it("writes the page of the plan from its file alone", async () => {
    const { cwd, run, read } = appliedFolder();
    await run("plan", "--out", "plan.json", "--html", "plan.html");
    const elsewhere = freshFolder();
    mkdirSync(join(elsewhere, "of"));
    renameSync(join(cwd, "plan.json"), join(elsewhere, "plan.json"));
    const page = read("plan.html");
    rmSync(cwd, { recursive: true });
    expect(await runCli(["show", "plan.json", "--html", "plan.html"], { cwd: elsewhere })).toMatchObject({ code: 0 });
    const shown = readFileSync(join(elsewhere, "plan.html"), "utf8");
    const untimed = (html: string) => html.replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d UTC/g, "");
    expect(untimed(shown)).toBe(untimed(page));
    expect(shown).toContain("loadform apply plan.json");
  });
});

describe("drift --html", () => {
  it("writes what moved outside with both ways out, and of several projects one page", async () => {
    const cwd = folderOf({
      "a/loadform.yaml": namedProject("a", "memory:../service.json"),
      "b/loadform.yaml": namedProject("b", "memory:../service.json"),
    });
    await runCli(["apply", "*", "--auto-approve"], { cwd });
    const outside = namedProject("a", "memory:../service.json").replace("run();", "other();");
    mkdirSync(join(cwd, "c/.loadform"), { recursive: true });
    writeFileSync(join(cwd, "c/.loadform/state.json"), readFileSync(join(cwd, "a/.loadform/state.json")));
    writeFileSync(join(cwd, "c/loadform.yaml"), outside);
    await runCli(["apply", "c", "--auto-approve"], { cwd });
    rmSync(join(cwd, "c"), { recursive: true });
    expect(await runCli(["drift", "a", "--html", "drift.html"], { cwd })).toMatchObject({ code: 2 });
    const page = readFileSync(join(cwd, "drift.html"), "utf8");
    for (const words of [
      "Drift: 1 object changed (1 field).",
      "loadform apply a",
      "loadform drift a --accept",
      "changed outside",
      "testCase.a/scenario.browse (changed)",
    ])
      expect(page).toContain(words);
    expect(await runCli(["drift", "a", "b", "--html", "drift.html"], { cwd })).toMatchObject({ code: 2 });
    expect(readFileSync(join(cwd, "drift.html"), "utf8")).toContain("<h1>Drift of 2 projects</h1>");
  });
});
