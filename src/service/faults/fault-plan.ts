import type { Match } from "../core/router.ts";
import type { AimedFault, Fault } from "./fault.ts";

interface Planned extends AimedFault {
  /** Calls that matched. */
  matches: number;
  /** Calls that it was carried out on. */
  hits: number;
}

const sameWrite = new Set(["PUT", "PATCH"]);

/** The planned faults, with how often each matched and hit. */
export class FaultPlan {
  #planned: Planned[] = [];

  set(faults: readonly AimedFault[]): void {
    this.#planned = faults.map((each) => ({ ...each, matches: 0, hits: 0 }));
  }

  /** The faults as they were given, with their hits. */
  list(): readonly (Fault & { readonly hits: number })[] {
    return this.#planned.map(({ fault, hits }) => ({ ...fault, hits }));
  }

  get size(): number {
    return this.#planned.length;
  }

  /** The fault that this call meets: every planned one counts it, the first that is due hits. */
  take(method: string, match: Match): Fault | undefined {
    let due: Planned | undefined;
    for (const planned of this.#planned) {
      if (!matches(planned, method, match)) continue;
      planned.matches += 1;
      if (due === undefined && isDue(planned)) due = planned;
    }
    if (due) due.hits += 1;
    return due?.fault;
  }
}

function isDue({ fault, matches, hits }: Planned): boolean {
  return matches > (fault.after ?? 0) && (fault.times === undefined || hits < fault.times);
}

function matches({ fault, route, params }: Planned, method: string, { mounted, params: values }: Match): boolean {
  const same = fault.method === method || (sameWrite.has(fault.method) && sameWrite.has(method));
  if (!same || mounted.key !== route) return false;
  return mounted.params.every((name, index) => params[index] === undefined || params[index] === values[name]);
}
