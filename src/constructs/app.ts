import { Construct, type IConstruct, RootConstruct } from "constructs";
import type { AppProps } from "../../gen/props.js";
import { DeclarationError, declarationError } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { asGiven, declarationOf, hasMembers, parentOf } from "./kind-construct.ts";

/** The result of `app.toDocument()`: the document as YAML would have it, and the place where each object was created. */
export interface AppDocument {
  /** The content of a loadform.yaml: settings, and objects by key in their sections. References are keys, expressions are `${…}` text. */
  readonly document: JsonObject;
  /** By path in the document, joined by `/`; that of the App has none. */
  readonly stacks: ReadonlyMap<string, Error>;
}

/**
 * The root of a project written in TypeScript; the default export of loadform.config.ts. `toDocument()` is the project as plain
 * data, and throws where an address is declared twice, a value cannot be in a document, or a construct's own validation finds a problem.
 */
export class App extends RootConstruct {
  /** Tells it from the objects of the service, which are not made directly in it when they belong to another object. */
  readonly kind = "app";
  readonly props: AppProps;
  /** Tells where it was made, for messages. */
  readonly made: Error = new Error();
  /** The chosen environment: --env, else $LOADFORM_ENV, else `defaultEnvironment`; undefined when none is. */
  readonly environment: string | undefined;

  constructor(props: AppProps) {
    super("");
    this.props = asGiven(props) as AppProps;
    const chosen = process.env["LOADFORM_ENV"] ?? props.defaultEnvironment ?? "";
    this.environment = chosen === "" ? undefined : chosen;
  }

  /** The project as plain data. Throws an Error that names the construct, or an AggregateError where several are wrong. */
  toDocument(): AppDocument {
    const problems: Error[] = [];
    const document: Record<string, Json> = {};
    const stacks = new Map([["", this.made]]);
    const entries = new Map<IConstruct, DocumentEntry>([[this, { value: document, path: "" }]]);
    for (const construct of this.node.findAll()) {
      const { made } = declarationOf(construct) ?? this;
      const words = refusals(construct, () => {
        if (construct === this) Object.assign(document, plainValue(this.props, []));
        const entry = declare(construct, entries);
        if (entry) stacks.set(entry.path, made);
        if (entry) entries.set(construct, entry);
      });
      // A problem is to be found where its construct was made, not here.
      problems.push(...words.map((each) => Object.assign(new DeclarationError(each), { stack: made.stack ?? "" })));
    }
    const all = new AggregateError(problems, problems.map(({ message }) => message).join("\n"));
    if (problems.length > 0) throw problems.length === 1 ? problems[0] : Object.assign(all, { name: declarationError });
    return { document, stacks };
  }
}

interface DocumentEntry {
  readonly value: Record<string, Json>;
  readonly path: string;
}

/** Problems of a construct: those that its own validation finds, and that it cannot be declared. */
function refusals(construct: IConstruct, work: () => void): readonly string[] {
  const said = construct.node.validate().map((words) => `${construct.node.path || "the App"}: ${words}`);
  try {
    work();
    return said;
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    return [...said, error.message];
  }
}

/** Adds an object to the one above it; nothing where that one is wrong itself, and for a group. */
function declare(construct: IConstruct, entries: ReadonlyMap<IConstruct, DocumentEntry>): DocumentEntry | undefined {
  const declaration = declarationOf(construct);
  const holder = declaration && entries.get(parentOf(construct, declaration) ?? construct.node.root);
  if (declaration === undefined || holder === undefined) return undefined;
  const { kind, key, props } = declaration;
  const siblings = (holder.value[kind.plural] ?? {}) as Record<string, Json>;
  if (Object.hasOwn(siblings, key))
    throw new DeclarationError(`${construct.node.path} is a second ${kind.name} "${key}": rename or remove one`);
  const value = plainValue(props, []) as Record<string, Json>;
  siblings[key] = value;
  holder.value[kind.plural] = siblings;
  return { value, path: `${holder.path === "" ? "" : `${holder.path}/`}${kind.plural}/${key}` };
}

/** A value as JSON: referred objects become the keys that lead to them, undefined members are omitted; `path` leads to a wrong one. */
function plainValue(value: unknown, path: string[]): Json {
  if (Construct.isConstruct(value)) return keysTo(value);
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
    return value as Json;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (Array.isArray(value)) return plainMembers(Object.entries(Array.from(value)), path).map(([, member]) => member);
  if (!hasMembers(value)) throw new DeclarationError(noJson(value, path));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(plainMembers(members, path));
}

/** Nothing in a project is so deep: it leads back to itself. */
const tooDeep = 100;

function plainMembers(members: readonly (readonly [string, unknown])[], path: string[]) {
  if (path.length > tooDeep) throw new DeclarationError(`${path.slice(0, 3).join(".")} leads back to itself`);
  return members.map(([name, member]) => {
    path.push(name);
    const plain = plainValue(member, path);
    path.pop();
    return [name, plain] as const;
  });
}

function noJson(value: unknown, path: readonly string[]): string {
  const type = typeof value === "object" ? (value?.constructor?.name ?? "object") : typeof value;
  const isShown = typeof value === "number" || value === undefined || value instanceof Date;
  const words = `a value is a text, a number, true, false, null, a list or an object of such${ArrayBuffer.isView(value) ? '; the bytes of a file are file("path")' : ""}`;
  return `${path.join(".") || "the object of its props"} is ${isShown ? String(value) : `a ${type}`}: ${words}`;
}

function keysTo(construct: IConstruct): string {
  const declaration = declarationOf(construct);
  if (declaration === undefined)
    throw new DeclarationError(`${construct.node.path} is no object of the service, so it cannot be a value`);
  const above = parentOf(construct, declaration);
  return above === undefined ? declaration.key : `${keysTo(above)}/${declaration.key}`;
}
