import { id, number, oneOf, record, type Shape, shape } from "../store/shape.ts";
import type { LoadReport, LoadUser } from "./worker-task.ts";

const user = { regionId: id, user: id };
const list = shape("a list", (value) => Array.isArray(value));
const phase = oneOf("init", "main", "teardown");

/** Shapes of reports: a script that got hold of its thread could send anything. */
const shapes: Readonly<Record<LoadReport["kind"], Shape>> = {
  alive: record({}),
  ended: record({}),
  begins: record({ ...user, atMs: number }),
  leaves: record({ ...user, atMs: number }),
  iteration: record({ ...user, phase, iteration: id, startMs: number, endedMs: number, reports: list }),
};

/** True for a report that a thread which makes load could have sent. */
export function isLoadReport(report: unknown): report is LoadReport {
  if (typeof report !== "object" || report === null || !("kind" in report)) return false;
  const { kind } = report;
  return typeof kind === "string" && Object.hasOwn(shapes, kind) && !shapes[kind as LoadReport["kind"]](report, kind);
}

type Named = Pick<LoadUser, "regionId" | "user">;

/** The users that run in a thread. */
export class LoadedUsers {
  readonly #present = new Map<string, Named>();

  get present(): readonly Named[] {
    return [...this.#present.values()];
  }

  note({ kind, regionId, user }: Named & { readonly kind: "begins" | "leaves" }): void {
    const key = `${regionId} ${user}`;
    if (kind === "begins") this.#present.set(key, { regionId, user });
    else this.#present.delete(key);
  }
}
