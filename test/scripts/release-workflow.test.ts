import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkflow } from "../support/github-workflow.ts";
import { freshFolder } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";
import { runToEnd } from "../support/terraform/real-terraform.ts";

const path = join(repository, ".github/workflows/release.yml");
const workflow = readWorkflow(path);
const { build, release } = workflow.jobs;
const stepsOf = (job: typeof build) => job?.steps ?? [];
const lines = [build, release].flatMap(stepsOf).flatMap(({ run }) => run?.trim().split("\n") ?? []);
const { scripts, version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

describe("the release workflow", () => {
  it("starts with tags of versions, and with nothing else", () => {
    expect(workflow.on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+*"] } });
  });

  it("gives rights to the job alone that runs nothing of the repository", () => {
    expect(workflow.permissions).toEqual({});
    expect(build?.permissions).toEqual({ contents: "read" });
    expect(release?.permissions).toEqual({ contents: "write", "id-token": "write", attestations: "write" });
    expect(stepsOf(release).filter(({ uses }) => uses?.startsWith("actions/checkout"))).toEqual([]);
    expect(stepsOf(release).flatMap(({ run = "" }) => run.match(/\b(npm|node|npx)\b/g) ?? [])).toEqual([]);
  });

  it("packs the package and the provider with scripts that there are, and attests all of it", () => {
    expect(lines).toContain("npm pack --pack-destination release");
    const named = lines.flatMap((line) => [...line.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name));
    expect(named).toContain("provider:package");
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const attested = stepsOf(release).find(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
    expect(attested?.with).toEqual({ "subject-path": "release/*" });
  });

  it("takes actions at a full version, nothing of an event into a script, and names no host", () => {
    const uses = [build, release].flatMap(stepsOf).flatMap((step) => step.uses ?? []);
    expect(uses.length).toBeGreaterThan(4);
    for (const each of uses) expect(each).toMatch(/^actions\/[a-z-]+@v\d+\.\d+\.\d+$/);
    for (const line of lines) expect(line).not.toContain("${{");
    expect(readFileSync(path, "utf8")).not.toMatch(/https?:|registry|\b[\w-]+\.(com|org|io|dev)\b/i);
  });

  it.each([
    [`v${version}`, 0],
    [`v${version}1`, 1],
    [version, 1],
  ])("compares the tag %s with package.json: exit %i", async (TAG, code) => {
    const script = stepsOf(build).find(({ env }) => env?.["TAG"] !== undefined)?.run ?? "";
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: freshFolder(), TAG };
    expect(await runToEnd(["bash", "-eo", "pipefail", "-c", script], { cwd: repository, env })).toMatchObject({ code });
  });
});
