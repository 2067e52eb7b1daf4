import { pascalCase } from "../../src/authoring/write-typescript.ts";
import type { AnyKind } from "../../src/model/kind.ts";
import { propsDeclarations } from "./props-source.ts";
import { fromTheTop } from "./reference-yaml.ts";

const head = `# TypeScript reference

A project can be a program: \`loadform.config.ts\` in its folder, instead of \`loadform.yaml\`, with an \`App\` as its default export.
\`examples/typescript\` is a complete one. Fields, addresses and commands are the same as [in YAML](reference-yaml.md). This page is made from the kinds by \`scripts/generate.js\`.

<!-- file: loadform.config.ts -->

\`\`\`ts
import { App, Configuration, env, file, Scenario, Schedule, TestCase, VcsRoot, variable } from "loadform";

const app = new App({
  project: "webshop",
  service: { url: "https://load.example.com/api" },
  variables: { users: { type: "number", default: 20 } },
});

new VcsRoot(app, "scripts", {
  url: "https://git.example.com/load.git",
  vcsAuthType: "Username",
  username: "ci",
  password: env("GIT_TOKEN"),
});

const checkout = new TestCase(app, "checkout", { name: "Checkout", protect: true });
const browse = new Scenario(checkout, "browse", { script: file("scripts/browse.js") });

for (const region of ["cloud-us-east-1", "cloud-eu-west-1"]) {
  const smoke = new Configuration(checkout, region, {
    scenario: browse,
    concurrentClients: variable("users"),
    durationSecs: 60,
    providers: [{ provider: { name: "Public Shared Grid" }, regions: [region] }],
  });
  new Schedule(smoke, "nightly", { scheduleType: "Recurring", recurringInterval: "Day", hour: 2, minute: 30 });
}
export default app;
\`\`\`

<!-- run
mkdir -p scripts && echo 'log.info("browse");' > scripts/browse.js
-->

\`\`\`sh
GIT_TOKEN=a-token loadform validate
\`\`\`

\`\`\`
webshop: 7 objects, no problems.
\`\`\`

Each object is a construct: \`new Kind(scope, id, props)\`. The id is the key; the scope is the object above, or the \`App\`. They are
constructs of the package \`constructs\`, so you can group them in classes of your own. An object has the props with which it was made:
what changes later in an object or list that it shares with others changes nothing in it.

| Function | Is |
| --- | --- |
| \`file(path)\` | the text or bytes of a file, relative to the project folder |
| \`app.environment\` | the environment chosen by \`--env\`, \`$LOADFORM_ENV\` or \`defaultEnvironment\`, or undefined |
| \`env(name)\` | an environment variable, treated as a secret |
| \`variable(name)\` | a variable of the project |

How to test a program, and what else the package exports: [testing a program](testing-programs.md), [in programs and tests](embedding.md).

A reference is the construct itself, a key, \`{ id }\` or \`{ name }\`. These functions return an \`Expression\`; secrets accept nothing else. A \`FieldOf<Props>\` is the name of one of these fields,
other than \`protect\`, \`unmanaged\` and \`ignore\`.
`;

/** docs/reference-typescript.md. */
export function typescriptReference(kinds: readonly AnyKind[]): string {
  const declarations = propsDeclarations(kinds);
  const sections = fromTheTop(kinds).map((kind) => {
    const name = pascalCase(kind.name);
    const scope = kind.parent ?? "app";
    return section(
      `## ${name}\n\n${kind.description} \`new ${name}(${scope}, id, props)\`.`,
      declarations[kind.name] ?? "",
    );
  });
  return [
    head,
    section("## App\n\n`new App(props)`: the project itself.", declarations["app"] ?? ""),
    ...sections,
  ].join("\n");
}

function section(title: string, declaration: string): string {
  return `${title}\n\n<!-- not run: a declaration -->\n\n\`\`\`ts\n${declaration}\`\`\`\n`;
}
