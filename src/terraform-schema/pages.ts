import type { AnyKind } from "../model/kind.ts";
import { code } from "../schema/reference-table.ts";
import type { TerraformAttribute } from "./attribute.ts";
import { attributeLists } from "./attribute-lists.ts";
import type { DataSourceSchema } from "./data-sources.ts";
import { dataSourceExamples, providerExample, resourceExamples } from "./examples.ts";
import { lifecycleNotes } from "./lifecycle-notes.ts";
import type { ResourceSchema } from "./resource.ts";
import { terraformSchema } from "./schema.ts";

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
