import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { isObject } from "../../model/json.ts";
import { sensitiveText } from "../../model/redact.ts";
import { fewAtOnce } from "../../workspace/few-at-once.ts";
import type { Connect } from "../connect.ts";
import { orExplained } from "../explain-failure.ts";
import type { LoadedProject } from "../open-project.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import { findProject, notPlanned, type PlanFlags, type ProjectToPlan, planFound } from "../plan-project.ts";
import type { System } from "../system.ts";
import {
  allConflicts,
  type BoundObjects,
  bindingConflicts,
  type Conflicts,
  creationConflicts,
  keyConflicts,
  type ServiceUse,
  serviceUse,
  stateConflicts,
} from "./find-conflicts.ts";
import { type SharedServices, servicePlace, sharedServices } from "./shared-services.ts";
import { statePlace } from "./state-place.ts";

/** One of several projects, planned. */
export interface PlannedProject {
  /** Its folder, as it was chosen. */
  readonly dir: string;
  /** Absent where it could not be read. */
  readonly name?: string;
  readonly environment?: string;
  readonly outcome: PlanOutcome;
  /** As loaded; absent where it was known to be as it was, which has no secrets. */
  readonly project?: LoadedProject;
}

/** The choices of a command that are the same for all of its projects. */
export type FlagsOfAll = Omit<PlanFlags, "dir">;

/** The surroundings in which several projects are planned. */
export interface PlanningAll {
  readonly flags: FlagsOfAll;
  readonly system: System;
  readonly services: SharedServices;
}

/** Several projects with their plans, in the order of their folders; or the reason why no service was asked anything. */
export type PlannedProjects =
  | { readonly is: "planned"; readonly projects: readonly PlannedProject[] }
  | { readonly is: "refused"; readonly diagnostics: readonly Diagnostic[] };

/** Projects that are planned at the same time. */
const atOnce = 16;

/** Plans several projects as `planProject` plans one, over one connection and one reading for each service, key and organization. */
export async function planProjects(
  dirs: readonly string[],
  flags: FlagsOfAll,
  system: System,
): Promise<PlannedProjects> {
  const services = sharedServices();
  return planTogether(dirs, { flags, system, services }).finally(services.close);
}

/** Plans several projects with services that remain open. */
export async function planTogether(
  dirs: readonly string[],
  { flags, system, services }: PlanningAll,
): Promise<PlannedProjects> {
  const few = fewAtOnce(atOnce);
  const found = await Promise.all(dirs.map((dir) => few(() => find(dir, flags, system))));
  const refusals = keyConflicts(found.flatMap(usesOf), urlOf(system));
  if (refusals.length > 0) return { is: "refused", diagnostics: refusals };
  const colliding = stateConflicts(await Promise.all(found.map(placeOf)));
  // A project without a remembered plan needs the lists whole.
  const areKnown = found.every(({ project }) => project?.last !== undefined);
  const connect = services.connectToPlan({ areKnown });
  const plan = (each: Found): Promise<PlannedProject> =>
    few(() => planOne(each, { conflicts: colliding.get(each.dir), system, connect }));
  const planned = await Promise.all(found.map(plan));
  const each = await Promise.all(planned.map((one) => boundBy(one, system)));
  const bound = each.flatMap((one) => one ?? []);
  const conflicts = allConflicts([await bindingConflicts(bound), creationConflicts(bound)]);
  return { is: "planned", projects: withConflicts(planned, conflicts) };
}

/** A project that was found, or the problems of one that was not. */
interface Found {
  readonly dir: string;
  readonly project?: ProjectToPlan;
  readonly diagnostics: readonly Diagnostic[];
}

function find(dir: string, flags: FlagsOfAll, system: System): Promise<Found> {
  return orExplained<Found>(
    async () => {
      const project = await findProject({ ...flags, dir }, system);
      return { dir, project, diagnostics: project.loaded?.diagnostics ?? [] };
    },
    (diagnostics) => ({ dir, diagnostics }),
  );
}

const urlOf = ({ env }: System) => env["LOADFORM_URL"] || undefined;

function usesOf({ dir, project, diagnostics }: Found): readonly ServiceUse[] {
  return project === undefined || hasErrors(diagnostics) ? [] : serviceUse(dir, project.place);
}

async function placeOf({ dir, project, diagnostics }: Found) {
  const isUsable = project !== undefined && !hasErrors(diagnostics);
  return { dir, place: isUsable ? await statePlace(project.place) : undefined };
}

async function planOne(
  { dir, project, diagnostics }: Found,
  {
    conflicts = [],
    system,
    connect,
  }: { readonly conflicts: readonly Diagnostic[] | undefined; readonly system: System; readonly connect: Connect },
): Promise<PlannedProject> {
  if (project === undefined) return { dir, outcome: await notPlanned(diagnostics) };
  const { name, environment } = project.place;
  const outcome =
    conflicts.length > 0
      ? await notPlanned([...diagnostics, ...conflicts])
      : await orExplained(() => planFound(project, system, connect), notPlanned);
  const loaded = outcome.made?.project ?? project.loaded;
  return {
    dir,
    outcome,
    ...(name !== "" && { name }),
    ...(environment !== undefined && { environment }),
    ...(loaded && { project: loaded }),
  };
}

/** The objects that a planned project binds alone; undefined where there is no plan. */
export async function boundBy({ dir, outcome }: PlannedProject, { cwd }: System): Promise<BoundObjects | undefined> {
  const { made, stored, bound, service } = outcome;
  const ids = made ? (await import("../plan-opened.ts")).boundAlone(made.state) : bound;
  if (ids === undefined || service === undefined) return undefined;
  const place = await servicePlace(service.url, resolve(cwd, dir));
  const resources = async () => (made?.state ?? (await stored?.())?.state)?.resources ?? {};
  return { dir, at: `${place} ${service.organization}`, ids, resources, created: await createdBy(outcome) };
}

async function createdBy({ plan }: PlanOutcome): Promise<readonly string[]> {
  const created = (plan?.changes ?? []).filter(
    ({ action, address, fields }) =>
      !address.includes("/") && (action === "create" || fields.some(({ field }) => field === "name")),
  );
  if (created.length === 0) return [];
  const { kinds } = await import("../../kinds/index.ts");
  return created.flatMap(({ kind, after }) => {
    const name = after?.["name"] ?? sensitiveText;
    const { naturalKey } = kinds.find((each) => each.name === kind) ?? {};
    const place = typeof naturalKey === "object" ? after?.[naturalKey.within] : undefined;
    // Within an object of its own project it meets none of another one.
    const isApart = isObject(place) && "ref" in place;
    const within = place === undefined ? "" : ` within ${JSON.stringify(place)}`;
    return name === sensitiveText || isApart ? [] : [`${kind} ${JSON.stringify(name)}${within}`];
  });
}

function withConflicts(planned: readonly PlannedProject[], conflicts: Conflicts): readonly PlannedProject[] {
  return planned.map((each) => {
    const found = conflicts.get(each.dir);
    if (found === undefined) return each;
    const { outcome } = each;
    return { ...each, outcome: { ...outcome, diagnostics: [...outcome.diagnostics, ...found] } };
  });
}
