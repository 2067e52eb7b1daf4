import { isConflict } from "../../model/service-error.ts";
import type { ServiceAccess } from "./service-access.ts";

/** The writes of one connection: Terraform lets those of different resources run beside each other. */
export interface WritesUnderWay {
  /** Runs all that one resource writes, which counts as under way meanwhile. */
  readonly run: <T>(writes: () => Promise<T>) => Promise<T>;
  /**
   * Sends one of them. Refused because of a conflict (409) it is sent again whenever another resource's have ended, for
   * what is in the way may be about to be changed. The refusal is final once no other ones run.
   */
  readonly send: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Between two looks at what runs; Terraform starts what waits for something as soon as that has ended. */
const lookMs = 500;
/** After so many looks at nothing that runs, nothing will. */
const idleLooks = 2;

/** No writes yet. */
export function writesUnderWay({ sleep, stopped }: Pick<ServiceAccess, "sleep" | "stopped">): WritesUnderWay {
  let [running, ended] = [0, 0];
  /** Who waits is not waited for. */
  const hasAnotherEnded = async (before: number): Promise<boolean> => {
    running--;
    try {
      for (let idle = 0; idle < idleLooks && !stopped.aborted; idle = running > 0 ? 0 : idle + 1) {
        await sleep(lookMs);
        if (ended > before) return true;
      }
      return false;
    } finally {
      running++;
    }
  };
  return {
    async run(writes) {
      running++;
      try {
        return await writes();
      } finally {
        running--;
        ended++;
      }
    },
    async send(write) {
      for (;;) {
        const before = ended;
        try {
          return await write();
        } catch (problem) {
          if (!isConflict(problem) || !(await hasAnotherEnded(before))) throw problem;
        }
      }
    },
  };
}
