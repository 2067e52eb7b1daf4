import type { LockInfo } from "./store.ts";

/** Terraform's lock info, as its HTTP backend sends and receives it. */
interface WireLock {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

/** A lock as the body of LOCK and UNLOCK. GitLab wants every member to be there. */
export function lockBody(info: LockInfo, version: string): string {
  const wire: WireLock = {
    ID: info.id,
    Operation: info.operation,
    Info: info.info ?? detailsOf(info),
    Who: info.who,
    Version: version,
    Created: info.created,
    Path: "",
  };
  return JSON.stringify(wire);
}

/**
 * The holder that a refusal names; undefined when it names none. GitLab answers with the holder's id, name and time but
 * the asker's own operation and info: what echoes `ours` is left out.
 */
export function lockOf(body: string, ours: LockInfo): LockInfo | undefined {
  const wire = parse(body);
  if (wire?.ID === undefined || wire.ID === "") return undefined;
  const isEcho = wire.ID !== ours.id && (wire.Info ?? "").includes(ours.id);
  const info = isEcho ? "" : (wire.Info ?? "");
  const pid = /^pid (\d+),/.exec(info)?.[1];
  return {
    id: wire.ID,
    operation: (isEcho ? "" : wire.Operation) || "another command",
    who: wire.Who || "someone",
    created: wire.Created || "an unknown time",
    ...(info === "" ? {} : { info }),
    ...(pid === undefined ? {} : { pid: Number(pid) }),
  };
}

/** What Terraform shows beside the operation. It carries the id, so that an echo is known as one. */
function detailsOf({ id, pid }: LockInfo): string {
  return `pid ${pid ?? 0}, lock ${id}`;
}

function parse(body: string): Partial<WireLock> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null) return undefined;
    const texts = Object.entries(value).filter(([, member]) => typeof member === "string");
    return Object.fromEntries(texts) as Partial<WireLock>;
  } catch {
    return undefined;
  }
}
