import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";

function project() {
  const cwd = freshFolder();
  const write = (description: string) =>
    writeFileSync(
      join(cwd, "loadform.yaml"),
      `project: p\nservice: { url: "memory:.loadform/service.json" }\ntestCases: { a: { description: ${description} } }\n`,
    );
  write("one");
  const run = (...args: readonly string[]) => runCli(args, { cwd });
  const digest = async (...args: readonly string[]) =>
    (JSON.parse((await run("plan", "--json", ...args)).stdout) as { digest: string }).digest;
  return { cwd, write, run, digest };
}

describe("a reviewed plan", () => {
  test("is carried out by its digest without asking, again without effect, and never when it became another", async () => {
    const { run, digest, write } = project();
    const reviewed = await digest("--show-unmanaged");
    const other = await run("apply", "--digest", `-.${"0".repeat(64)}`);
    expect([other.code, other.stdout]).toEqual([5, ""]);
    expect(other.stderr).toContain("LF5008");
    expect(other.stderr.replace(/\s+/g, " ")).toContain(`The digest of the plan is ${reviewed},`);
    expect((await run("apply", "--digest", reviewed)).code).toBe(0);
    const again = await run("apply", "--digest", reviewed);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes") });
    expect(again.stderr).toContain(`Nothing is left to change, so the digest ${reviewed} was not compared.`);
    const same = await run("apply", "--digest", await digest());
    expect([same.code, same.stderr]).toEqual([0, ""]);
    const malformed = await run("apply", "--digest", "abc");
    expect([malformed.code, malformed.stdout]).toEqual([5, ""]);
    expect(malformed.stderr).toContain("error LF5008: --digest is not the digest of a plan");
    write("two");
    expect((await run("apply", "--digest", reviewed)).code).toBe(5);
    expect((await run("state", "list")).stdout).toContain("testCase.a");
    const ending = await digest("--destroy");
    expect((await run("destroy", "--digest", reviewed)).code).toBe(5);
    expect((await run("destroy", "--digest", ending)).code).toBe(0);
  });

  test.each(["", "d764", "the one of Monday", "a".repeat(64), `-.${"A".repeat(64)}`])(
    "that is named by %j is told what a digest looks like and where it is printed",
    async (given) => {
      const { run } = project();
      const { code, stdout, stderr } = await run("apply", "--digest", given);
      const said = stderr.replace(/\s+/g, " ");
      if (given === "") {
        expect([code, said]).toEqual([1, expect.stringContaining("--digest has an empty value")]);
        return;
      }
      expect([code, stdout]).toEqual([5, ""]);
      expect(said).toContain("error LF5008: --digest is not the digest of a plan");
      expect(said).toContain(
        `--digest ${given} is not an environment (- for none), a dot and 64 digits of 0 to 9 and a to f. `,
      );
      expect(said).toContain("`loadform plan --markdown FILE` prints it");
      expect((await run("state", "list")).stdout).not.toContain("testCase.a");
    },
  );

  test("prints the very command in the Markdown comment, with the flags that it was made with", async () => {
    const { cwd, run, digest } = project();
    expect((await run("plan", "--target", "testCase.*", "--markdown", "plan.md", "--detailed-exitcode")).code).toBe(2);
    const comment = readFileSync(join(cwd, "plan.md"), "utf8");
    const line = `loadform apply --target 'testCase.*' --digest ${await digest()}`;
    expect(comment).toContain(line);
    expect((await run("apply", "--target", "testCase.*", "--digest", await digest())).code).toBe(0);
    await run("plan", "--destroy", "--markdown", "plan.md");
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toContain("loadform destroy --digest ");
  });

  describe("has another digest", () => {
    const fields = 'description: "${env:ONE}"';
    const begun = (more = "") => {
      const { cwd } = project();
      const file = join(cwd, "loadform.yaml");
      const head =
        'project: p\nservice: { url: "memory:.loadform/service.json" }\nenvironments: { dev: {}, prod: {} }\n';
      const put = (text: string) => writeFileSync(file, `${head}${more}${text}`);
      put(`testCases: { a: { ${fields} } }\n`);
      const at = (one: string) => ({ cwd, env: { ONE: one, TWO: "two-two" } });
      const digest = async (one: string, ...args: readonly string[]) =>
        (JSON.parse((await runCli(["plan", "--json", ...args], at(one))).stdout) as { digest: string }).digest;
      const apply = (one: string, ...args: readonly string[]) => runCli(["apply", ...args], at(one));
      return { put, digest, apply };
    };

    test("with another value of a variable, while there is no state and afterwards", async () => {
      const { put, digest, apply } = begun();
      const first = await digest("value-one");
      expect(await digest("value-one")).toBe(first);
      expect(await digest("value-two")).not.toBe(first);
      expect((await apply("value-two", "--digest", first)).code).toBe(5);
      expect((await apply("value-one", "--digest", first)).code).toBe(0);
      const second = await digest("value-three");
      expect(await digest("value-three")).toBe(second);
      expect((await apply("value-four", "--digest", second)).code).toBe(5);
      expect((await apply("value-three", "--digest", second)).code).toBe(0);
      put(`testCases: { a: { ${fields} }, b: { scenarios: { s: { script: "\${env:TWO}" } } } }\n`);
      const third = await digest("value-three");
      expect((await apply("value-five", "--digest", third)).code).toBe(5);
      expect((await apply("value-three", "--digest", third)).code).toBe(0);
    });

    test("with another password within an address", async () => {
      const { put, digest } = begun();
      const gateway = (password: string) =>
        put(`testCases: { a: { gateways: { g: { url: "https://me:${password}@shop.example.com" } } } }\n`);
      gateway("password-one");
      const first = await digest("x");
      gateway("password-two");
      expect(await digest("x")).not.toBe(first);
    });

    test("for another environment, and is refused there even when nothing is left to do", async () => {
      const { digest, apply } = begun();
      const reviewed = await digest("one-one", "--env", "prod");
      expect(reviewed).toMatch(/^prod\.[0-9a-f]{64}$/);
      expect((await apply("one-one", "--env", "dev", "--auto-approve")).code).toBe(0);
      const elsewhere = await apply("one-one", "--env", "dev", "--digest", reviewed);
      expect([elsewhere.code, elsewhere.stderr.replace(/\s+/g, " ")]).toEqual([
        5,
        expect.stringContaining("is the digest of a plan of the environment prod, and this is of the environment dev."),
      ]);
    });
  });

  test("names the environment that $LOADFORM_ENV asked for, in the command and in what tells comments apart", async () => {
    const { cwd, run } = project();
    const file = join(cwd, "loadform.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}environments: { prod: {}, dev: {} }\ndefaultEnvironment: dev\n`);
    const env = { LOADFORM_ENV: "prod" };
    await runCli(["plan", "--env", "dev", "--markdown", "plan.md"], { cwd, env });
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toContain("loadform apply --env dev --digest dev.");
    expect((await runCli(["plan", "--markdown=plan.md", "--quiet"], { cwd, env })).code).toBe(0);
    const comment = readFileSync(join(cwd, "plan.md"), "utf8");
    expect(comment.split("\n")[0]).toBe("<!-- loadform-plan . prod -->");
    const asked = await runCli(["apply", "--quiet"], { cwd, env });
    expect(asked.stderr).toContain("  loadform apply --quiet --env prod --auto-approve");
    const command = /^loadform (apply --env prod --digest prod\.[0-9a-f]{64})$/m.exec(comment)?.[1] ?? comment;
    expect(await run(...command.split(" "))).toMatchObject({ code: 0 });
  });

  test("that is named by its digest needs no plan file", async () => {
    const { run, digest } = project();
    const reviewed = await digest();
    await run("plan", "--out", "p.json");
    const { code, stderr } = await run("apply", "--digest", reviewed, "p.json");
    expect([code, stderr]).toEqual([1, expect.stringContaining("--digest cannot be used with a saved plan")]);
    expect(stderr.replace(/\s+/g, " ")).toContain(`omit the file: loadform apply --digest ${reviewed}`);
    expect(stderr).not.toContain("to loadform plan instead");
  });

  test("that was saved is shown as it was planned: text, JSON and Markdown", async () => {
    const { cwd, run, write } = project();
    const planned = await run("plan", "--out", "p.json", "--markdown", "plan.md");
    write("changed since");
    expect((await run("show", "p.json", "--markdown", "shown.md")).stdout).toBe(planned.stdout);
    expect(readFileSync(join(cwd, "shown.md"), "utf8")).toBe(readFileSync(join(cwd, "plan.md"), "utf8"));
    const document = JSON.parse((await run("show", "p.json", "--json")).stdout) as Record<string, unknown>;
    expect(Object.keys(document)).not.toContain("loadform");
    expect(document["summary"]).toMatchObject({ create: 1 });
    for (const [file, words] of [
      ["none.json", "cannot be read"],
      ["loadform.yaml", "is not JSON"],
    ] as const) {
      const { code, stderr } = await run("show", file);
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }
  });
});
