import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder, runCli } from "./run-cli.ts";

/** A script that loads one address. */
export const scriptOf = (url: string) => `require("https").get("${url}", (response) => response.resume());`;

/** A project with one gate: `more` are further members of it, `url` is what its script loads. */
export const projectOf = (more = "", url = "https://shop.example.com/") => `project: shop
service: { url: "memory:.loadform/service.json" }
gates:
  release: { configuration: checkout/smoke, kpis: ["Outcome[success] > 95%"] }
${more}testCases:
  checkout:
    scenarios:
      browse: { script: '${scriptOf(url)}' }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 2
        durationSecs: 60
        rampupSecs: 0
        iterationSleepSecs: 1
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], numRegions: 1 }]
        schedules: { nightly: { scheduleType: Recurring, recurringInterval: Hour, minute: 30 } }
`;

/** A folder with an applied project at the bundled service of a file. */
export async function applied(text = projectOf()) {
  const cwd = freshFolder();
  const write = (next: string) => writeFileSync(join(cwd, "loadform.yaml"), next);
  write(text);
  const loadform = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => runCli(args, { cwd, env });
  const { code, stderr } = await loadform(["apply", "--auto-approve"]);
  if (code !== 0) throw new Error(stderr);
  const service = async () =>
    JSON.parse(readFileSync(join(cwd, ".loadform/service.json"), "utf8").split("\n")[0] ?? "");
  return { cwd, write, loadform, service, file: (name: string) => readFileSync(join(cwd, name), "utf8") };
}
