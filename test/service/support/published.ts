import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { barePath, createRouter, mountedRoutes } from "../../../src/service/core/router.ts";
import { makeOpenApi } from "../../../src/service/describe-routes.ts";
import type { Settings } from "../../../src/service/settings.ts";

/** What a service answered, as far as its OpenAPI speaks of it. */
interface PublishedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string | undefined;
  /** The value of a JSON answer. */
  readonly json: unknown;
}

type Unpublished = (answer: PublishedAnswer) => readonly string[];

const router = createRouter();
const known = new Map<Settings["errors"], Unpublished>();

/** Says where an answer departs from the published OpenAPI of its operation: status, media type, schema. */
export function publishedAnswers(errors: Settings["errors"]): Unpublished {
  const made = known.get(errors) ?? makeUnpublished(errors);
  known.set(errors, made);
  return made;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Published {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

/** A response, and its place in the document. */
interface Found {
  readonly place: string;
  readonly content: Response["content"];
}

function makeUnpublished(errors: Settings["errors"]): Unpublished {
  const document = makeOpenApi(mountedRoutes(), { authHeader: "X-Api-Key", errors });
  const responseOf = responseFinder(document as unknown as Published);
  const violations = makeValidator(document);
  return ({ method, path, status, type, json }) => {
    const [bare = ""] = path.split("?");
    const found = responseOf(method, barePath(bare), status);
    if (found === undefined) return [`status ${status} is not published`];
    if (method === "HEAD" || found.content === undefined)
      return type === undefined ? [] : [`found ${type}; expected none`];
    const [media = ""] = (type ?? "none").split(";");
    if (!(media in found.content) && !("*/*" in found.content))
      return [`found ${media}; published are ${Object.keys(found.content).join(", ")}`];
    const isDescribed = media === "application/json" && media in found.content;
    return isDescribed ? violations(`${found.place}/content/${escaped(media)}/schema`, json) : [];
  };
}

function responseFinder({ paths, components }: Published) {
  /** Two paths that differ in the names of their parameters are one. */
  const templates = new Map(Object.keys(paths).map((path) => [path.replace(/\{\w+\}/g, ":"), path]));
  return (method: string, path: string, status: number): Found | undefined => {
    const mounted = router.find(method, path)?.mounted;
    // What no route has is refused like everything else.
    if (mounted === undefined)
      return { place: "components/responses/refused", content: components.responses["refused"]?.content };
    const template = templates.get(mounted.path.replace(/:\w+/g, ":")) ?? "";
    const verb = mounted.method.toLowerCase();
    const { responses = {} } = paths[template]?.[verb] ?? {};
    const name = [String(status), `${String(status)[0]}XX`].find((each) => each in responses);
    const response = name === undefined ? undefined : responses[name];
    if (name === undefined || response === undefined) return undefined;
    const shared = response.$ref?.split("/").at(-1);
    if (shared === undefined)
      return { place: `paths/${escaped(template)}/${verb}/responses/${name}`, content: response.content };
    return { place: `components/responses/${shared}`, content: components.responses[shared]?.content };
  };
}

function makeValidator(document: object): (pointer: string, json: unknown) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", ...document });
  const validators = new Map<string, ValidateFunction>();
  return (pointer, json) => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
    validators.set(pointer, validate);
    if (validate(json)) return [];
    const { errors } = validate;
    return (errors ?? []).map((each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`);
  };
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
