import type { Diagnostic } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import { isSameService } from "../../model/target.ts";
import { liveHandle } from "../../model/tree.ts";
import type { IdsByKind, State } from "../../state/state.ts";
import { keyVariable, type ServiceOwner } from "../open-client.ts";

/** Problems by the folder of the project that has them. */
export type Conflicts = ReadonlyMap<string, readonly Diagnostic[]>;

/** A project of the command and its live service. */
export interface ServiceUse {
  readonly dir: string;
  /** As its files name it. */
  readonly declared: string;
  /** The variable that has its key. */
  readonly variable: string;
}

/** The live service of a project; of the bundled one's files, $LOADFORM_URL means no other. */
export function serviceUse(dir: string, { service, live }: ServiceOwner): readonly ServiceUse[] {
  const declared = service.declared ?? service.url;
  return live && /^https?:/i.test(declared) ? [{ dir, declared, variable: keyVariable(service) }] : [];
}

/**
 * The refusal of projects at different services with one variable for their keys, or with $LOADFORM_URL: a key would be sent to
 * a service that it is not for. `uses` are those of live services.
 */
export function keyConflicts(uses: readonly ServiceUse[], override: string | undefined): readonly Diagnostic[] {
  const [first] = uses;
  const other = first && uses.find(({ declared }) => !isSameService(declared, first.declared));
  if (first === undefined || other === undefined) return [];
  if (override !== undefined) return [oneAddress(first, other)];
  return [...groupBy(uses, ({ variable }) => variable).values()].flatMap((group) => {
    const [one] = group;
    const two = one && group.find(({ declared }) => !isSameService(declared, one.declared));
    return one && two ? [oneKey(one, two)] : [];
  });
}

function oneAddress(one: ServiceUse, two: ServiceUse): Diagnostic {
  const found = `${one.dir} is at ${one.declared} and ${two.dir} at ${two.declared}, and $LOADFORM_URL would send both to one service`;
  return keyProblem("$LOADFORM_URL cannot stand for two services", `${found}. Unset it, or plan them one by one`);
}

function oneKey(one: ServiceUse, two: ServiceUse): Diagnostic {
  const found = `${one.dir} is at ${one.declared} and ${two.dir} at ${two.declared}, and both take their key from $${one.variable}`;
  const way = `Name another variable in the project of one of them, as in apiKey: "\${env:SHOP_KEY}" below service; both may have the same value`;
  return keyProblem("two services would get one key", `${found}. ${way}`);
}

function keyProblem(summary: string, detail: string): Diagnostic {
  return { severity: "error", code: "LF2007", summary, detail: `${detail}. Nothing was asked of any service` };
}

/** Projects that keep their state in one place: an error of each of them. */
export function stateConflicts(
  places: readonly { readonly dir: string; readonly place: string | undefined }[],
): Conflicts {
  const groups = groupBy(
    places.filter(({ place }) => place !== undefined),
    ({ place }) => place,
  );
  return conflictsOf(
    [...groups.values()].filter(({ length }) => length > 1).map((group) => group.map(({ dir }) => dir)),
    (dir, others) => ({
      summary: `${dir} has the same state as ${others}`,
      detail: `The state of ${dir} and that of ${others} are in one place, so each would delete what the other creates. Give each project a state: of its own`,
    }),
  );
}

/** A project with what its state binds. */
export interface BoundObjects {
  readonly dir: string;
  /** The organization of a service: equal for the same one. */
  readonly at: string;
  readonly ids: IdsByKind;
  /** The bindings by address. */
  readonly resources: () => Promise<State["resources"]>;
  /** Objects without a parent that its plan creates or renames, each by its kind and name: `testCase "shop"`. */
  readonly created: readonly string[];
}

/** Projects that would create one object: an error of each of them. */
export function creationConflicts(projects: readonly BoundObjects[]): Conflicts {
  const created = projects.flatMap(({ dir, at, created: all }) => all.map((what) => ({ dir, at, what })));
  const shared = [...groupBy(created, ({ at, what }) => `${at} ${what}`).values()].filter(({ length }) => length > 1);
  const byProjects = groupBy(shared, (group) => group.map(({ dir }) => dir).join("\n"));
  const found = [...byProjects.values()].map((groups) => {
    const [first = []] = groups;
    const more = groups.length > 1 ? ` and ${groups.length - 1} more` : "";
    return conflictsOf([first.map(({ dir }) => dir)], (dir, others) => ({
      summary: `${dir} creates the same object as ${others}`,
      detail: `Both create ${first[0]?.what}${more}, and only one can own it. Give one of the two another name, or declare it in one project only`,
    }));
  });
  return allConflicts(found);
}

/** The problems of several, together. */
export function allConflicts(all: readonly Conflicts[]): Conflicts {
  const problems = groupBy(
    all.flatMap((each) => [...each].flatMap(([dir, found]) => found.map((problem) => ({ dir, problem })))),
    ({ dir }) => dir,
  );
  return new Map([...problems].map(([dir, found]) => [dir, found.map(({ problem }) => problem)]));
}

/** Projects that bind one object: an error of each of them. Bindings are read only of those. */
export async function bindingConflicts(projects: readonly BoundObjects[]): Promise<Conflicts> {
  const found: Conflicts[] = [];
  for (const { owners, objects } of sharedObjects(projects)) {
    const addresses = await Promise.all(owners.map((owner) => boundAddresses(owner, objects)));
    const named = new Map(owners.map(({ dir }, index) => [dir, addresses[index] ?? []]));
    const dirs = owners.map(({ dir }) => dir);
    found.push(conflictsOf([dirs], (dir, others) => boundTwice(dir, others, named.get(dir) ?? [])));
  }
  return allConflicts(found);
}

/** Objects that the same projects bind. */
interface SharedObjects {
  readonly owners: readonly BoundObjects[];
  readonly objects: Set<string>;
}

function sharedObjects(projects: readonly BoundObjects[]): readonly SharedObjects[] {
  const dirsOf = (owners: ReadonlySet<BoundObjects>) => [...owners].map(({ dir }) => dir).join("\n");
  return [...groupBy(ownersOfShared(projects), ([, owners]) => dirsOf(owners)).values()].map((shared) => ({
    owners: [...new Set(shared.flatMap(([, owners]) => [...owners]))],
    objects: new Set(shared.map(([object]) => object)),
  }));
}

/** The owners of objects that have several. Most have one, so they are told apart by number alone. */
function ownersOfShared(projects: readonly BoundObjects[]): ReadonlyMap<string, ReadonlySet<BoundObjects>> {
  const bound = projects.flatMap((project) =>
    Object.entries(project.ids).map(([kind, ids]) => ({ project, kind, ids })),
  );
  const shared = new Map<string, Set<BoundObjects>>();
  for (const together of groupBy(bound, ({ project, kind }) => `${project.at} ${kind}`).values()) {
    const owners = new Map<number, BoundObjects>();
    for (const { project, kind, ids } of together)
      for (const id of ids) {
        const first = owners.get(id) ?? project;
        owners.set(id, first);
        if (first === project) continue;
        const object = handleAt(project.at, kind, id);
        shared.set(object, (shared.get(object) ?? new Set([first])).add(project));
      }
  }
  return shared;
}

/** Equal for the same object of the same organization. */
const handleAt = (at: string, kind: string, id: number) => `${at} ${liveHandle(kind, id)}`;

async function boundAddresses(
  { at, resources }: BoundObjects,
  objects: ReadonlySet<string>,
): Promise<readonly string[]> {
  const bound = Object.entries(await resources());
  return bound.flatMap(([address, { kind, id }]) => (objects.has(handleAt(at, kind, id)) ? [address] : []));
}

function boundTwice(dir: string, others: string, [first, ...more]: readonly string[]): Told {
  const what = more.length === 0 ? `${first} is` : `${first} and ${more.length} more are`;
  return {
    summary: `${dir} binds the same object as ${others}`,
    detail: `${what} bound by ${dir} and by ${others}, so each would change what the other declares. Take the bindings out of one of the two states (loadform state rm); a state that was only copied can be deleted`,
  };
}

type Told = Pick<Diagnostic, "summary" | "detail">;

function conflictsOf(groups: readonly (readonly string[])[], words: (dir: string, others: string) => Told): Conflicts {
  const found = new Map<string, readonly Diagnostic[]>();
  for (const group of groups)
    for (const dir of group) {
      const others = group.filter((each) => each !== dir).join(", ");
      const problem: Diagnostic = { severity: "error", code: "LF5010", ...words(dir, others) };
      found.set(dir, [...(found.get(dir) ?? []), problem]);
    }
  return found;
}
