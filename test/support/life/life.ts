import type { Json } from "../../../src/model/json.ts";
import type { PlanOutcome } from "../../../src/project/plan-opened.ts";
import { savedPart } from "../../../src/project/saved/save-plan.ts";
import { savedDocument } from "../../../src/project/saved/saved-plan.ts";
import type { Asked } from "../rig.ts";
import { unshown } from "../unshown.ts";
import type { Choice, Command, Trouble } from "./life-commands.ts";
import { act, actAside, type Living, treeOf } from "./living.ts";
import { actOutside } from "./outside-edits.ts";
import { edited, mixed, type Project, pick, placed, rekeyed, sound, swapped } from "./wish-edits.ts";

/** Lives through one command. */
export async function live(living: Living, command: Command): Promise<void> {
  switch (command.do) {
    case "nothing":
      return;
    case "wait":
      return living.rig.system.sleep(command.seconds * 1000);
    case "outside":
      return actAside(living, (rig) => actOutside(rig, command.act, command.at, command.name));
    case "plan":
      return plan(living, command.choice, () => undefined);
    case "save":
      return plan(living, command.choice, (outcome, asked) => save(living, outcome, asked));
    case "apply saved":
      return applySaved(living);
    case "apply":
    case "crash":
      return apply(living, command);
    default:
      living.project = sound(afterEdit(living.project, command));
  }
}

type Edit = Exclude<
  Command,
  { readonly do: "nothing" | "wait" | "outside" | "plan" | "save" | "apply saved" | "apply" | "crash" }
>;

function afterEdit(project: Project, command: Edit): Project {
  const { wishes } = project;
  switch (command.do) {
    case "rewrite":
      return { ...project, wishes: command.wishes };
    case "mix":
      return { ...project, wishes: mixed(wishes, command.wishes) };
    case "swap names":
      return { ...project, wishes: swapped(wishes, command.at) };
    case "rekey":
      return rekeyed(project, command.at, command.key, command.said);
    case "drop":
      return dropped(project, command.at, command.forget);
    case "rename":
      return { ...project, wishes: renamed(wishes, command.at, command.name) };
    case "protect":
      return withLifecycle(project, command.at, { protect: command.protect });
    case "ignore":
      return withLifecycle(project, command.at, { ignore: command.ignore });
  }
}

function renamed(wishes: Project["wishes"], at: number, name: string): Project["wishes"] {
  const named = placed(wishes).filter(
    ({ wish }) => "name" in wish.fields && wish.kind !== "tag" && wish.kind !== "region",
  );
  const chosen = pick(named, at);
  return chosen ? edited(wishes, chosen.address, (wish) => ({ ...wish, fields: { ...wish.fields, name } })) : wishes;
}

function dropped(project: Project, at: number, forget: boolean): Project {
  const chosen = pick(placed(project.wishes), at)?.address;
  if (chosen === undefined) return project;
  const removed = forget ? [...project.removed, { address: chosen, destroy: false }] : project.removed;
  return { ...project, wishes: edited(project.wishes, chosen, () => undefined), removed };
}

function withLifecycle(
  project: Project,
  at: number,
  lifecycle: NonNullable<Project["wishes"][number]["lifecycle"]>,
): Project {
  const chosen = pick(placed(project.wishes), at)?.address;
  if (chosen === undefined) return project;
  const change = (wish: Project["wishes"][number]) => ({ ...wish, lifecycle: { ...wish.lifecycle, ...lifecycle } });
  return { ...project, wishes: edited(project.wishes, chosen, change) };
}

/** What a choice comes to in this project and state. */
async function asked({ rig, project }: Living, choice: Choice): Promise<Asked> {
  const bound = Object.keys((await rig.stored())?.state.resources ?? {});
  const addresses = [...new Set([...placed(project.wishes).map(({ address }) => address), ...bound])];
  const chosen = (at: number | undefined) =>
    at === undefined ? [] : [pick(addresses, at)].flatMap((each) => each ?? []);
  return {
    targets: chosen(choice.target),
    replace: chosen(choice.replace),
    ...(choice.adopt && { adopt: choice.adopt }),
    allowDestroy: choice.open ? ["**"] : [],
    forceThreshold: choice.force,
    destroy: choice.destroy === true,
    moved: project.moved,
    removed: project.removed,
  };
}

async function plan(living: Living, choice: Choice, use: (outcome: PlanOutcome, of: Asked) => void): Promise<void> {
  const { project } = living;
  const of = await asked(living, choice);
  await act(living, {
    asked: of,
    project,
    isPlan: true,
    run: async (rig) => {
      use(await rig.plan(treeOf(project), of), of);
      return undefined;
    },
  });
}

function save(living: Living, outcome: PlanOutcome, of: Asked): void {
  const part = savedPart(outcome);
  if (part === undefined || outcome.blocked.length > 0) return;
  const text = JSON.stringify(savedDocument({ summary: { ...outcome.plan?.summary } as Json as never }, part, unshown));
  living.saved = { text, asked: of, project: living.project };
}

async function applySaved(living: Living): Promise<void> {
  const { saved } = living;
  if (saved === undefined) return;
  const { asked: of, project, text } = saved;
  await act(living, { asked: of, project, run: (rig) => rig.applySaved(text) });
}

async function apply(living: Living, command: Extract<Command, { readonly do: "apply" | "crash" }>): Promise<void> {
  const { project } = living;
  const of = await asked(living, command.choice);
  const trouble = command.do === "apply" ? command.trouble : undefined;
  await living.rig.setFaults(trouble ? [faultOf(trouble)] : []);
  await act(living, {
    asked: of,
    project,
    run: (rig) => rig.apply(treeOf(project), of),
    ...(command.do === "crash" && { crash: command }),
  });
  await living.rig.setFaults([]);
}

function faultOf({ route: [method, path], after, times, how }: Trouble) {
  return { method, path, after, times, ...how };
}
