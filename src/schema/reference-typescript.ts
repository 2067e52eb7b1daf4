import type { AnyKind } from "../model/kind.ts";
import { propsDeclarations } from "./props-source.ts";
import { fromTheTop } from "./reference-yaml.ts";

const head = `# TypeScript reference

A project can be a program: \`loadform.config.ts\` in its folder, instead of \`loadform.yaml\`, with an \`App\` as its default export.
\`examples/typescript\` is a whole one. Fields mean the same as [in YAML](reference-yaml.md), addresses are the same, and so is every
command. This page is made from the kinds by \`scripts/generate.js\`.

Each object is a construct: \`new Kind(scope, id, props)\`. The id is the key; the scope is the object above, or the \`App\`. Constructs
are those of the package \`constructs\`: own classes may group them.

| Function | Is |
| --- | --- |
| \`file(path)\` | the text or bytes of a file, relative to the project folder |
| \`env(name)\` | an environment variable, treated as a secret |
| \`variable(name)\` | a variable of the project |

A reference takes the construct itself, a key, \`{ id }\` or \`{ name }\`. An \`Expression\` is what these functions return; secrets take nothing else.
`;

/** docs/reference-typescript.md. */
export function typescriptReference(kinds: readonly AnyKind[]): string {
  const declarations = propsDeclarations(kinds);
  const sections = fromTheTop(kinds).map((kind) => {
    const name = pascal(kind.name);
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

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
