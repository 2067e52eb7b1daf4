// merge: in a real browser
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { browserPath, testBrowser } from "../support/browser.ts";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";

const picture = new URL("../../docs/plan-page.png", import.meta.url);
const size = { width: 1120, height: 1240 };

describe.skipIf(browserPath === undefined)("the picture of a plan's page in docs/ci.md", () => {
  const browser = testBrowser();

  it("is drawn of examples/webshop (UPDATE_DOCS=1 npx vitest run test/docs/page-picture.test.ts draws it)", async () => {
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
    await runCli(["plan", "--html", "plan.html"], { cwd });
    const home = pathToFileURL(join(cwd, "plan.html")).href;
    const { page, problems } = await browser.blank(home);
    await page.setViewportSize(size);
    await page.goto(home);
    for (const words of ["Search the changes", "Calendar of two weeks, UTC"])
      expect(await page.getByLabel(words).count(), words).toBe(1);
    const drawn = await page.screenshot();
    if (process.env["UPDATE_DOCS"]) writeFileSync(picture, drawn);
    expect(problems).toEqual([]);
    expect(existsSync(picture)).toBe(true);
    // Width and height as the PNG has them: the letters of another machine are other ones.
    expect(sizeOf(readFileSync(picture))).toEqual(sizeOf(drawn));
  });
});

function sizeOf(png: Buffer) {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
