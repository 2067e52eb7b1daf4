import type { Scope } from "../core/scope.ts";
import type { ScenarioType } from "./parameter.ts";
import { parameterOf } from "./parameters.ts";
import type { SentField, StartForm } from "./start-form.ts";

/**
 * The type of scenario that a form describes; undefined when it describes none.
 * DECISION (API 2, Scenario parameters: values of scriptType not shown): the parameters say it: code makes Code, ai_instructions AI,
 * har_file Har, conf_file, run_style and webdriver_* Webdriver, the others the engine of their prefix (EngineA, EngineB, EngineC,
 * ApiCollection, HeadlessA, HeadlessB, LegacyBrowser, Java); two types at once are refused.
 */
export function deriveScenarioType(form: StartForm, scope: Scope): ScenarioType | undefined {
  const defining = form.sent.flatMap((sent) => {
    const type = parameterOf(sent.name)?.defines;
    return type ? [{ sent, type }] : [];
  });
  const [first] = defining;
  if (first === undefined) return undefined;
  const told = new Set<ScenarioType>([first.type]);
  for (const { sent, type } of defining)
    if (!told.has(type)) {
      told.add(type);
      scope.findings.add(
        sent.field,
        `found it beside ${first.sent.field}; expected parameters of one type of scenario, not of ${first.type} and ${type}`,
      );
    }
  return first.type;
}

/** Fields for other types of scenario: nothing reads them. */
export function foreignFields(form: StartForm, type: string): readonly SentField[] {
  return form.sent.filter(({ name }) => {
    const parameter = parameterOf(name);
    const types: readonly string[] | undefined = parameter?.of;
    return parameter?.defines === undefined && types !== undefined && !types.includes(type);
  });
}

/**
 * DECISION (API 1, Scenario: sourceType): a scenario that was started is from a Repository, was recorded as Har, consists of
 * Instructions, or is a Script (Code) or an Upload (all other types).
 */
export function sourceTypeOf(type: ScenarioType, form: StartForm): string {
  if (form.has("repo_url")) return "Repository";
  if (type === "Har") return "Har";
  if (type === "AI") return "Instructions";
  return type === "Code" ? "Script" : "Upload";
}
