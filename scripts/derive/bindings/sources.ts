import type { AnyKind } from "../../../src/model/kind.ts";
import { terraformSchema } from "../../../src/terraform-schema/schema.ts";
import { escapeLiterals } from "./escape-literals.ts";
import { type BindingLibrary, literalSource, peerCheckSource } from "./templates.ts";

export interface BindingInput {
  readonly library: BindingLibrary;
  readonly kinds: readonly AnyKind[];
  /** Files that the library's generator wrote, by path in its folder. */
  readonly generated: Readonly<Record<string, string>>;
  /** The text of literal.ts. */
  readonly literal: string;
}

const generatedFolder = "providers/loadform/";
/** A second index that nothing here asks for, and pages that name a registry. */
const leftOut = /(^|\/)(lazy-index\.ts|[^/]*\.md)$/;

/** The TypeScript sources of the bindings by path: those of the generator, with literal texts escaped and a check for the library. */
export function bindingSources(input: BindingInput): Readonly<Record<string, string>> {
  const { library, literal } = input;
  const types = literalAttributes(input.kinds);
  const escapedTypes = new Set<string>();
  const sources: Record<string, string> = {
    "literal.ts": literalSource(literal, library),
    "require-peer.ts": peerCheckSource(library),
  };
  for (const [path, text] of Object.entries(input.generated)) {
    const name = path.slice(generatedFolder.length);
    if (leftOut.test(name)) continue;
    const type = /static readonly tfResourceType = "([^"]+)"/.exec(text)?.[1] ?? "";
    const isResource = text.includes(`extends ${library.name}.TerraformResource`);
    const attributes = isResource ? (types.get(type) ?? []) : [];
    if (attributes.length > 0) escapedTypes.add(type);
    sources[name] = name === "index.ts" ? withIndex(text) : withPeerCheck(escapeLiterals(text, attributes));
  }
  const missing = [...types.keys()].filter((type) => !escapedTypes.has(type));
  if (missing.length > 0) throw new Error(`found no class for ${missing.join(", ")} in what ${library.name} generated`);
  return sources;
}

/** The attributes at the root of each resource whose text is to be taken as it is. */
function literalAttributes(kinds: readonly AnyKind[]): ReadonlyMap<string, readonly string[]> {
  const types = [...terraformSchema(kinds).resources.values()].map(
    ({ type, attributes }) => [type, attributes.filter((each) => each.literal).map(({ name }) => name)] as const,
  );
  return new Map(types.filter(([, names]) => names.length > 0));
}

function withIndex(text: string): string {
  return `import './require-peer';\n${text}export { literal } from './literal';\n`;
}

/** The check comes before the first import, which would fail without saying what to do. Nothing of ours is at the linked registry. */
function withPeerCheck(text: string): string {
  return text
    .replace(/\n {2,}\*\n {2,}\* Docs at Terraform Registry: .*/g, "")
    .replace(/\{@link https:\/\/registry\.terraform\.io\S* ([^}]*)\}/g, "$1")
    .replace(/^\/\/ https:\/\/registry\.terraform\.io.*\n/gm, "")
    .replace(/^import /m, "import '../require-peer';\nimport ");
}
