import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { freshFolder, runCli } from "../../support/run-cli.ts";
import { repository } from "../../support/source-files.ts";

const module = `parameters:
  path: { description: what is requested }
  users: { type: number, default: 5 }
  regions: { type: list, required: false }
  odd: { type: numbr, required: false }
testCases: {}
`;
const main = (use: string) => `project: shop\nuse: ${use}\n`;

/** A check of documents by the schema of a project with a module in two folders. */
async function schemaOf(files: Readonly<Record<string, string>>) {
  const cwd = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const { code, stdout, stderr } = await runCli(["schema", "--project", "."], { cwd });
  expect([code, stderr]).toEqual([0, ""]);
  return new Ajv({ strict: false, code: { optimize: false } }).compile(JSON.parse(stdout));
}

describe("loadform schema --project", () => {
  const first = main("{ a: { module: m/api.yaml, with: { path: / } } }");

  const judged = [
    ["all parameters", "{ a: { module: m/api.yaml, with: { path: /a, users: 3, regions: [x], odd: 1 } } }", true],
    [
      "a value that is replaced later",
      '{ a: { module: m/api.yaml, with: { path: /a, users: "${var:users}" } } }',
      true,
    ],
    ["another module", "{ a: { module: m/unknown.yaml, with: { anything: 1 } } }", true],
    ["entries of forEach", "{ a: { module: m/api.yaml, forEach: { x: { path: / }, y: { users: 1 } } } }", true],
    ["an unknown parameter", "{ a: { module: m/api.yaml, with: { path: /a, user: 3 } } }", false],
    ["an unknown parameter in an entry", "{ a: { module: m/api.yaml, forEach: { x: { user: 3 } } } }", false],
    ["another type", "{ a: { module: m/api.yaml, with: { path: /a, users: many } } }", false],
    ["a list that is none", "{ a: { module: m/api.yaml, with: { path: /a, regions: x } } }", false],
    ["a missing parameter", "{ a: { module: m/api.yaml, with: { users: 3 } } }", false],
    ["none at all", "{ a: { module: m/api.yaml } }", false],
    ["nothing for the default", "{ a: { module: m/api.yaml, with: { path: /a, users: null, regions: null } } }", true],
    ["nothing for a parameter that has none", "{ a: { module: m/api.yaml, with: { path: null } } }", false],
    ["nothing in an entry", "{ a: { module: m/api.yaml, with: { path: / }, forEach: { x: { users: null } } } }", true],
    ["nothing needed in an entry", "{ a: { module: m/api.yaml, forEach: { x: { path: null } } } }", false],
    [
      "nothing where entries give it",
      "{ a: { module: m/api.yaml, with: { path: null }, forEach: { x: { path: / } } } }",
      true,
    ],
    ["nothing as forEach", "{ a: { module: m/api.yaml, forEach: null } }", false],
  ] as const;

  test("judges what uses give", async () => {
    const validate = await schemaOf({ "loadform.yaml": first, "m/api.yaml": module });
    for (const [what, use, isRight] of judged) expect(validate(parse(main(use))), what).toBe(isRight);
  });

  test("takes a path that means two modules for either", async () => {
    const files = {
      "loadform.yaml": `${first}include: [part/*.yaml]\nenvironments: { s: { use: { b: { module: m/late.yaml } } } }\n`,
      "part/loadform.yaml": "use: { b: { module: m/api.yaml, with: { word: w } } }\n",
      "part/m/api.yaml": "parameters: { word: {} }\n",
      "m/api.yaml": module,
      "m/late.yaml": "parameters: { late: {} }\n",
    };
    const validate = await schemaOf(files);
    const found = ["path: /", "word: w", "late: x"].map((given) =>
      validate(parse(main(`{ a: { module: m/api.yaml, with: { ${given} } } }`))),
    );
    expect(found).toEqual([true, true, false]);
    expect(validate(parse(main("{ a: { module: m/late.yaml, with: { late: x } } }")))).toBe(true);
  });

  test("asks for no parameter that an environment gives", async () => {
    const environments = `environments:
  one: { use: { late: { with: { path: / } }, each.x: { forEach: { x: { path: / } } }, none: { with: { path: null } } } }
  two: { use: { late: { with: { path: /, users: 3 } }, early: { with: { path: / } } } }
`;
    const uses = "{ late: { module: m/api.yaml }, early: { module: m/api.yaml, with: { path: / } } }";
    const validate = await schemaOf({ "loadform.yaml": main(uses) + environments, "m/api.yaml": module });
    const isRight = (use: string) => validate(parse(main(use) + environments));
    expect(isRight(uses)).toBe(true);
    expect(isRight("{ late: { module: m/api.yaml, with: { path: null }, forEach: null } }")).toBe(true);
    expect(isRight("{ late: { module: m/api.yaml, with: { user: 3 } } }")).toBe(false);
    expect(isRight("{ each.x: { module: m/api.yaml } }")).toBe(true);
    for (const other of ["early", "other", "none", "lat", "each-x"])
      expect(isRight(`{ ${other}: { module: m/api.yaml } }`), other).toBe(false);
  });

  test("is right about examples/fleet, and says where there is no project", async () => {
    const cwd = freshFolder();
    cpSync(join(repository, "examples/fleet"), join(cwd, "fleet"), { recursive: true });
    const { stdout } = await runCli(["schema", "--project", "fleet"], { cwd });
    const validate = new Ajv({ strict: false, code: { optimize: false } }).compile(JSON.parse(stdout));
    expect(validate(parse(readFileSync(join(cwd, "fleet/loadform.yaml"), "utf8")))).toBe(true);
    const none = await runCli(["schema", "--project", "."], { cwd });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("has no loadform.yaml")]);
    const kind = await runCli(["schema", "configuration", "--project", "fleet"], { cwd });
    expect([kind.code, kind.stderr]).toEqual([1, expect.stringContaining("Leave out configuration, or --project")]);
  });
});
