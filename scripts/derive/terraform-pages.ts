import type { AnyKind, Variant } from "../../src/model/kind.ts";
import { code } from "../../src/schema/reference-table.ts";
import type { TerraformAttribute } from "../../src/terraform-schema/attribute.ts";
import type { DataSourceSchema } from "../../src/terraform-schema/data-sources.ts";
import { foreignKey, resourceType, snakeCase } from "../../src/terraform-schema/names.ts";
import type { ResourceSchema } from "../../src/terraform-schema/resource.ts";
import { terraformSchema } from "../../src/terraform-schema/schema.ts";
import { attributeLists } from "./attribute-lists.ts";
import { dataSourceExamples, providerExample, resourceExamples } from "./terraform-examples.ts";

/**
 * The pages of the Terraform provider, by path in the repository: laid out as registries want a provider's `docs/`, so
 * docs/terraform is published as it is.
 */
export function terraformPages(kinds: readonly AnyKind[]): Readonly<Record<string, string>> {
  const { provider, resources, dataSources } = terraformSchema(kinds);
  const pages = [
    ["index.md", indexPage(attributeLists(provider), [...resources.keys()], [...dataSources.keys()])],
    ...[...resources.values()].map((each) => [pathOf("resources", each.type), resourcePage(each)]),
    ...[...dataSources.values()].map((each) => [pathOf("data-sources", each.type), dataSourcePage(each)]),
  ] as const;
  return Object.fromEntries(pages.map(([path, text]) => [`docs/terraform/${path}`, text]));
}

/** A page is named for its type without the provider's name. */
function pathOf(folder: "resources" | "data-sources", type: string): string {
  return `${folder}/${type.replace(/^loadform_/, "")}.md`;
}

function indexPage(schema: string, resources: readonly string[], dataSources: readonly string[]): string {
  const links = (folder: "resources" | "data-sources", types: readonly string[]) =>
    types.map((type) => `[${code(type)}](${pathOf(folder, type)})`).join(", ");
  return page({
    title: "loadform Provider",
    heading: "loadform Provider",
    description:
      "Keeps the load tests of a load-testing service: scenarios, configurations, schedules, data and grids.",
    sections: [
      example(providerExample),
      "`LOADFORM_URL` and `LOADFORM_API_KEY` in the environment stand for `url` and `api_key`: a key is better there than in a file. " +
        "The provider speaks plugin protocol 6, to Terraform 1.11 or newer, and needs `node` 20.19 or newer on the PATH.",
      `Resources: ${links("resources", resources)}.`,
      `Data sources: ${links("data-sources", dataSources)}.`,
      `## Schema\n\n${schema}`,
    ],
  });
}

function resourcePage({ type, kind, description, attributes }: ResourceSchema): string {
  return page({
    title: `${type} Resource - loadform`,
    heading: `${type} (Resource)`,
    description,
    sections: [
      example(resourceExamples[type]),
      `## Schema\n\n${attributeLists(attributes)}`,
      `## Changes\n\n${lifecycleNotes(kind, attributes)}`,
      importText(type, kind),
    ],
  });
}

function dataSourcePage({ type, description, attributes }: DataSourceSchema): string {
  return page({
    title: `${type} Data Source - loadform`,
    heading: `${type} (Data Source)`,
    description,
    sections: [example(dataSourceExamples[type]), `## Schema\n\n${attributeLists(attributes.map(asCondition))}`],
  });
}

/** An attribute that may be set is a condition: without it nothing is chosen, any value fits. */
function asCondition({ computed, ...attribute }: TerraformAttribute): TerraformAttribute {
  return attribute.optional || !computed ? attribute : { ...attribute, computed };
}

function example(text: string | undefined): string {
  return text === undefined ? "" : `## Example Usage\n\n${fenced("terraform", text)}`;
}

function importText(type: string, { createdByUse }: AnyKind): string {
  const block = `import {\n  to = ${type}.example\n  id = "7"\n}\n`;
  return [
    `## Import\n\nBy its id at the service${createdByUse ? ", once it exists" : ""}:`,
    fenced("terraform", block),
    "`terraform plan -generate-config-out=generated.tf` writes the resource for it. Or, for one that is written already:",
    fenced("shell", `terraform import ${type}.example 7\n`),
  ].join("\n\n");
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\``;
}

interface Page {
  readonly title: string;
  readonly heading: string;
  readonly description: string;
  readonly sections: readonly string[];
}

function page({ title, heading, description, sections }: Page): string {
  const front = `---\npage_title: "${title}"\nsubcategory: ""\ndescription: |-\n  ${description}\n---`;
  return `${[front, `# ${heading}`, description, ...sections].filter((part) => part !== "").join("\n\n")}\n`;
}

/** The effects of a change of a resource, and the notes of its own on its life cycle, in Markdown. */
function lifecycleNotes(kind: AnyKind, attributes: readonly TerraformAttribute[]): string {
  const notes = [
    changeText(kind, attributes),
    ...(kind.variants ?? []).map((variant) => variantText(variant, attributes)),
    ...(attributes.some(({ writeOnly }) => writeOnly) ? [writeOnlyText] : []),
    ...("name" in kind.fields && !kind.createdByUse ? [sameNameText, replacedText(kind)] : []),
    ...(ownNotes[kind.name] ?? []),
  ];
  return notes.map((note) => `- ${note}`).join("\n");
}

function changeText({ createdByUse }: AnyKind, attributes: readonly TerraformAttribute[]): string {
  const replacing = attributes.filter(({ requiresReplace }) => requiresReplace).map(({ name }) => code(name));
  if (createdByUse) return "It cannot be changed.";
  if (replacing.length === 0) return "Every change is made in place: the id remains.";
  return `A change of ${replacing.join(" or ")} replaces the object: it gets a new id. Any other change is made in place.`;
}

function variantText({ by, owns }: Variant, attributes: readonly TerraformAttribute[]): string {
  const named = (field: string) => {
    const found = attributes.find(({ name }) => name === snakeCase(field) || name === foreignKey(field));
    return code(found?.name ?? snakeCase(field));
  };
  if (typeof by !== "string") return `Either ${by.map(named).join(" or ")}, not both.`;
  const cases = Object.entries(owns).map(
    ([choice, fields]) => `${code(choice)}: ${fields.map(named).join(", ") || "none"}`,
  );
  return `These attributes are used only with some values of ${named(by)}. ${cases.join("; ")}. A change of the value clears the attributes of the old one.`;
}

const writeOnlyText =
  "Of a secret and its write-only form (`…_wo`) one may be set. The write-only one is in no plan and no state; a change of its value alone plans nothing: raise its `…_wo_version`. What was changed outside cannot be seen, and one that is taken out of a program remains at the service.";

const sameNameText =
  "A create that finds one of that name in the same place is an error, which shows the `import` block to write; see `adopt_existing` of the [provider](../index.md).";

/** Terraform does not tell a provider which objects are in the state, nor a create what it replaces. */
function replacedText({ naturalKey }: AnyKind): string {
  const isUnique = naturalKey !== undefined;
  const beside = `created beside it${isUnique ? "" : " by an apply of a saved plan file"}`;
  const later = isUnique ? "the service has no two of one name" : "a later apply may change it back";
  return `It is an error too where that one is managed already and the new one is ${beside}, or takes its place with \`create_before_destroy\`: write another \`name\`; ${later}.`;
}

const inUse = (what: string) =>
  `The service refuses to delete one that ${what}, and Terraform deletes a resource before it changes what used it. With \`lifecycle { create_before_destroy = true }\`, applied once, what used it is changed first, be it replaced or removed. Without it a removal takes two applies, the first one \`terraform apply -target=ADDRESS\` of what used it.`;

/** Notes that do not follow from the fields, by kind. */
const ownNotes: Readonly<Record<string, readonly string[]>> = {
  testCase: ["Destroying it deletes everything that belongs to it."],
  scenario: [
    `Name tags as \`${resourceType("tag")}.NAME.name\`, so that Terraform knows the order.`,
    inUse("a configuration runs"),
    "`script`, `init` and `teardown` are equal to what the service has when they are so after Unicode normalization (NFC), which Terraform does to every text.",
  ],
  dataStore: [
    "`contents` takes text. Terraform normalizes it (NFC), and `file()` refuses what is no UTF-8: for the exact bytes of a file write `contents_base64 = filebase64(…)`.",
    "New contents are sent to the same data store: its id remains.",
  ],
  configuration: [
    "Destroying it deletes the results of its runs.",
    `Schedules are resources of their own: \`${resourceType("schedule")}\`.`,
  ],
  gateway: ["Destroying it deletes its recordings."],
  schedule: [
    "It is written within its configuration; those that are there already, whoever made them, remain. The service takes them as one list: of what runs on two machines write for one configuration at the same moment, some may be lost, which the next plan shows.",
    "A Single schedule that has run is finished: it counts as what was applied, and is sent again only with another moment, which must lie in the future, as that of a new one.",
  ],
  vcsRoot: [
    "An imported one comes without its secret: validate warns of it, and nothing is sent until one is written.",
  ],
  provider: [inUse("a configuration uses")],
  region: [
    "The service has no delete: destroying a region deactivates it, and creating one of the same name in its grid re-activates it. It is refused while agents run there.",
  ],
  tag: [
    "The service makes a tag when a scenario or a run first carries it. Until then the resource is pending: in the state without an id, and no change in a plan; the next refresh finds the id.",
    "A tag cannot be renamed: declare one with the new name, change the scenarios, remove the old one.",
    "Destroying it deletes the tag at the service; a pending one is only forgotten.",
  ],
};
