import type { Scope } from "../core/scope.ts";
import type { ScenarioType } from "./parameter.ts";
import { hasFile } from "./scenario-files.ts";
import type { StartForm } from "./start-form.ts";

/** A scenario on its way in. */
export interface ScenarioCheck {
  readonly form: StartForm;
  /** Files of the form by path, those of zips unpacked. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly scope: Scope;
}

/**
 * API 2, Scenario parameters: the remote browser driver. A script has its primary spec, a file its config file.
 * DECISION (API 2, Scenario parameters: run_style): without run_style a conf_file or nothing means file, a spec alone means script.
 */
export function checkDriven({ form, files, scope }: ScenarioCheck): void {
  if (form.text("run_style") === "script" && !form.has("webdriver_primary_spec"))
    scope.findings.add("webdriver_primary_spec", "found none; expected the path of a spec: it is required for script");
  const isFile = form.has("run_style")
    ? form.text("run_style") === "file"
    : form.has("conf_file") || !form.has("webdriver_primary_spec");
  const isJava = form.text("webdriver_bindings") === "java";
  if (!isFile || isJava || form.has("conf_file") || form.has("repo_url")) return;
  if (!configs.some((name) => hasFile(name, files, form)))
    scope.findings.add("conf_file", `found none; expected a config file, or ${configs.join(" or ")} among the files`);
}

const configs = ["wdio.conf.js", "conf.js"];

const className = /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** API 2, Scenario parameters: java_main_class is a full class name, and source is uploaded where it ends in .java. */
export function checkJava({ form, files, scope }: ScenarioCheck): void {
  const name = form.text("java_main_class");
  // DECISION (API 2, Scenario parameters: java_main_class): what Java runs is its main class or its test classes.
  if (form.first(["java_main_class", "java_test_classes"]) === undefined)
    scope.findings.add("java_main_class", "found none; expected java_main_class or java_test_classes: one is required");
  if (name === undefined) return;
  const isSource = name.endsWith(".java");
  if (!className.test(isSource ? name.slice(0, -".java".length).replaceAll("/", ".") : name))
    scope.findings.add(
      "java_main_class",
      `found ${JSON.stringify(name)}; expected a full class name, such as com.shop.Load, or a source file that ends in .java`,
    );
  if (!isSource) return;
  if (form.text("java_source") === "uploadExecutable")
    scope.findings.add("java_source", "found uploadExecutable beside source; expected upload: .java implies source");
  const isThere = [...files.keys()].some((path) => path === name || path.endsWith(`/${name}`));
  if (!isThere && !form.has("repo_url"))
    scope.findings.add("java_main_class", `found no file ${name}; expected it among the files of the form`);
}

const standardMultiplier = 0.0625;
const minima = new Map<string, number>([
  ["Webdriver", 0.5],
  ["HeadlessA", 0.25],
  ["HeadlessB", 0.25],
] satisfies [ScenarioType, number][]);

/** API 2, Test runner parameters: the smallest multiplier depends on what a user needs. */
export function checkMultiplier(type: string, { form, scope }: Pick<ScenarioCheck, "form" | "scope">): void {
  const smallest = minima.get(type) ?? standardMultiplier;
  const multiplier = form.number("testrunners_multiplier");
  if (multiplier !== undefined && multiplier < smallest)
    scope.findings.add("testrunners_multiplier", `found ${multiplier}; expected at least ${smallest} for ${type}`);
}
