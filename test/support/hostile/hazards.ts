import fc from "fast-check";
import { pick } from "./draw.ts";
import { type Edit, editWays } from "./edits.ts";
import { type OutsideAct, outsideActs } from "./outsider.ts";
import { allSenseless, type Senseless } from "./senseless.ts";

/** What the service or the way to it does wrong (its own planned faults). */
export type Wrong =
  | { readonly status: number; readonly retryAfterSecs?: number }
  | { readonly drop: "before" | "after"; readonly effectDelayMs?: number }
  | { readonly truncate: number }
  | { readonly staleReads: number };

/** One thing that goes wrong at a request of a command, counted from 0. */
export type Hazard =
  | { readonly is: "fault"; readonly at: number; readonly times: number; readonly how: Wrong }
  | { readonly is: "page"; readonly at: number; readonly times: number }
  | { readonly is: "refusal after"; readonly at: number; readonly times: number; readonly status: number }
  | {
      readonly is: "senseless";
      readonly at: number;
      readonly times: number;
      readonly which: Senseless;
      /** Only where this pattern meets method and path. */
      readonly on?: string;
    }
  | { readonly is: "outside"; readonly at: number; readonly act: OutsideAct; readonly pick: number };

/** Hazards that can be switched on and off. */
export interface Switches {
  readonly kills: boolean;
  readonly faults: readonly Wrong[];
  /** Pages for people instead of an answer. */
  readonly pages: boolean;
  /** Statuses that are answered although the work is done. */
  readonly refusals: readonly number[];
  readonly senseless: readonly Senseless[];
  readonly outside: readonly OutsideAct[];
}

/** Everything at once. */
export const allHazards: Switches = {
  kills: true,
  faults: [
    ...[400, 401, 403, 404, 408, 409, 500, 502, 503].map((status) => ({ status })),
    { status: 429, retryAfterSecs: 1 },
    { status: 503, retryAfterSecs: 2 },
    { drop: "before" },
    { drop: "after" },
    { drop: "after", effectDelayMs: 10_000 },
    { drop: "after", effectDelayMs: 40_000 },
    { truncate: 0 },
    { truncate: 1 },
    { truncate: 40 },
    { staleReads: 1 },
  ],
  pages: true,
  refusals: [500, 502, 504],
  senseless: allSenseless,
  outside: outsideActs,
};

/** One command of ours, with what goes wrong meanwhile. */
export interface Command {
  readonly edits: readonly Edit[];
  readonly what: "apply" | "targeted apply" | "replace" | "destroy" | "drift";
  readonly at: number;
  /** What is somebody else's may go with what is above it: `--allow-destroy '**'`. */
  readonly open: boolean;
  readonly hazards: readonly Hazard[];
  /** The step of disk or network at which the process is killed. */
  readonly kill?: number;
  readonly losesRenames: boolean;
  /** Done between this command and the one before it. */
  readonly before: readonly { readonly act: OutsideAct; readonly pick: number }[];
}

/** One run, as plain data that shrinks. */
export interface HostileRun {
  readonly seed: number;
  readonly size: number;
  readonly commands: readonly Command[];
  readonly ends: "apply" | "destroy";
}

const at = fc.nat({ max: 60 });

/** Runs with the hazards that are switched on. */
export function anyRun(on: Switches): fc.Arbitrary<HostileRun> {
  const outside = fc.record({ act: fc.nat({ max: 99 }), pick: fc.nat({ max: 60 }) }).map((each) => ({
    act: pick(on.outside, each.act) ?? "a child",
    pick: each.pick,
  }));
  const command: fc.Arbitrary<Command> = fc
    .record({
      edits: fc.array(fc.record({ way: fc.constantFrom(...editWays), at }), { maxLength: 3 }),
      what: fc.oneof(
        { weight: 12, arbitrary: fc.constant("apply" as const) },
        { weight: 2, arbitrary: fc.constant("targeted apply" as const) },
        { weight: 2, arbitrary: fc.constant("replace" as const) },
        { weight: 1, arbitrary: fc.constant("destroy" as const) },
        { weight: 1, arbitrary: fc.constant("drift" as const) },
      ),
      at,
      open: fc.boolean(),
      hazards: fc.array(anyHazard(on), { maxLength: 4 }),
      kill: fc.option(fc.nat({ max: 110 }), { freq: 3, nil: undefined }),
      losesRenames: fc.boolean(),
      before: fc.array(outside, { maxLength: 2 }),
    })
    .map(({ kill, before, ...rest }) => ({
      ...rest,
      before: on.outside.length === 0 ? [] : before,
      ...(on.kills && kill !== undefined && { kill }),
    }));
  return fc.record({
    seed: fc.nat({ max: 1_000_000 }),
    size: fc.integer({ min: 1, max: 3 }),
    commands: fc.array(command, { minLength: 1, maxLength: 4 }),
    ends: fc.constantFrom("apply" as const, "apply" as const, "apply" as const, "destroy" as const),
  });
}

function anyHazard(on: Switches): fc.Arbitrary<Hazard> {
  const times = fc.constantFrom(1, 1, 1, 2, 9);
  const when = { at: fc.nat({ max: 45 }) };
  const all: fc.Arbitrary<Hazard>[] = [
    ...(on.faults.length > 0
      ? [fc.record({ is: fc.constant("fault" as const), ...when, times, how: fc.constantFrom(...on.faults) })]
      : []),
    ...(on.pages ? [fc.record({ is: fc.constant("page" as const), ...when, times })] : []),
    ...(on.refusals.length > 0
      ? [
          fc.record({
            is: fc.constant("refusal after" as const),
            ...when,
            times,
            status: fc.constantFrom(...on.refusals),
          }),
        ]
      : []),
    ...(on.senseless.length > 0
      ? [fc.record({ is: fc.constant("senseless" as const), ...when, times, which: fc.constantFrom(...on.senseless) })]
      : []),
    ...(on.outside.length > 0
      ? [fc.record({ is: fc.constant("outside" as const), ...when, act: fc.constantFrom(...on.outside), pick: at })]
      : []),
  ];
  return all.length === 0 ? fc.constant({ is: "fault", at: 0, times: 1, how: { staleReads: 1 } }) : fc.oneof(...all);
}
