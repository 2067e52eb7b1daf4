import fc from "fast-check";
import { randomProject, type Wish } from "../random-project.ts";
import { placed } from "./wish-edits.ts";

/** What is asked of a plan or an apply; numbers pick one of what is there. */
export interface Choice {
  readonly target?: number;
  readonly replace?: number;
  readonly adopt?: "exact" | "name";
  /** History may go: `--allow-destroy '**'`. */
  readonly open: boolean;
  readonly force: boolean;
  readonly destroy?: true;
}

/** What the service does wrong while an apply runs. */
export interface Trouble {
  readonly route: readonly [string, string];
  readonly after: number;
  readonly times: number;
  readonly how:
    | { readonly status: number }
    | { readonly drop: "before" | "after" }
    | { readonly truncate: number }
    | { readonly staleReads: number }
    | { readonly drop: "after"; readonly effectDelayMs: number };
}

/** One thing that happens in a life, as plain data that shrinks well. */
export type Command =
  | { readonly do: "nothing" }
  | { readonly do: "rewrite"; readonly wishes: readonly Wish[] }
  | { readonly do: "mix"; readonly wishes: readonly Wish[] }
  | { readonly do: "rename"; readonly at: number; readonly name: string }
  | { readonly do: "swap names"; readonly at: number }
  | { readonly do: "rekey"; readonly at: number; readonly key: string; readonly said: boolean }
  | { readonly do: "drop"; readonly at: number; readonly forget: boolean }
  | { readonly do: "protect"; readonly at: number; readonly protect: boolean }
  | { readonly do: "ignore"; readonly at: number; readonly ignore: readonly string[] }
  | { readonly do: "plan"; readonly choice: Choice }
  | { readonly do: "save"; readonly choice: Choice }
  | { readonly do: "apply saved" }
  | { readonly do: "apply"; readonly choice: Choice; readonly trouble?: Trouble }
  | { readonly do: "crash"; readonly choice: Choice; readonly at: number; readonly losesRenames: boolean }
  | { readonly do: "outside"; readonly act: OutsideAct; readonly at: number; readonly name: string }
  | { readonly do: "wait"; readonly seconds: number };

/** What somebody else does at the service. */
export type OutsideAct = (typeof outsideActs)[number];

const outsideActs = [
  "rename",
  "change",
  "delete",
  "create a test case",
  "create a scenario",
  "create a gateway",
  "create a configuration",
  "create a repository",
  "run",
  "record",
  "add a schedule",
  "pause a schedule",
  "delete a schedule",
] as const;

const at = fc.nat({ max: 60 });
/** Names of the wishes too, so that they meet. */
const name = fc.constantFrom("alpha a", "Beta b", "gamma 3 c", "alpha", "Beta", "outside", "δ a");

/** Absent `times` times as often as present. */
const rarely = <T>(value: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const choice: fc.Arbitrary<Choice> = fc
  .record({
    target: rarely(at, 5),
    replace: rarely(at, 9),
    adopt: rarely(fc.constantFrom("exact" as const, "name" as const), 3),
    open: fc.boolean(),
    force: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    destroy: rarely(fc.constant(true as const), 25),
  })
  .map(withoutAbsent);

function withoutAbsent<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

/** Every route that writes or reads for an apply. */
const routes = [
  ["POST", "/test-cases"],
  ["PUT", "/test-cases/:testCaseId"],
  ["DELETE", "/test-cases/:testCaseId"],
  ["POST", "/test-cases/:testCaseId/scripts"],
  ["PUT", "/scripts/:id"],
  ["DELETE", "/scripts/:id"],
  ["POST", "/test-cases/:testCaseId/confs"],
  ["PUT", "/test-confs/:confId"],
  ["DELETE", "/test-confs/:confId"],
  ["PUT", "/test-schedules/:scheduleId"],
  ["POST", "/test-cases/:testCaseId/gateways"],
  ["PATCH", "/gateways/:id"],
  ["DELETE", "/gateways/:id"],
  ["POST", "/scripts/:id/data-stores/contents"],
  ["PUT", "/data-stores/:id/contents"],
  ["DELETE", "/data-stores/:id"],
  ["POST", "/orgs/:orgId/vcs-roots"],
  ["PUT", "/vcs-roots/:vcsRootId"],
  ["DELETE", "/vcs-roots/:vcsRootId"],
  ["POST", "/providers"],
  ["PUT", "/providers/:id"],
  ["POST", "/orgs/:orgId/regions"],
  ["GET", "/orgs/:orgId/test-cases"],
  ["GET", "/test-confs/:confId"],
  ["GET", "/test-confs/:confId/executions"],
] as const;

const trouble: fc.Arbitrary<Trouble> = fc
  .record({
    route: fc.constantFrom(...routes),
    after: fc.nat({ max: 2 }),
    times: fc.constantFrom(1, 1, 1, 9),
    how: fc.oneof(
      fc.record({ status: fc.constantFrom(400, 409, 429, 500, 503) }),
      fc.record({ drop: fc.constantFrom("before" as const, "after" as const) }),
      fc.record({ truncate: fc.constantFrom(0, 1, 40) }),
      // A second look must be right (docs/engine.md, Assumptions A10).
      fc.constant({ staleReads: 1 }),
      fc.constantFrom(
        { drop: "after" as const, effectDelayMs: 10_000 },
        { drop: "after" as const, effectDelayMs: 40_000 },
      ),
    ),
  })
  .map((each) => (isLateOnlyForCreates(each) ? each : { ...each, how: { drop: "after" as const } }));

/** A late update could undo what somebody else did meanwhile; only creates promise anything about being late (docs/engine.md, Assumptions A7). */
function isLateOnlyForCreates({ route: [method, path], how }: Trouble): boolean {
  // An upsert is sent again at once; a late one may bring back what the next run deletes meanwhile.
  const isUpsert = path === "/test-cases" || path === "/orgs/:orgId/regions";
  return (method === "POST" && !isUpsert) || !("effectDelayMs" in how);
}

/** A project with enough in it for things to happen to. */
export const fullProject = fc
  .tuple(randomProject, randomProject, randomProject)
  .map((all) => [...all].sort((left, right) => placed(right).length - placed(left).length)[0] ?? []);

const edit: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rewrite" as const), wishes: fullProject }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("mix" as const), wishes: fullProject }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("rename" as const), at, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("swap names" as const), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("rekey" as const),
      at,
      key: fc.constantFrom("a", "b", "c", "e", "f"),
      said: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("drop" as const), at, forget: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("protect" as const), at, protect: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("ignore" as const),
      at,
      ignore: fc.subarray(["name", "description", "iterationSleepSecs", "script"]),
    }),
  },
);

const outside: fc.Arbitrary<Command> = fc.record({
  do: fc.constant("outside" as const),
  act: fc.constantFrom(...outsideActs),
  at,
  name,
});

/** Any command. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({ do: "nothing" as const }) },
  { weight: 7, arbitrary: edit },
  { weight: 6, arbitrary: outside },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("apply" as const), choice }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("apply" as const), choice, trouble }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("crash" as const),
      choice,
      at: fc.nat({ max: 90 }),
      losesRenames: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("plan" as const), choice }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("save" as const), choice }) },
  { weight: 2, arbitrary: fc.constant({ do: "apply saved" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(5, 60, 7200) }) },
);
