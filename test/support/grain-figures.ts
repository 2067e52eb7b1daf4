import { fileURLToPath } from "node:url";
import { type ParseResult, parseSync, Visitor } from "rolldown/utils";
import { readSources, type SourceFile } from "./source-files.ts";

/** The figures of types, names and comments with a ceiling in test/ceilings.test.ts; each list names its files. */
export interface GrainFigures {
  /** Private interfaces whose every use is the whole type of a parameter of a function with a body: `path: name`. */
  readonly parameterInterfaces: readonly string[];
  /** Names under which more than two files declare a function: `name: paths`. */
  readonly sharedFunctionNames: readonly string[];
  /** Doc comments whose first word is What, Whether or How: `path:line`. */
  readonly questionComments: readonly string[];
}

/** Counts the grain of `sources`. */
export function grainFigures(sources: readonly SourceFile[]): GrainFigures {
  const files = sources.map(({ path, text }) => ({ path, text, parsed: parseSync(path, text) }));
  const filesOfName = new Map<string, string[]>();
  for (const { path, parsed } of files) {
    for (const name of functionNames(parsed)) filesOfName.set(name, [...(filesOfName.get(name) ?? []), path]);
  }
  return {
    parameterInterfaces: files.flatMap(({ path, parsed }) =>
      parameterInterfaces(parsed).map((name) => `${path}: ${name}`),
    ),
    sharedFunctionNames: [...filesOfName].flatMap(([name, paths]) =>
      paths.length > 2 ? [`${name}: ${paths.join(", ")}`] : [],
    ),
    questionComments: files.flatMap(({ path, text, parsed }) =>
      parsed.comments
        .filter(({ type, value }) => type === "Block" && /^\*[\s*]*(?:What|Whether|How)\b/.test(value))
        .map(({ start }) => `${path}:${text.slice(0, start).split("\n").length}`),
    ),
  };
}

/** The names of all function declarations of a file, inner ones included. */
function functionNames({ program }: ParseResult): ReadonlySet<string> {
  const names = new Set<string>();
  new Visitor({ FunctionDeclaration: ({ id }) => void (id && names.add(id.name)) }).visit(program);
  return names;
}

function parameterInterfaces({ program }: ParseResult): readonly string[] {
  const uses = new Map<string, number[]>();
  const used = (name: string, at: number) => uses.set(name, [...(uses.get(name) ?? []), at]);
  const parameters = new Set<number>();
  const takes = (node: { readonly params: readonly object[] }) => {
    for (const at of node.params.map(startOfType)) if (at !== undefined) parameters.add(at);
  };
  new Visitor({
    FunctionDeclaration: takes,
    FunctionExpression: takes,
    ArrowFunctionExpression: takes,
    TSTypeReference: ({ typeName, start }) => {
      if (typeName.type === "Identifier") used(typeName.name, start);
    },
    TSInterfaceHeritage: ({ expression, start }) => {
      if (expression.type === "Identifier") used(expression.name, start);
    },
    TSClassImplements: ({ expression, start }) => {
      if (expression.type === "Identifier") used(expression.name, start);
    },
  }).visit(program);
  return program.body.flatMap((statement) => {
    if (statement.type !== "TSInterfaceDeclaration") return [];
    const at = uses.get(statement.id.name) ?? [];
    return at.length > 0 && at.every((start) => parameters.has(start)) ? [statement.id.name] : [];
  });
}

/** A parameter as the parser gives it: bare, with a default, or a property of its class. */
interface ParameterNode {
  readonly typeAnnotation?: { readonly typeAnnotation: { readonly type: string; readonly start: number } } | null;
  readonly left?: ParameterNode;
  readonly parameter?: ParameterNode;
}

/** The place of the name that is the whole type of a parameter. */
function startOfType(node: ParameterNode): number | undefined {
  const inner = node.left ?? node.parameter;
  if (inner !== undefined) return startOfType(inner);
  const type = node.typeAnnotation?.typeAnnotation;
  return type?.type === "TSTypeReference" ? type.start : undefined;
}

/** `npx jiti test/support/grain-figures.ts [SRC]` prints the figures, and with `--list` every place. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2).filter((argument) => argument !== "--list");
  for (const [figure, places] of Object.entries(grainFigures(readSources(folder)))) {
    process.stdout.write(`${figure}: ${places.length}\n`);
    if (process.argv.includes("--list")) process.stdout.write(`${places.join("\n")}\n\n`);
  }
}
