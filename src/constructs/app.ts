import { Construct, RootConstruct } from "constructs";
import type { AppProps } from "../../gen/props.js";
import { DeclarationError } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { KindConstruct, parentOf } from "./kind-construct.ts";

/** The result of `app.toDocument()`: the document as YAML would have it, and the place where each object was created. */
export interface AppDocument {
  /** The content of a loadform.yaml: settings, and objects by key in their sections. References are keys, expressions are `${…}` text. */
  readonly document: JsonObject;
  /** By path in the document, joined by `/`. */
  readonly stacks: ReadonlyMap<string, Error>;
}

/**
 * The root of a project written in TypeScript; the default export of loadform.config.ts. `toDocument()` is the project as plain
 * data, and throws where an address is declared twice or a value is no object of the service.
 */
export class App extends RootConstruct {
  /** Tells it from the objects of the service, which are not made directly in it when they belong to another object. */
  readonly kind = "app";
  readonly props: AppProps;
  /** The chosen environment: --env, else $LOADFORM_ENV, else `defaultEnvironment`; undefined when none is. */
  readonly environment: string | undefined;

  constructor(props: AppProps) {
    super("");
    this.props = props;
    const chosen = process.env["LOADFORM_ENV"] ?? props.defaultEnvironment ?? "";
    this.environment = chosen === "" ? undefined : chosen;
  }

  /** The project as plain data. Throws an Error that names the construct where an address is declared twice. */
  toDocument(): AppDocument {
    const document: Record<string, Json> = { ...(plainProps(this.props) as JsonObject) };
    const stacks = new Map<string, Error>();
    const made = new Map<KindConstruct, DocumentEntry>();
    for (const construct of this.node.findAll()) {
      if (!(construct instanceof KindConstruct)) continue;
      const above = parentOf(construct);
      const holder = (above && made.get(above)) ?? { value: document, path: "" };
      const place = declare(construct, holder);
      made.set(construct, place);
      stacks.set(place.path, construct.made);
    }
    return { document, stacks };
  }
}

interface DocumentEntry {
  readonly value: Record<string, Json>;
  readonly path: string;
}

function declare(construct: KindConstruct, holder: DocumentEntry): DocumentEntry {
  const { plural, name } = construct.definition;
  const { key } = construct;
  const siblings = (holder.value[plural] ?? {}) as Record<string, Json>;
  if (Object.hasOwn(siblings, key))
    throw new DeclarationError(`${construct.node.path} is a second ${name} "${key}": rename or remove one`);
  const value = plainProps(construct.props) as Record<string, Json>;
  siblings[key] = value;
  holder.value[plural] = siblings;
  return { value, path: `${holder.path === "" ? "" : `${holder.path}/`}${plural}/${key}` };
}

/** Props as JSON: referred objects become the keys that lead to them, undefined members are omitted. */
function plainProps(value: unknown): Json {
  if (value instanceof KindConstruct) return keysTo(value);
  if (value instanceof Construct)
    throw new DeclarationError(`${value.node.path} is no object of the service, so it cannot be a value`);
  if (Array.isArray(value)) return value.map(plainProps);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return value as Json;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plainProps(member)]));
}

function keysTo(construct: KindConstruct): string {
  const above = parentOf(construct);
  return above === undefined ? construct.key : `${keysTo(above)}/${construct.key}`;
}
