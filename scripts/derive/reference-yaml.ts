import type { AnyKind, Variant } from "../../src/model/kind.ts";
import { lifecycleFields, projectFields } from "../../src/schema/project-fields.ts";
import { code, fieldRows, fieldTable } from "../../src/schema/reference-table.ts";

const head = `# YAML reference

All keys of \`loadform.yaml\` and of the files that it includes. Editors know them too: see the first line that \`loadform init\`
writes, and \`loadform schema\`. This page is made from the kinds by \`scripts/generate.js\`.

## An example

<!-- run
mkdir -p scripts data && echo 'log.info("browse");' > scripts/browse.js && printf 'name,cart\\nada,book\\n' > data/users.csv
-->

<!-- file: loadform.yaml -->

\`\`\`yaml
project: webshop
service: { url: https://load.example.com/api, organization: Shop }
state: { backend: http, address: https://state.example.com/webshop }
variables:
  users: { type: number, default: 20 }
environments:
  staging: # loadform plan --env staging
    variables: { users: { default: 5 } }
    testCases: { checkout: { configurations: { smoke: { schedules: null } } } }
defaults:
  configuration: { iterationSleepSecs: 5 }
vcsRoots:
  scripts:
    url: https://git.example.com/load.git
    vcsAuthType: Username
    username: ci
    password: \${env:GIT_TOKEN}
testCases:
  checkout:
    name: Checkout
    protect: true
    ignore: [description]
    scenarios:
      browse:
        script: \${file:scripts/browse.js}
        dataStores:
          users.csv: { contents: "\${file:data/users.csv}" }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: \${var:users}
        durationSecs: 60
        providers:
          - { provider: { name: Public Shared Grid }, regions: [cloud-us-east-1, cloud-eu-west-1] }
        schedules:
          nightly: { scheduleType: Recurring, recurringInterval: WeekDay, minute: 30, hour: 2 }
\`\`\`

\`\`\`sh
GIT_TOKEN=a-token loadform validate --env staging
loadform fmt --check
\`\`\`

\`\`\`
webshop: 5 objects, no problems.
\`\`\`

## Keys, values, references

**Keys and names.** Each object is written under a key of your choice (letters, digits, \`.\`, \`_\`, \`-\`). The key is the object's identity in
git and in [addresses](#addresses); it is never sent. \`name\` is what the service shows; without one it is the key.

**Unset, default, null.** A field that is not set is not managed: its live value remains. If you remove a field that was set, it goes back to its
default, if it has one. \`null\` clears a field.

**Values from elsewhere** can be anywhere in a text:

| Written | Is |
| --- | --- |
| \`\${env:NAME}\` | the environment variable; its value is treated as a secret everywhere |
| \`\${file:PATH}\` | the text of a file of the project, relative to the file that names it |
| \`\${var:NAME}\` | a variable: from \`--var\`, else \`$LOADFORM_VAR_<name>\`, else the environment's default, else the project's |
| \`$\${\` | a plain \`\${\`; any other \`\${…}\` is not changed |

**Secrets** accept only \`\${env:…}\` or \`\${file:…}\`. They are never printed and never stored; a change shows as \`(secret changed)\`.

**References** are a key of the project, \`{ id: 7 }\` or \`{ name: "…" }\`. Times are ISO 8601 or epoch milliseconds, in UTC.

## Addresses

\`testCase.checkout/configuration.smoke\`: kinds and keys from the top. You can use globs instead of an address:
\`testCase.checkout/**\`, \`*/configuration.*\`.
`;

const settings = `## The project

\`environments\` contains, by name, the differences of each environment. \`--env NAME\`, \`$LOADFORM_ENV\` or \`defaultEnvironment\` chooses one, which is merged over the whole project (a JSON merge patch); \`--env ''\` chooses none.
An \`include\` of an environment replaces the project's: its files are read instead. It is in loadform.yaml, as \`defaultEnvironment\` is then.
\`\${var:environment}\` is the name of the chosen one, or empty.
\`defaults\` contains, by kind, fields for every object of that kind. An object whose variant does not have such a field ignores it.
`;

const everywhere = `## Every object

Every object can have these in addition to the fields of its kind. \`unmanaged\` is for top-level objects that contain others.
`;

/** docs/reference-yaml.md. */
export function yamlReference(kinds: readonly AnyKind[]): string {
  const ignore = {
    path: "ignore",
    type: "list of field names",
    fallback: "none",
    about: "Fields whose drift is ignored.",
  };
  return [
    head,
    settings,
    `${fieldTable(fieldRows(projectFields))}\n`,
    everywhere,
    `${fieldTable([...fieldRows(lifecycleFields), ignore])}\n`,
    ...fromTheTop(kinds).map((kind) => section(kind, kinds)),
  ].join("\n");
}

/** Kinds in reading order: those with children first, each followed by its children. */
export function fromTheTop(kinds: readonly AnyKind[], parent?: string): readonly AnyKind[] {
  const here = kinds.filter((kind) => kind.parent === parent);
  const sized = here.map((kind) => [kind, ...fromTheTop(kinds, kind.name)]);
  return sized.sort((left, right) => Number(right.length > 1) - Number(left.length > 1)).flat();
}

function section(kind: AnyKind, kinds: readonly AnyKind[]): string {
  const inner = kinds.filter(({ parent }) => parent === kind.name).map(({ plural }) => link(plural));
  return [
    `## ${kind.plural}\n`,
    `${kind.description}${kind.history ? " A delete can destroy its history: see [Safety](safety.md)." : ""}\n`,
    `It is written under ${code(yamlPlace(kind, kinds))}; its address is ${code(addressForm(kind, kinds))}.${inner.length > 0 ? ` Below it: ${inner.join(", ")}.` : ""}\n`,
    `${fieldTable(fieldRows(kind.fields))}\n`,
    ...(kind.variants ?? []).map((variant) => `${variantText(variant)}\n`),
    `${changeEffect(kind)}\n`,
  ].join("\n");
}

function yamlPlace(kind: AnyKind, kinds: readonly AnyKind[]): string {
  const parent = kinds.find(({ name }) => name === kind.parent);
  return parent === undefined ? kind.plural : `${yamlPlace(parent, kinds)}.KEY.${kind.plural}`;
}

function addressForm(kind: AnyKind, kinds: readonly AnyKind[]): string {
  const parent = kinds.find(({ name }) => name === kind.parent);
  return `${parent === undefined ? "" : `${addressForm(parent, kinds)}/`}${kind.name}.KEY`;
}

function link(plural: string): string {
  return `[${plural}](#${plural.toLowerCase()})`;
}

function variantText({ by, owns }: Variant): string {
  if (typeof by !== "string") return `Either ${by.map(code).join(" or ")}, not both.`;
  const cases = Object.entries(owns).map(
    ([choice, fields]) => `${code(choice)}: ${fields.map(code).join(", ") || "none"}`,
  );
  return `These fields are used only with some values of ${code(by)}. ${cases.join("; ")}. A change of the value clears the fields that the project set for the old one.`;
}

/** The effect of a change (docs/engine.md, Write routes). */
function changeEffect(kind: AnyKind): string {
  const replacing = Object.entries(kind.fields).filter(([, field]) => field.change === "replace");
  const moved = kind.parent === undefined ? "" : ` So does moving it to another ${kind.parent}.`;
  if (replacing.length > 0)
    return `A change of ${replacing.map(([name]) => code(name)).join(" or ")} replaces it by a new object with another id.${moved} Any other change is made in place.`;
  if (kind.createdByUse) return "It cannot be changed; the service creates it with the first object that uses it.";
  return `Changes are made in place: id and history remain.${moved === "" ? "" : ` Moving it to another ${kind.parent} replaces it by a new object.`}`;
}
