import type { Finding } from "../../../src/watch/check-result.ts";
import type { PastCheck, ProjectMemory, ProjectState } from "../../../src/watch/project-memory.ts";
import type { WatchedNow } from "../../../src/watch/watcher-view.ts";
import { watched } from "./sample-projects.ts";

const minute = 60_000;
const states = ["failed", "locked", "blocked", "out-of-sync", "drifted", undefined, "suspended", "in-sync"] as const;
const sha = (seed: number) => seed.toString(16).padStart(2, "0").repeat(20);

const reasons: Partial<Record<ProjectState, string>> = {
  failed: "file not readable: scripts/checkout.js",
  locked: "locked by apply of ci@runner-17 since 11:40",
  blocked: "12 of 20 objects would be deleted",
  "out-of-sync": "prune",
  drifted: "3 fields were changed outside",
};

const plan = `~ testCase.checkout
    ~ description: "Checkout" -> "Checkout, 50 users"
  + testCase.checkout/scenario.browse
    + name: "Browse"
  - testCase.checkout/configuration.old

1 to create, 1 to update, 1 to delete
`;

const findings: readonly Finding[] = [
  { address: "testCase.checkout", action: "update", origin: "git", driftedFields: 0, ends: false },
  { address: "testCase.checkout/configuration.old", action: "delete", origin: "git", driftedFields: 0, ends: true },
  {
    ...({ address: "testCase.checkout/scenario.browse", action: "update", origin: "drift", driftedFields: 3 } as const),
    ...({ ends: false, busy: "running" } as const),
  },
];

/** So many projects of all states in turn, as they are now. */
export function fleet(count: number): readonly WatchedNow[] {
  return Array.from({ length: count }, (_, number) => {
    const state = states[number % states.length];
    const name = `shop-${String(number).padStart(2, "0")}`;
    return watched(name, state === undefined ? {} : memoryOf(state, number), {
      heal: "git",
      environment: "production",
    });
  });
}

function memoryOf(state: ProjectState, number: number): Partial<ProjectMemory> {
  const now = Date.now();
  const differs = ["out-of-sync", "drifted", "blocked", "locked"].includes(state);
  const reason = reasons[state];
  return {
    ...{ state, since: now - (number + 1) * 37 * minute, lastCheckAt: now - minute, lastSuccessAt: now - 2 * minute },
    ...(reason === undefined ? {} : { reason }),
    ...(state === "suspended" ? { suspendedUntil: now + 90 * minute } : { nextCheckAt: now + minute }),
    commit: { applied: sha(number), wanted: sha(differs ? number + 1 : number) },
    ...{ objects: 20, driftedFields: differs ? 3 : 0, plan: differs ? plan : "", findings: differs ? findings : [] },
    fights: differs ? { "testCase.checkout": { healedAt: [], lastDriftAt: now, leftAloneSince: now - minute } } : {},
    history: Array.from({ length: 100 }, (_, at) => pastCheck(at === 0 ? state : "in-sync", now - at * 2 * minute)),
    problems: state === "failed" ? [unreadable] : [],
  };
}

const unreadable = {
  severity: "error",
  code: "LF1002",
  summary: "file not readable",
  detail: "scripts/checkout.js does not exist; scenario.browse refers to it. Add it, or correct the path",
  ...{ address: "testCase.checkout/scenario.browse", file: "loadform.yaml", line: 12 },
} as const;

function pastCheck(state: ProjectState, ended: number): PastCheck {
  const reason = reasons[state];
  return {
    ...{ at: new Date(ended).toISOString(), ms: 1840, state, commit: sha(7) },
    ...(reason === undefined ? {} : { reason }),
    healed: state === "in-sync" ? [] : ["testCase.checkout/scenario.browse"],
  };
}

const attacks = [
  "<img src=x onerror=globalThis.ran=1>",
  "</script><script>globalThis.ran=1</script>",
  `"'--></title></style><svg onload=globalThis.ran=1>`,
  `${"very-long-name-".repeat(30)}`,
  "../../api/status?x#y%",
];

/** What would run, or break the page, if it were taken for more than a text. */
export const hostile: readonly WatchedNow[] = attacks.map((attack) =>
  watched(
    attack,
    {
      ...{ state: "failed", reason: attack.repeat(4), plan: attack, commit: { applied: attack, wanted: attack } },
      findings: [{ address: attack, action: "update", origin: "git", driftedFields: 0, ends: false }],
      problems: [{ severity: "error", code: "LF1002", summary: attack, detail: attack, file: attack }],
      history: [{ at: attack, ms: 1, state: "failed", reason: attack, commit: attack, healed: [attack] }],
    },
    { environment: attack, target: attack, source: { is: "git", url: attack, branch: attack, path: attack } },
  ),
);
