import { appendFileSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isDeep } from "../support/deep.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { takeRequests, writesOf } from "./request-log.ts";
import { type StoreName, statePlaces, storeNames } from "./store-places.ts";

const service = sharedService();
const places = statePlaces();
afterAll(() => places.stop());

const testCases = { shop: { scenarios: { browse: { script: "run()" } }, gateways: { g: { url: "https://g.test" } } } };

/** A project that was applied with its state in the standard file, and can declare it elsewhere. */
async function appliedProject(places_: readonly StoreName[]) {
  const found = await Promise.all(places_.map((name) => places.place(name, "moves")));
  const env = Object.assign({}, ...found.map((place) => place.env)) as Record<string, string>;
  const text = (state?: unknown) =>
    JSON.stringify({ project: "moves", ...(state === undefined ? {} : { state }), testCases });
  const project = servedProject(service, text(), env);
  expect((await project.run("apply", "--auto-approve")).code).toBe(0);
  await takeRequests(service);
  const state = join(project.cwd, ".loadform", "state.json");
  return { ...project, declare: (to: unknown) => project.write(text(to)), places: found, file: state };
}

const travelled = storeNames.filter((name) => name !== "local" && (isDeep || name !== "gitlab"));

describe("a state that moves", () => {
  test(`from a file to ${travelled.join(", ")} and back leaves an empty plan after each move`, async () => {
    const names = [...travelled, "local" as const];
    const { declare, run, feed, places: all, file } = await appliedProject(names);
    for (const [index, place] of all.entries()) {
      const pulled = await run("state", "pull");
      declare(place.settings);
      const lost = await run("plan");
      const isBack = index === all.length - 1;
      expect([names[index], lost.code, lost.stderr]).toEqual([
        names[index],
        1,
        expect.stringContaining(isBack ? "LF" : "LF5009"),
      ]);
      const pushed = await feed(pulled.stdout, "state", "push");
      expect([pushed.code, pushed.stdout]).toEqual([0, expect.stringContaining("with 3 bindings")]);
      const plan = await run("plan", "--detailed-exitcode");
      expect([plan.code, plan.stdout, plan.stderr]).toEqual([0, expect.stringContaining("No changes: 3 objects"), ""]);
      // Whoever follows the advice has no older copy left.
      if (pushed.stdout.includes("outdated copy")) rmSync(file, { force: true });
    }
    expect(writesOf(await takeRequests(service))).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });

  test("from the standard file is told by all that work on it alike, with the line that brings it along", async () => {
    const {
      declare,
      run,
      feed,
      places: [to],
      cwd,
      file,
    } = await appliedProject(["http"]);
    declare(to?.settings);
    const commands = [
      ["plan"],
      ["apply", "--auto-approve"],
      ["destroy", "--auto-approve"],
      ["drift"],
      ["import", "--all"],
    ];
    for (const args of commands) {
      const { code, stderr } = await run(...args);
      expect([args, code]).toEqual([args, 1]);
      expect(stderr).toContain("error LF5009");
      expect(stderr).toContain("loadform state push < .loadform/state.json");
      expect(stderr).not.toContain("LF3001");
    }
    const pushed = await feed(readFileSync(file, "utf8"), "state", "push");
    expect(pushed.stdout).toContain(".loadform/state.json is now an outdated copy");
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    renameSync(file, join(cwd, "old.json"));
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("is not missed by who starts anew on purpose: another service, another name, an adoption", async () => {
    const {
      declare,
      run,
      write,
      places: [to],
      file,
    } = await appliedProject(["http"]);
    declare(to?.settings);
    expect(await run("plan", "--adopt", "exact")).toMatchObject({ code: 0 });
    write(JSON.stringify({ project: "other", state: to?.settings, testCases }));
    const other = await run("plan");
    expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/^warning LF5009[\s\S]*error LF3001/)]);
    expect(other.stderr).toContain("loadform state pull > state.json");
    expect(other.stderr.replace(/\s+/g, " ")).toContain(
      "If its state is lost, bind all objects that match their declarations at once, instead of one by one as below: loadform apply --adopt exact",
    );
    declare(to?.settings);
    rmSync(file);
    await service.call("POST", "/_loadform/reset");
    expect(await run("apply", "--auto-approve")).toMatchObject({ code: 0 });
  });

  test("with a journal beside it is pulled under its former place first: the file alone would forget what was done", async () => {
    const {
      declare,
      run,
      places: [to],
      file,
    } = await appliedProject(["http"]);
    appendFileSync(`${file}.journal`, "torn");
    declare(to?.settings);
    const { code, stderr } = await run("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("loadform state pull > state.json");
    expect(stderr).not.toContain("push < .loadform/state.json");
  });
});
