import type { CheckResult, Found } from "../../../src/watch/check-result.ts";
import { runWatcher, type WatcherParts } from "../../../src/watch/loop/run-watcher.ts";
import type { WatchedProject } from "../../../src/watch/watched-project.ts";

export const start = Date.parse("2026-11-24T10:00:00Z");
export const found = (more: Partial<Found> = {}): Found => ({
  ...{ documents: "d", difference: "x", objects: 1, findings: [], unrecorded: [], blocked: [], warnings: [], plan: "" },
  ...more,
});
export const checked = (more: Partial<Found> = {}): CheckResult => ({ is: "checked", found: found(more), requests: 1 });
export const project = (name: string, more: Partial<WatchedProject> = {}): WatchedProject => ({
  ...{
    name,
    source: { is: "dir", dir: `/${name}` },
    prune: false,
    intervalSecs: 60,
    timeoutSecs: 600,
    allowPrograms: true,
    suspend: [],
  },
  ...more,
});

/** A watcher in virtual time. */
export function bench(
  projects: readonly WatchedProject[],
  given: Partial<WatcherParts> & { readonly once?: boolean } = {},
) {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  const begun: string[] = [];
  const saved: string[] = [];
  const parts: WatcherParts = {
    projects,
    memories: new Map(),
    now: () => now,
    random: () => 0.5,
    setTimer(run, ms) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    slots: { fresh: 2, all: 8 },
    check: async () => ({ result: checked() }),
    save: async (_, when) => void saved.push(when),
    tell: () => undefined,
    checked: () => undefined,
    ...given,
  };
  const inner = parts.check;
  const watcher = runWatcher(
    {
      ...parts,
      check(each, compared, signal) {
        begun.push(`${(now - start) / 1000} ${each.name}`);
        return inner(each, compared, signal);
      },
    },
    given.once ? { once: true } : {},
  );
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  const advance = async (ms: number) => {
    await settle();
    for (const end = now + ms; ; ) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
      if (next === undefined) {
        now = end;
        return;
      }
      now = Math.max(now, next.at);
      timers.delete(next);
      next.run();
      await settle();
    }
  };
  return { watcher, begun, saved, advance, settle, timers };
}
