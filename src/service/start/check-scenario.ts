import { isJsonObject } from "../store/json-values.ts";
import { checkDriven, checkJava, type ScenarioCheck } from "./check-driven.ts";
import type { ScenarioType } from "./parameter.ts";
import { checkPath, hasFile, isZip, pathFields } from "./scenario-files.ts";

/** Checks a form against its type of scenario (API 2, Scenario parameters): everything that is missing or wrong is reported. */
export function checkScenario(type: ScenarioType, check: ScenarioCheck): void {
  for (const field of pathFields(check.form)) checkPath(field, check.form, check);
  checkFramework(type, check);
  rules[type](check);
}

const rules: Readonly<Record<ScenarioType, (check: ScenarioCheck) => void>> = {
  Code: (check) => need(["code"], "the script of an iteration", check),
  AI: checkAi,
  EngineA: (check) => {
    if (check.form.keys("enginea_testplan[*]").length === 0) need(["enginea_testplan"], "a test plan", check);
  },
  EngineB: checkEngineB,
  EngineC: checkEngineC,
  ApiCollection: (check) => need(["apicoll_collection", "apicoll_collection_url"], "a collection", check),
  HeadlessA: (check) => need(["headlessa_script"], "a script", check),
  HeadlessB: checkHeadlessB,
  Webdriver: checkDriven,
  LegacyBrowser: (check) =>
    need(["legacybrowser_url", "legacybrowser_script", "legacybrowser_browser_script"], "what is tested", check),
  Java: checkJava,
  Har: checkHar,
};

/** Finds that none of these fields was sent, under the first one's name. */
function need(fields: readonly string[], what: string, { form, scope }: ScenarioCheck): void {
  const [field = ""] = fields;
  if (form.first(fields) === undefined)
    scope.findings.add(
      field,
      `found none; expected ${fields.length > 1 ? `one of ${fields.join(", ")}: ` : ""}${what} is required`,
    );
}

/** API 2, Scenario parameters: ai_instructions are objects with title and contents; model is one of GET /ai-models. */
function checkAi({ form, scope }: ScenarioCheck): void {
  const steps = form.json("ai_instructions");
  const isStep = (each: unknown) =>
    isJsonObject(each) && typeof each["title"] === "string" && typeof each["contents"] === "string";
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isStep))
    scope.findings.add(
      "ai_instructions",
      "found other JSON; expected a list of objects with title and contents, both text, at least one",
    );
  const model = form.text("model");
  const known = scope.settings.aiModels.map(({ name }) => name);
  if (model !== undefined && !known.includes(model))
    scope.findings.add("model", `found ${JSON.stringify(model)}; expected one of GET /ai-models: ${known.join(", ")}`);
}

/** API 2, Scenario parameters: the project's zip, or a single source file. */
function checkEngineB(check: ScenarioCheck): void {
  const { form, scope } = check;
  if (form.has("engineb_zip") && form.has("engineb_simulation"))
    scope.findings.add("engineb_simulation", "found it beside engineb_zip; expected one of them");
  const zip = form.file("engineb_zip");
  if (zip && !isZip(zip.path))
    scope.findings.add("engineb_zip", `found the file ${zip.path}; expected one with a name that ends in .zip`);
  if (!form.has("repo_url")) need(["engineb_zip", "engineb_simulation"], "a project or a simulation", check);
}

/** API 2, Scenario parameters: enginec_runtime is required for 0.9 and later, enginec_requests for 0.8. */
function checkEngineC(check: ScenarioCheck): void {
  const { form, scope } = check;
  need(["enginec_file"], "a load file", check);
  // DECISION (API 2, Scenario parameters: no parameter names the version of the Python engine): one of enginec_runtime and enginec_requests is required, and says it.
  need(["enginec_runtime", "enginec_requests"], "what ends the run", check);
  const runtime = form.text("enginec_runtime");
  if (runtime !== undefined && runtimeSecs(runtime) === undefined)
    scope.findings.add(
      "enginec_runtime",
      `found ${JSON.stringify(runtime)}; expected a time, such as 90s, 10m or 1h30m`,
    );
  const stepped = form.first(["enginec_step_clients", "enginec_step_time"]);
  if (stepped !== undefined && form.flag("enginec_step_load") === false)
    scope.findings.add("enginec_step_load", `found false beside ${stepped}; expected true: it implies a step load`);
}

/** Seconds of a run time such as 1h30m; undefined when it is none. */
export function runtimeSecs(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text.trim()) ?? [];
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total > 0 && Number.isSafeInteger(total) ? total : undefined;
}

/** API 2, Scenario parameters: library style runs a script, test style a zip with a config file. */
function checkHeadlessB(check: ScenarioCheck): void {
  const { form, files, scope } = check;
  if (form.text("headlessb_runstyle") !== "test") {
    if (!form.has("headlessb_runstyle") || form.text("headlessb_runstyle") === "library")
      need(["headlessb_script"], "a script", check);
    return;
  }
  if (form.has("repo_url")) return;
  const zipped = form.sent.some(({ file }) => file !== undefined && isZip(file.path));
  if (!zipped) {
    scope.findings.add(
      "headlessb_runstyle",
      "found test without a zip; expected a zip with a config file, as files[0]",
    );
    return;
  }
  const config = form.text("headlessb_conf_file") ?? "";
  // DECISION (API 2, Scenario parameters: headlessb_runstyle): a project in Python has its config file only where one is named.
  const isNeeded = form.has("headlessb_conf_file") || form.text("headlessb_runtime") !== "python";
  if (isNeeded && !hasFile(config, files, form))
    scope.findings.add(
      "headlessb_conf_file",
      `found no ${config} in the zip; expected the path of a config file in it`,
    );
}

/** DECISION (API 2, Scenario parameters: har_file): a recording to replay is JSON with log.entries. */
function checkHar(check: ScenarioCheck): void {
  const { form, scope } = check;
  need(["har_file"], "a recording", check);
  const file = form.file("har_file");
  if (file && !isHar(Buffer.from(file.bytes).toString("utf8")))
    scope.findings.add("har_file", `found no recording in ${file.path}; expected JSON with a list log.entries`);
}

function isHar(text: string): boolean {
  try {
    const har: unknown = JSON.parse(text);
    const log = isJsonObject(har) ? har["log"] : undefined;
    return isJsonObject(log) && Array.isArray(log["entries"]);
  } catch {
    return false;
  }
}

const frameworks = { java: ["None", "JavaUnitA", "JavaUnitB"], browser: ["None", "JsFramework", "BddFramework"] };

/** API 2, Scenario parameters: frameworks of JavaScript for browser scenarios, of Java for Java. */
function checkFramework(type: ScenarioType, { form, scope }: ScenarioCheck): void {
  const framework = form.text("framework");
  const isJava = type === "Java" || (type === "Webdriver" && form.text("webdriver_bindings") === "java");
  const known = isJava ? frameworks.java : frameworks.browser;
  if (form.has("framework") && framework !== undefined && !known.includes(framework))
    scope.findings.add("framework", `found ${framework}; expected one of ${known.join(", ")} for ${type}`);
}
