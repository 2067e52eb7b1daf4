import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { Input } from "../rules/load-profile.ts";
import { schemeOf } from "../rules/read-text.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";
import { checkMultiplier } from "./check-driven.ts";
import { checkScenario } from "./check-scenario.ts";
import { filePathProblem } from "./file-path.ts";
import type { ScenarioType } from "./parameter.ts";
import { isOfScenario, parameterOf } from "./parameters.ts";
import { deriveScenarioType, foreignFields, sourceTypeOf } from "./scenario-type.ts";
import type { StartForm } from "./start-form.ts";

/** The scenario that a form describes. */
export interface StartScenario {
  /** Undefined when an existing scenario is run as it is. */
  readonly type: ScenarioType | undefined;
  /** Fields of the scenario's write; none when nothing is said of it. */
  readonly fields: Input;
  readonly kept: Pick<ScenarioRecord, "startParameters" | "startSecrets"> & Partial<Pick<ScenarioRecord, "sourceType">>;
}

/**
 * Reads what a form says of the scenario (API 2, Scenario parameters).
 * DECISION (API 2, Scenario parameters): a form without any runs the scenario of that name as it is; without such a scenario it is refused.
 */
export function readScenarioForm(
  form: StartForm,
  { former, files }: { readonly former: ScenarioRecord | undefined; readonly files: ReadonlyMap<string, Uint8Array> },
  scope: Scope,
): StartScenario {
  const type = deriveScenarioType(form, scope);
  const known = type ?? former?.scriptType;
  if (known === undefined)
    scope.findings.add("code", "found no scenario; expected code, ai_instructions, or the parameters of an engine");
  else {
    for (const { field } of foreignFields(form, known)) scope.unknown.push(field);
    checkMultiplier(known, { form, scope });
  }
  checkProject(form, scope);
  if (type) checkScenario(type, { form, files, scope });
  const paramsConfig = readEncrypted(form, former, scope);
  return {
    type,
    fields: { ...(type ? textsOf(type, form, scope) : {}), ...(paramsConfig ? { paramsConfig } : {}) },
    kept: type ? { ...keptOf(form, scope), sourceType: sourceTypeOf(type, form) } : {},
  };
}

/** DECISION (API 1, Scenario: main): main is the code or the instructions; the script of every other type is a data store. */
function textsOf(type: ScenarioType, form: StartForm, scope: Scope): Input {
  const own = {
    scriptType: type,
    language: form.text("language") ?? null,
    nodeVersion: form.text("node_version") ?? null,
  };
  if (type === "AI")
    return { ...own, main: JSON.stringify(form.json("ai_instructions") ?? null), init: null, teardown: null };
  if (type !== "Code") return { ...own, main: "", init: null, teardown: null };
  const main = readScript("code", form, scope) ?? "";
  if (form.file("code") && main.trim() === "") scope.findings.add("code", "found an empty file; expected a script");
  return { ...own, main, init: readScript("init", form, scope), teardown: readScript("teardown", form, scope) };
}

function readScript(field: string, form: StartForm, { findings }: Scope): string | null {
  const file = form.file(field);
  if (file === undefined) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
  } catch {
    findings.add(field, `found bytes that are no UTF-8 in ${file.path}; expected a script in UTF-8`);
    return null;
  }
}

/** DECISION (API 2, Common parameters: repo_*): a repository is recorded as the scenario's origin, nothing is cloned; of its secrets a digest is kept. */
function keptOf(form: StartForm, scope: Scope): StartScenario["kept"] {
  const sent = form.sent.filter(({ name }) => isOfScenario(name));
  const isSecret = (name: string) => parameterOf(name)?.secret === true;
  const plain = sent.filter(({ name }) => !isSecret(name) && name !== "ai_instructions");
  const secret = sent.filter(({ name }) => isSecret(name));
  return {
    startParameters: Object.fromEntries(
      plain.map(({ field, value, file }) => [field, file?.path ?? parameterText(value)]),
    ),
    startSecrets: Object.fromEntries(secret.map(({ field, value }) => [field, scope.digest(parameterText(value))])),
  };
}

function parameterText(value: JsonValue | undefined): string {
  return Array.isArray(value) ? value.join(",") : String(value ?? "");
}

/** API 2, params[*].encrypted: such a parameter is encrypted from now on. */
function readEncrypted(
  form: StartForm,
  former: ScenarioRecord | undefined,
  { findings }: Scope,
): readonly JsonValue[] | undefined {
  const marks = form.all("params[*].encrypted");
  for (const { field, keys } of marks)
    if (!form.has(`params[${keys[0]}]`))
      findings.add(field, `found no params[${keys[0]}] beside it; expected the value that is encrypted`);
  const marked = new Map(marks.map(({ keys, value }) => [keys[0] ?? "", value === true]));
  const known = former?.paramsConfig ?? [];
  const changed = known.map((each) => ({ ...each, encrypted: marked.get(each.name) ?? each.encrypted }));
  const added = [...marked].filter(([name]) => !known.some((each) => each.name === name));
  if (marks.length === 0) return undefined;
  return [...changed, ...added.map(([name, encrypted]) => ({ name, required: false, encrypted }))];
}

const schemes = ["http:", "https:", "ssh:", "git:", "file:"];

/** API 2, Common parameters: repo_* and the project's folder. */
function checkProject(form: StartForm, { findings }: Scope): void {
  const url = form.text("repo_url");
  const scheme = url === undefined ? undefined : schemeOf(url.trim());
  if (url !== undefined && !schemes.includes(scheme ?? ""))
    findings.add("repo_url", `found ${JSON.stringify(url)}; expected a url with ${schemes.join("//, ")}//`);
  const others = ["repo_branch", "repo_username", "repo_token", "repo_pvt_key_name", "repo_pvt_key_contents"];
  const other = form.first(others);
  if (url === undefined && other !== undefined)
    findings.add("repo_url", `found none beside ${other}; expected the url of the repository`);
  const folder = form.text("root_folder");
  const problem = folder === undefined ? undefined : filePathProblem(folder.replace(/\/$/, ""));
  if (problem !== undefined) findings.add("root_folder", problem);
  const collection = form.text("apicoll_collection_url");
  for (const [field, value] of [
    ["apicoll_collection_url", collection],
    ["legacybrowser_url", form.text("legacybrowser_url")],
  ] as const)
    if (value !== undefined && !/^https?:$/.test(schemeOf(value.trim()) ?? ""))
      findings.add(field, `found ${JSON.stringify(value)}; expected a url with http:// or https://`);
}
