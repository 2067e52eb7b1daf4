import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { freshFolder } from "./run-cli.ts";
import { type RunningService, servedProject } from "./served-project.ts";

/** The main file of the project. */
export const main = `# yaml-language-server: $schema=x.json
project:  shop          # the shop
include: ["load/*.yaml"]
variables: { users: { default: 20 } }
environments: { staging: { testCases: { checkout: { description: Staging } } } }
defaults: { configuration: { iterationSleepSecs: 5 } }
`;

/** The file with the objects, `load/a.yaml`. */
export const load = `# the buying path
testCases:
  checkout:
    description: Buying path   # for people
    scenarios:
      browse: { script: "\${file:../scripts/browse.js}", 'name': 'Browse' }
      # pays
      pay:
        script: \${file:../scripts/pay.js}
        init: \${file:../scripts/init.js}
      refund: { script: "refund();", init: "\${file:../scripts/init.js}" }
    # records traffic
    gateways:
      # the only one
      shop: { url: "https://shop.example.com" }
    configurations:
      smoke: &smoke
        scenario: browse
        concurrentClients: \${var:users}
        durationSecs: 60   # a minute
        scriptParams: { region: "\${env:REGION}" }
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
      peak:
        <<: *smoke
        concurrentClients: 100
      long: { <<: *smoke, durationSecs: 600, concurrentClients: 7 }
`;

/** An object of a list. */
export interface Listed {
  readonly id: number;
  readonly name: string;
}
type Tree = Readonly<Record<"configurations" | "scenarios" | "gateways", readonly Listed[]>> & Listed;

/** Folders and services as an apply of a text left them: the next test with the same text at the same service begins there. */
const appliedBefore = new Map<string, { readonly folder: string; readonly state: unknown }>();

/** A project that was applied, and ways to look at it and to change what is at the service. */
export async function appliedProject(service: RunningService, text = load) {
  const project = servedProject(service, main, { REGION: "eu-secret-1" });
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(project.cwd, path)), { recursive: true });
    writeFileSync(join(project.cwd, path), content);
  };
  const key = `${service.ready.url} ${text}`;
  const before = appliedBefore.get(key);
  if (before === undefined) {
    put("load/a.yaml", text);
    for (const name of ["browse", "pay", "init"]) put(`scripts/${name}.js`, `${name}();\n`);
    const applied = await project.run("apply", "--auto-approve");
    expect([applied.code, applied.stderr]).toEqual([0, expect.not.stringContaining("LF")]);
    const folder = freshFolder();
    cpSync(project.cwd, folder, { recursive: true });
    appliedBefore.set(key, { folder, state: (await service.call("GET", "/_loadform/state")).body });
  } else {
    cpSync(before.folder, project.cwd, { recursive: true });
    expect(await service.call("PUT", "/_loadform/state", before.state)).toMatchObject({ status: 200 });
  }
  const [tree] = (await service.call("GET", "/test-cases?down=true")).body as readonly Tree[];
  const idOf = (list: "configurations" | "scenarios" | "gateways", name: string) =>
    tree?.[list].find((each) => each.name === name)?.id;
  const read = (path = "load/a.yaml") => readFileSync(join(project.cwd, path), "utf8");
  const edit = (name: string, body: unknown) =>
    service.call("PUT", `/test-confs/${idOf("configurations", name)}`, body);
  return { ...project, idOf, read, edit, put };
}
