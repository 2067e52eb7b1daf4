import { newMemory } from "../decide.ts";
import { type ProjectMemory, projectStates } from "../project-memory.ts";

/** Replaces the file of the memories. */
export type WriteMemories = (text: string) => Promise<void>;

const format = 1;

/** The memories in a file by name; undefined where it is none of ours. */
export function readMemories(text: string): ReadonlyMap<string, ProjectMemory> | undefined {
  try {
    const { version, projects } = JSON.parse(text) as { readonly version?: unknown; readonly projects?: unknown };
    if (version !== format || typeof projects !== "object" || projects === null) return undefined;
    const memories = Object.entries(projects as Readonly<Record<string, ProjectMemory>>);
    return memories.every(([, memory]) => isMemory(memory)) ? new Map(memories) : undefined;
  } catch {
    return undefined;
  }
}

/** Members that are read of each element of a list. */
const elements: Readonly<Record<string, object>> = {
  failedTries: { version: "", difference: "", reason: "", addresses: [], unknown: [] },
  history: { at: "", ms: 0, state: "", healed: [] },
  problems: { severity: "", code: "", summary: "" },
  findings: {},
};

/** Members that a new memory has not. */
const later = { findings: [], reason: "", since: 0, lastCheckAt: 0, lastSuccessAt: 0, nextCheckAt: 0 };

/** The last moment that a date can have, in epoch milliseconds. */
const lastMoment = 8.64e15;

/** True where each member has the form of a new one's; later versions may have fewer. Numbers are counts and moments. */
function isMemory(memory: unknown): boolean {
  if (typeof memory !== "object" || memory === null) return false;
  const members = memory as Partial<ProjectMemory>;
  const { state, suspendedUntil } = members;
  if (state !== undefined && !projectStates.includes(state)) return false;
  const forms = { ...newMemory(), ...later, ...(suspendedUntil !== null && { suspendedUntil: 0 }) };
  const hasForms = Object.entries(forms).every(([name, form]) => {
    const value: unknown = members[name as keyof ProjectMemory];
    if (value === undefined) return true;
    if (typeof value === "number" && !(value >= 0 && value <= lastMoment)) return false;
    return isLike(value, form) && (!Array.isArray(value) || value.every((each) => hasForm(each, elements[name] ?? {})));
  });
  return hasForms && Object.values(members.fights ?? {}).every((fight) => hasForm(fight, { healedAt: [] }));
}

function hasForm(value: unknown, form: object): boolean {
  return isLike(value, form) && Object.entries(form).every(([name, each]) => isLike(Reflect.get(value, name), each));
}

/** True of another text, number, list or object. */
function isLike(value: unknown, form: unknown): value is object {
  return typeof value === typeof form && value !== null && Array.isArray(value) === Array.isArray(form);
}

/** Time in which changes are written together. */
const togetherMs = 5_000;

/** Saves memories: soon, together with what changes meanwhile, or now. A file that cannot be written is told once. */
export function memorySaver(
  writeFile: WriteMemories,
  {
    setTimer,
    failed,
  }: { readonly setTimer: (run: () => void, ms: number) => () => void; readonly failed: (problem: unknown) => void },
): (memories: ReadonlyMap<string, ProjectMemory>, when: "soon" | "now") => Promise<void> {
  let cancel: (() => void) | undefined;
  let writing = Promise.resolve();
  let isTold = false;
  const write = (memories: ReadonlyMap<string, ProjectMemory>) => {
    cancel?.();
    cancel = undefined;
    writing = writing
      .then(() => writeFile(`${JSON.stringify({ version: format, projects: Object.fromEntries(memories) })}\n`))
      .catch((problem: unknown) => {
        if (!isTold) failed(problem);
        isTold = true;
      });
    return writing;
  };
  return async (memories, when) => {
    if (when === "now") return write(memories);
    cancel ??= setTimer(() => void write(memories), togetherMs);
  };
}
