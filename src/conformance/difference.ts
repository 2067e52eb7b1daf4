import type { RouteKey } from "../api/routes.ts";

/** The object that a question was about, by kind and id alone, so that it can be found. */
export interface Subject {
  readonly kind: string;
  readonly id: number;
}

/** Ways in which an answer can differ. */
type DifferenceKind =
  | "status"
  | "type"
  | "form"
  | "word"
  | "missing"
  | "unasked"
  | "undescribed"
  | "count"
  | "value"
  | "rule";

/** One difference in one answer. `found` and `expected` are words about types and forms, never a value of the answer. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Name of the object on the wire and its member, `configuration.profileType`; `answer` where the whole is meant. */
  readonly at: string;
  readonly found: string;
  readonly expected: string;
  readonly route: RouteKey;
  readonly subject?: Subject;
}

/** A difference with all answers that have it. */
export interface Finding extends Omit<Difference, "route" | "subject"> {
  readonly answers: number;
  readonly routes: readonly RouteKey[];
  /** The first objects that it was found at. */
  readonly subjects: readonly Subject[];
}

const mostSubjects = 3;

/** The same difference in many answers is one finding; the order is that of their places. */
export function gatherFindings(differences: readonly (readonly Difference[])[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const ofAnswer of differences) {
    const counted = new Set<string>();
    for (const each of ofAnswer) {
      const { kind, at, found: seen, expected } = each;
      const key = [kind, at, seen, expected].join("\n");
      const former = found.get(key) ?? { kind, at, found: seen, expected, answers: 0, routes: [], subjects: [] };
      found.set(key, added(former, each, counted.has(key)));
      counted.add(key);
    }
  }
  return [...found.values()].sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

function added(former: Finding, { route, subject }: Difference, isCounted: boolean): Finding {
  const { subjects } = former;
  const isNew = subject && !subjects.some(({ kind, id }) => kind === subject.kind && id === subject.id);
  return {
    ...former,
    answers: former.answers + (isCounted ? 0 : 1),
    routes: former.routes.includes(route) ? former.routes : [...former.routes, route],
    subjects: isNew && subjects.length < mostSubjects ? [...subjects, subject] : subjects,
  };
}
