import type { Scope } from "../core/scope.ts";
import { Findings } from "../refusal.ts";
import { type Input, mergeLoad } from "../rules/load-profile.ts";
import { runtimeSecs } from "./check-scenario.ts";
import { readTestType } from "./read-options.ts";
import type { StartForm } from "./start-form.ts";

/** The load of a form: the fields of its configuration, and how many users there are altogether. */
export interface StartLoad {
  readonly fields: Input;
  readonly users: number;
}

/** Reads users, duration and profile (API 2, Common parameters), checked as those of a configuration. */
export function readLoad(form: StartForm, regions: number, scope: Scope): StartLoad {
  const { users, field } = readUsers(form, regions, scope);
  const start = perRegion(form, "start_concurrent_users", regions, scope);
  const step = perRegion(form, "step", regions, scope);
  const isStep = form.first(["start_concurrent_users", "start_concurrent_users_per_region"]) !== undefined;
  checkStep(form, isStep, scope);
  checkClientIps(form, users, scope);
  const { rampup, names } = { rampup: readRampup(form, scope), names: formNames(form, field) };
  for (const unread of isStep ? ["rampup_mins", "rampup_secs"] : []) if (form.has(unread)) scope.unknown.push(unread);
  const fields = {
    profileType: isStep ? "Step" : "Flat",
    ...readBasis(form, scope),
    iterationSleepSecs: form.number("iteration_sleep_secs") ?? null,
    rampupSecs: isStep ? null : rampup,
    concurrentClients: Math.ceil(users / regions),
    startConcurrentClients: start ?? null,
    step: step ?? null,
  };
  checkAsConfiguration(fields, names, { ...scope, invalidBasis: hasInvalidBasis(form) });
  return { fields, users };
}

const basis = ["duration_mins", "duration_secs", "iterations"] as const;
const totals = ["virtual_users", "concurrent_users"] as const;

/**
 * DECISION (API 2, Common parameters: virtual_users, concurrent_users): both are the users of the whole run and the same value where
 * both are sent; concurrent_users_per_region counts them per region; without any there is one per region or instance.
 */
function readUsers(form: StartForm, regions: number, scope: Scope): { readonly users: number; readonly field: string } {
  const { findings } = scope;
  const instances = form.number("instances") ?? 1;
  const total = form.first(totals);
  const each = form.number("concurrent_users_per_region");
  if (total !== undefined && form.has("concurrent_users_per_region"))
    findings.add("concurrent_users_per_region", `found it beside ${total}; expected one of them`);
  const [virtual, concurrent] = totals.map((field) => form.number(field));
  if (virtual !== undefined && concurrent !== undefined && virtual !== concurrent)
    findings.add(
      "concurrent_users",
      `found ${concurrent} beside virtual_users ${virtual}; expected the same or one of them`,
    );
  const field = total ?? (each === undefined ? "virtual_users" : "concurrent_users_per_region");
  const sent = each === undefined ? (virtual ?? concurrent) : each * regions;
  const users = sent ?? Math.max(regions, instances);
  if (users < regions)
    findings.add(field, `found ${users} for ${regions} regions; expected at least one user per region`);
  if (users < instances)
    findings.add(
      "instances",
      `found ${instances} for ${users} users; expected at most as many: each runs at least one`,
    );
  return { users, field };
}

/** DECISION (API 2, Common parameters: start_concurrent_users, step): they are of the whole run and split evenly over the regions, rounded up; *_per_region counts them per region. */
function perRegion(form: StartForm, name: string, regions: number, scope: Scope): number | undefined {
  const alias = `${name}_per_region`;
  if (form.has(name) && form.has(alias)) scope.findings.add(alias, `found it beside ${name}; expected one of them`);
  const total = form.number(name);
  return form.number(alias) ?? (total === undefined ? undefined : Math.ceil(total / regions));
}

/** API 2, Common parameters: start_concurrent_users requires step and duration_mins. */
function checkStep(form: StartForm, isStep: boolean, { findings }: Scope): void {
  const steps = form.first(["step", "step_per_region"]);
  if (isStep && steps === undefined)
    findings.add("step", "found none; expected the users of a step: start_concurrent_users requires it");
  if (isStep && form.first(["duration_mins", "duration_secs"]) === undefined)
    findings.add("duration_mins", "found none; expected minutes: start_concurrent_users requires it");
  if (!isStep && steps !== undefined)
    findings.add("start_concurrent_users", `found none beside ${steps}; expected the users of the first step`);
}

/** API 2, Test runner parameters: addresses of clients, between 1 and the number of virtual users. */
function checkClientIps(form: StartForm, users: number, { findings }: Scope): void {
  const addresses = form.number("testrunners_clientips");
  if (addresses !== undefined && addresses > users)
    findings.add("testrunners_clientips", `found ${addresses}; expected 1 to ${users}, the number of virtual users`);
}

function readRampup(form: StartForm, { findings }: Scope): number {
  if (form.has("rampup_mins") && form.has("rampup_secs"))
    findings.add("rampup_secs", "found it beside rampup_mins; expected one of them");
  return form.number("rampup_secs") ?? Math.round((form.number("rampup_mins") ?? 0) * 60);
}

/**
 * API 2, Common parameters: Load requires iterations or a duration.
 * DECISION (API 2, Common parameters: test_type): a Functional or Monitor test without either is one iteration; enginec_runtime is
 * a duration where nothing else is.
 */
function readBasis(form: StartForm, { findings }: Scope): Input {
  const { mins, secs } = { mins: form.number("duration_mins"), secs: form.number("duration_secs") };
  if (form.has("duration_mins") && form.has("duration_secs"))
    findings.add("duration_secs", "found it beside duration_mins; expected one of them");
  const durationSecs = mins === undefined ? secs : Math.max(1, Math.round(mins * 60));
  const iterations = form.number("iterations");
  if (form.first(basis) !== undefined) return { durationSecs: durationSecs ?? null, iterations: iterations ?? null };
  const runtime = runtimeSecs(form.text("enginec_runtime") ?? "");
  if (runtime !== undefined) return { durationSecs: runtime, iterations: null };
  if (readTestType(form) !== "Load") return { durationSecs: null, iterations: 1 };
  findings.add("duration_mins", "found neither duration_mins nor iterations; expected one of them: Load requires it");
  return { durationSecs: null, iterations: null };
}

/** Names of a configuration's fields in the form. */
function formNames(form: StartForm, users: string): ReadonlyMap<string, string> {
  return new Map([
    ["durationSecs", form.has("duration_secs") ? "duration_secs" : "duration_mins"],
    ["iterations", "iterations"],
    ["iterationSleepSecs", "iteration_sleep_secs"],
    ["rampupSecs", form.has("rampup_secs") ? "rampup_secs" : "rampup_mins"],
    ["concurrentClients", users],
    ["startConcurrentClients", form.first(["start_concurrent_users_per_region"]) ?? "start_concurrent_users"],
    ["step", form.first(["step_per_region"]) ?? "step"],
  ]);
}

/** The rules of a configuration's load, with what they find under the names of the form. */
function checkAsConfiguration(
  fields: Input,
  names: ReadonlyMap<string, string>,
  scope: Scope & { readonly invalidBasis: boolean },
): void {
  const findings = new Findings();
  mergeLoad(fields, undefined, { ...scope, findings });
  const renamed = (text: string) => text.replace(/\b[a-z][A-Za-z]+\b/g, (word) => names.get(word) ?? word);
  for (const { field, message } of findings.errors)
    if (field !== "durationSecs" || !scope.invalidBasis) scope.findings.add(renamed(field), renamed(message));
}

/** True when a duration or iterations were sent that could not be read, which has been reported. */
function hasInvalidBasis(form: StartForm): boolean {
  return basis.some((field) => form.has(field) && form.number(field) === undefined);
}
