import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyExample } from "../support/copy-example.ts";
import { drawTerminal } from "../support/draw-terminal.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";

/** The days of a list of next runs as if they were these: they are drawn once, and would be others tomorrow. */
function withFixedDays(text: string): string {
  return text.replaceAll(/next runs: .*/g, (line) => {
    let day = 4;
    return line.replaceAll(/\d{4}-\d\d-\d\d/g, () => `2027-01-0${++day}`);
  });
}

const shown = "loadform plan, with a changed number of users, another hour and an edited data file";

it("the picture in README.md is what loadform plan prints for examples/webshop (npx vitest run test/docs/plan-picture.test.ts -u draws it)", async () => {
  const cwd = freshFolder();
  copyExample("webshop", cwd);
  expect(await runCli(["apply", "--auto-approve"], { cwd })).toMatchObject({ code: 0 });
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(join(cwd, file), "utf8");
    expect(text).toContain(from);
    writeFileSync(join(cwd, file), text.replace(from, to));
  };
  edit("loadform.yaml", "default: 20,", "default: 50,");
  edit("load/checkout.yaml", "hour: 2\n", "hour: 4\n");
  edit("data/users.csv", "linus,kettle\n", "linus,kettle\nmargaret,moon\n");
  const { code, stdout } = await runCli(["plan"], { cwd, isTerminal: true });
  expect(code).toBe(0);
  await expect(drawTerminal(shown, `$ loadform plan\n\n${withFixedDays(stdout)}`)).toMatchFileSnapshot(
    "../../docs/plan.svg",
  );
});
