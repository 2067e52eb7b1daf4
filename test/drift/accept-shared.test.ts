import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const service = sharedService();

/** A project of these files, applied in each of the environments. */
async function applied(files: Readonly<Record<string, string>>, environments: readonly string[] = [""]) {
  const project = servedProject(service, files["loadform.yaml"] ?? "");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project.cwd, path)), { recursive: true });
    writeFileSync(join(project.cwd, path), text);
  }
  for (const name of environments)
    expect(await project.run("apply", "--auto-approve", "--env", name)).toMatchObject({ code: 0 });
  const read = (path: string) => readFileSync(join(project.cwd, path), "utf8");
  return { ...project, read };
}

describe("drift --accept of what others share", () => {
  const head = "project: webshop\n";
  const useOf = (name: string) =>
    `testCases: { ${name}: { scenarios: { s: { script: "\${file:../scripts/a.js}" }, t: { script: "t" } } } }\n`;
  const environments = {
    "loadform.yaml": `${head}include: [load/*.yaml]\nenvironments: { staging: { include: [stg/*.yaml] } }\n`,
    "load/p.yaml": useOf("prod"),
    "stg/s.yaml": useOf("stg"),
    "scripts/a.js": "a();\n",
  };

  it.each([
    ["staging", ""],
    ["", "staging"],
  ])("leaves a script that another environment reads (%s, %s)", async (gone, other) => {
    const project = await applied(environments, [gone, other]);
    for (const id of [1, 2]) await service.call("DELETE", `/scripts/${id}`);
    const accepted = await project.run("drift", "--env", gone, "--accept", "**");
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.not.stringContaining("scripts/a.js deleted")]);
    expect(accepted.stdout).toContain(`read the same files (${other || "without one"}): plan them, too`);
    expect(await project.run("plan", "--env", other, "--detailed-exitcode")).toMatchObject({ code: 0 });
  });

  it("does not write a script that another environment reads", async () => {
    const project = await applied(environments, ["staging", ""]);
    const scripts = (await service.call("GET", "/test-cases/1/scripts")).body as readonly {
      id: number;
      name: string;
    }[];
    await service.call("PUT", `/scripts/${scripts.find(({ name }) => name === "s")?.id}`, { main: "other();" });
    const { code, stderr } = await project.run("drift", "--env", "staging", "--accept", "**");
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("is used by load/p.yaml as well")]);
    expect(project.read("scripts/a.js")).toBe("a();\n");
  });

  it("writes out the declared value of another object, also of one that drifted in the same field", async () => {
    const text = `${head}testCases:
  one: { description: &d "ten users" }
  two: { description: *d }
  three: { description: *d }
`;
    const project = await applied({ "loadform.yaml": text });
    for (const name of ["one", "two"])
      await service.call("POST", "/test-cases", { name, org: 1, description: `${name} of theirs` });
    expect(await project.run("drift", "--accept", "testCase.one")).toMatchObject({ code: 2 });
    expect(project.read("loadform.yaml")).toBe(
      text.replace('"ten users"', '"one of theirs"').replaceAll("*d", "ten users"),
    );
  });

  it.each([
    ["that a merge key still declares", "two: { scenarios: { <<: *all, s: { script: z } } }"],
    ["whose anchor another one needs", "two: { scenarios: { s: &s { script: z }, u: *s } }"],
  ])("refuses the end of an object %s, and writes nothing", async (_, two) => {
    const text = `${head}testCases:\n  one: { scenarios: &all { s: { script: x }, t: { script: y } } }\n  ${two}\n`;
    const project = await applied({ "loadform.yaml": text });
    const named = async (path: string, name: string) =>
      ((await service.call("GET", path)).body as readonly { readonly id: number; readonly name: string }[]).find(
        (each) => each.name === name,
      )?.id;
    await service.call(
      "DELETE",
      `/scripts/${await named(`/test-cases/${await named("/test-cases", "two")}/scripts`, "s")}`,
    );
    const { code, stderr } = await project.run("drift", "--accept", "testCase.two/scenario.s");
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining("testCase.two/scenario.s would still differ. Only what is accepted may change"),
    ]);
    expect(project.read("loadform.yaml")).toBe(text);
  });
});
