import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { mainFile, programFile } from "../../workspace/workspace.ts";
import type { EntryInput } from "../entry-document.ts";
import { expandText, isUnset } from "../expand.ts";
import { chosenEnvironment, withEnvironment } from "../merge-documents.ts";
import { readEntry } from "../read-entry.ts";

/** Whose project is looked at. */
export interface ServiceQuery extends EntryInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment?: string;
}

/** The service that a project names now, as far as its YAML says so without variables. */
export interface DeclaredService {
  readonly source: "$LOADFORM_URL" | "service.url";
  readonly url?: string;
  readonly organization?: string | number;
}

/** The service that commands on a project act on; $LOADFORM_URL wins. A folder without a project declares none. */
export async function declaredService(query: ServiceQuery): Promise<DeclaredService> {
  const override = query.env["LOADFORM_URL"];
  const { url, organization } = await serviceIn(query).catch(() => ({}) as JsonObject);
  const text = (value: unknown) => knownText(value, query.env);
  const named = typeof organization === "number" ? organization : text(organization);
  const found = override !== undefined && override !== "" ? override : text(url);
  return {
    source: found === override ? "$LOADFORM_URL" : "service.url",
    ...(found !== undefined && { url: found }),
    ...(named !== undefined && { organization: named }),
  };
}

/** A program is not run for it. */
async function serviceIn(query: ServiceQuery): Promise<JsonObject> {
  const { workspace, environment } = query;
  if ((await workspace.exists(programFile)) || !(await workspace.exists(mainFile))) return {};
  const { document, complete } = await readEntry(query);
  const chosen = chosenEnvironment(environment, document);
  const effective = chosen === undefined ? document : withEnvironment(document, chosen);
  return complete && isObject(effective["service"]) ? effective["service"] : {};
}

/** A text that is known without variables: what `--var` set is not. */
function knownText(value: unknown, env: ServiceQuery["env"]): string | undefined {
  if (typeof value !== "string" || value === "" || /\$\{(?:var|file):/.test(value)) return undefined;
  const scope = { env, files: new Map(), variable: () => undefined, variableNames: [], unsetEnv: "warning" as const };
  const expanded = expandText(value, scope).value;
  return isUnset(expanded) || typeof expanded !== "string" ? undefined : expanded;
}
