import { asHtml } from "../../pictures/escape-html.ts";
import type { JudgedRun, RunDetails, RunResults } from "../../run/run-document.ts";
import { cleanText } from "../terminal-text.ts";
import { checksOf, isJudged, type RunCheck, runMarks, runName, runPlace } from "./run-words.ts";

/** One test case of a report, with what GitLab, GitHub and Jenkins tell apart. */
interface TestCase {
  readonly name: string;
  readonly seconds: number;
  readonly outcome?: {
    readonly kind: "failure" | "error" | "skipped";
    readonly type: string;
    readonly message: string;
    /** Below the message; none below that of what is skipped. */
    readonly lines: readonly string[];
  };
}

/** Runs as a JUnit report: a suite for each, a test case for everything that was asked of it, and one for the run itself. */
export function runJunit({ warnings, runs }: RunResults): string {
  const suites = runs.map((details) => ({ details, cases: casesOf(details) }));
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = suites.reduce((sum, { details }) => sum + secondsOf(details.run), 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name: "loadform", ...countsOf(all), time: seconds.toFixed(3) })}>
${suites.map(({ details, cases }) => suiteXml(details, cases, warnings)).join("")}</testsuites>
`;
}

function casesOf(details: RunDetails): readonly TestCase[] {
  const { run, ownReasons = [] } = details;
  const cases = checksOf(details).map((check) => checkCase(check, run));
  const isFailed = run.verdict === "failed" && ownReasons.length === 0;
  const isExplained = isFailed && cases.some(({ outcome }) => outcome?.kind === "failure");
  return [...cases, { name: "run", seconds: secondsOf(run), ...(isExplained ? {} : runOutcome(run, ownReasons)) }];
}

function checkCase(check: RunCheck, run: JudgedRun): TestCase {
  const { kind, name, ok, measured, beside } = check;
  const found = beside === undefined ? measured : `${measured} (${beside})`;
  const test = { name, seconds: 0 };
  if (ok === true) return test;
  if (ok === false)
    return {
      ...test,
      outcome: {
        kind: "failure",
        type: kind,
        message: `${name}: ${found}`,
        lines: [`measured: ${found}`, ...about(run)],
      },
    };
  const why = isJudged(run) ? `not decided: ${found}` : `not judged: the verdict is ${run.verdict}; measured: ${found}`;
  return { ...test, outcome: { kind: "skipped", type: kind, message: why, lines: [] } };
}

/** A run that failed for another reason than its checks is a failure itself. */
function runOutcome(run: JudgedRun, [own]: readonly string[]): Pick<TestCase, "outcome"> {
  const { verdict, reasons } = run;
  if (verdict === "passed") return {};
  const message = own ?? reasons[0] ?? `the verdict is ${verdict}`;
  const kind = verdict === "failed" ? "failure" : "error";
  return { outcome: { kind, type: verdict, message, lines: [...reasons, ...about(run)] } };
}

function about(run: JudgedRun): readonly string[] {
  return [`run: ${runName(run)}, ${runPlace(run)}`, ...runMarks(run)];
}

function suiteXml({ run }: RunDetails, cases: readonly TestCase[], warnings: readonly string[]): string {
  const { startedAt, address } = run;
  const time = { time: secondsOf(run).toFixed(3), ...timestampOf(startedAt) };
  const said = [...runMarks(run), ...run.reasons, ...[...warnings, ...run.warnings].map((text) => `warning: ${text}`)];
  const output = said.length === 0 ? "" : `    <system-out>${xmlText(said.join("\n"))}</system-out>\n`;
  return `  <testsuite${attributes({ name: runName(run), ...countsOf(cases), skipped: skippedOf(cases), ...time })}>
    <properties>
${propertiesOf(run)
  .map(([name, value]) => `      <property${attributes({ name, value })}/>\n`)
  .join("")}    </properties>
${cases.map((each) => caseXml(each, address)).join("")}${output}  </testsuite>
`;
}

function propertiesOf({ execution, verdict, simulated, stale, baseline }: JudgedRun) {
  return Object.entries({
    verdict,
    ...(execution !== null && { execution: String(execution) }),
    simulated: String(simulated),
    stale: String(stale ?? false),
    ...(baseline && { baseline: baseline.join(" ") }),
  });
}

function caseXml({ name, seconds, outcome }: TestCase, address: string): string {
  const head = `    <testcase${attributes({ classname: address, name, time: seconds.toFixed(3) })}`;
  if (outcome === undefined) return `${head}/>\n`;
  const { kind, type, message, lines } = outcome;
  // Jenkins' schema allows what is skipped no attribute; every reader takes its text.
  const [named, body] = kind === "skipped" ? ["", message] : [attributes({ message, type }), lines.join("\n")];
  return `${head}>\n      <${kind}${named}>${xmlText(body)}</${kind}>\n    </testcase>\n`;
}

function countsOf(cases: readonly TestCase[]) {
  const of = (kind: string) => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  return { tests: String(cases.length), failures: String(of("failure")), errors: String(of("error")) };
}

function skippedOf(cases: readonly TestCase[]): string {
  return String(cases.filter(({ outcome }) => outcome?.kind === "skipped").length);
}

function secondsOf({ summary }: JudgedRun): number {
  return Math.max(0, summary.durationSecs ?? 0);
}

/** In UTC and without its zone, as Ant wrote it; nothing where the service's text is no moment. */
function timestampOf(startedAt: string | null): { readonly timestamp?: string } {
  const at = Date.parse(startedAt ?? "");
  return Number.isNaN(at) ? {} : { timestamp: new Date(at).toISOString().slice(0, 19) };
}

function attributes(named: Readonly<Record<string, string>>): string {
  return Object.entries(named)
    .map(([name, value]) => ` ${name}="${xmlText(value).replaceAll("\n", "&#10;")}"`)
    .join("");
}

/** Code units that no XML document may hold: halves of pairs, and what is no character. */
const unheard = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text as XML 1.0 can hold it. */
function xmlText(text: string): string {
  return asHtml(cleanText(text).replace(unheard, "\ufffd"));
}
