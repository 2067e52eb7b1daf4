import type { Code } from "../model/codes.ts";
import type { Diagnostic, Locate } from "../model/diagnostic.ts";
import type { Limits } from "../model/limits.ts";
import type { DeclaredLoad } from "./declared-loads.ts";

/** Where limits come from: the project itself, or a file outside of it. */
export interface LimitSource {
  readonly limits: Limits;
  /** Words for one of its keys: `limits.users.atPeak`. */
  readonly nameOf: (key: string) => string;
  readonly severity: Diagnostic["severity"];
}

/** Everything that limits are checked on: plain data, and the clock. */
export interface LimitInput {
  readonly loads: readonly DeclaredLoad[];
  /** Addresses of the configurations that gates run. */
  readonly gates: readonly string[];
  readonly sources: readonly LimitSource[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly locate: Locate;
}

/** One of several that add up to a figure. */
export interface Contributor {
  readonly address: string;
  readonly amount: number;
  /** The amount in words, where it is more than a number: `2 × 100 users`. */
  readonly words?: string;
  readonly isHidden?: boolean | undefined;
}

/** A limit that a figure is above. */
export interface BrokenLimit {
  readonly source: LimitSource;
  readonly limit: number;
}

/** Figures are sums of fractions: so much above a limit is as much as it. */
const tolerance = 1e-9;

/** The limit that a figure breaks: of several the smallest one, but one that only warns after any other. */
export function brokenLimit(
  sources: readonly LimitSource[],
  figure: number,
  limitOf: (limits: Limits) => number | undefined,
): BrokenLimit | undefined {
  const broken = sources.flatMap((source): readonly BrokenLimit[] => {
    const limit = limitOf(source.limits);
    return limit === undefined || figure <= limit * (1 + tolerance) ? [] : [{ source, limit }];
  });
  const rank = ({ source }: BrokenLimit) => (source.severity === "error" ? 0 : 1);
  return [...broken].sort((left, right) => rank(left) - rank(right) || left.limit - right.limit)[0];
}

/** True where any source has a limit of this kind. */
export function isLimited(sources: readonly LimitSource[], limitOf: (limits: Limits) => number | undefined): boolean {
  return sources.some(({ limits }) => limitOf(limits) !== undefined);
}

/** As many contributors are named. */
const mostNamed = 5;

/** A finding about a limit: a problem at the place of what contributes most. */
export function limitFinding(
  { locate }: Pick<LimitInput, "locate">,
  {
    code,
    severity,
    summary,
    detail,
    address,
  }: Pick<Diagnostic, "severity" | "summary" | "detail"> & { readonly code: Code; readonly address: string },
): Diagnostic {
  return { severity, code, summary, detail, address, ...locate(address) };
}

/** The figure in words, never those of the limit that it is above; of values from `${env:…}` no sum is shown. */
export function figureWords(figure: number, limit: number, parts: readonly Contributor[]): string {
  if (parts.some(({ isHidden }) => isHidden)) return "more (from ${env:…})";
  const words = amountWords(figure);
  return words === amountWords(limit) ? `a little more than ${words}` : words;
}

/** The contributors to a figure, the largest first, each with its place. */
export function contributorWords(
  parts: readonly Contributor[],
  unit: string,
  { locate }: Pick<LimitInput, "locate">,
): string {
  const sorted = [...parts].sort((left, right) => right.amount - left.amount);
  const [named, others] = [sorted.slice(0, mostNamed), sorted.slice(mostNamed)];
  const words = named.map((part) => {
    const amount = part.isHidden ? "from ${env:…}" : (part.words ?? `${amountWords(part.amount)} ${unit}`);
    return `${withPlace(part.address, locate)}: ${amount}`;
  });
  if (others.length > 0) {
    const rest = others.reduce((sum, { amount }) => sum + amount, 0);
    const isHidden = others.some((part) => part.isHidden);
    words.push(`and ${others.length} more${isHidden ? "" : `: ${amountWords(rest)} ${unit}`}`);
  }
  return words.join("; ");
}

/** An address with its place in the files. */
function withPlace(address: string, locate: Locate): string {
  const at = locate(address);
  return at === undefined ? address : `${address} (${at.file}:${at.line})`;
}

const format = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number as people read it: 12,500 or 3.51. */
export function amountWords(amount: number): string {
  return format.format(amount);
}
