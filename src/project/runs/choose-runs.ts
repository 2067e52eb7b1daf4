import { addressMatcher } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { didYouMean } from "../../model/did-you-mean.ts";
import { doubtKpi } from "../../model/gates/doubt-kpi.ts";
import { type Baseline, type Gate, type GateKpi, plainGate } from "../../model/gates/gate.ts";
import { isKpiProblem, parseKpi } from "../../model/gates/kpi.ts";
import type { LoadedProject } from "../open-project.ts";

/** A gate, or a configuration that is run without one. */
export type AskedRun = Omit<Gate, "name"> & { readonly name?: string };

/** The runs that a command line asks for. */
export interface RunChoice {
  /** Globs of gate names. */
  readonly gates: readonly string[];
  /** Addresses of configurations, or `checkout/smoke`, or globs of either. */
  readonly configurations: readonly string[];
  readonly kpis: readonly string[];
  readonly baseline?: Baseline;
  readonly tags: readonly string[];
}

/** The chosen runs, or why there are none. */
export interface ChosenRuns {
  readonly runs: readonly AskedRun[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Chooses gates and configurations by name; with neither, the only gate (docs/gates.md). */
export function chooseRuns(project: LoadedProject, choice: RunChoice): ChosenRuns {
  const { gates } = project;
  const named = choice.gates.map((glob) => ({ glob, found: gates.filter(({ name }) => globMatches(glob, name)) }));
  const configurations = choice.configurations.map((written) => ({
    written,
    found: configurationsAt(project, written),
  }));
  const problems = [
    ...named.flatMap(({ glob, found }) => (found.length > 0 ? [] : [noGate(glob, gates)])),
    ...configurations.flatMap(({ written, found }) => (found.length === 0 ? [noConfiguration(written, project)] : [])),
  ];
  const isAsked = choice.gates.length + choice.configurations.length > 0;
  const chosen = isAsked ? gates.filter((gate) => named.some(({ found }) => found.includes(gate))) : gates;
  if (!isAsked && gates.length !== 1) return { runs: [], diagnostics: [...problems, unclear(project)] };
  const addresses = new Set(configurations.flatMap(({ found }) => found));
  const plain = [...addresses].map((address) => plainGate(address));
  const runs = [...chosen, ...plain].map((gate) => asAsked(gate, choice));
  return { runs, diagnostics: [...problems, ...unknowable(chosen)] };
}

/** Whoever cannot be read asks for nothing, and everything would pass. */
function unknowable(gates: readonly Gate[]): readonly Diagnostic[] {
  return gates.flatMap(({ name, isUnset }): readonly Diagnostic[] => {
    const detail = "It uses a variable of the environment that is not set. Set it before the command runs";
    return isUnset ? [{ severity: "error", code: "LF7003", summary: `gate ${name} cannot be judged`, detail }] : [];
  });
}

function asAsked(gate: AskedRun, { kpis, tags, baseline }: RunChoice): AskedRun {
  return {
    ...gate,
    kpis: [...gate.kpis, ...readKpis(kpis)],
    tags: [...new Set([...gate.tags, ...tags])],
    ...(baseline !== undefined && { baseline }),
  };
}

/**
 * What a run that is there is judged by: what the command line names, else the gates of its configuration, else its own verdict and
 * the KPIs of the command line.
 */
export function chooseForRun(project: LoadedProject, choice: RunChoice, run: ThereRun): ChosenRuns {
  const address = configurationsOf(project).find((each) => run.ids.get(each) === run.configurationId);
  if (choice.gates.length + choice.configurations.length > 0) return ofRun(chooseRuns(project, choice), run, address);
  const own = project.gates.filter(({ address }) => run.ids.get(address) === run.configurationId);
  const gates = own.length > 0 ? own : [plainGate(address ?? `execution ${run.id}`)];
  return { runs: gates.map((gate) => asAsked(gate, choice)), diagnostics: unknowable(own) };
}

/** A run that is there; `ids` are those of the declared configurations. */
interface ThereRun {
  readonly id: number;
  readonly configurationId: number | undefined;
  readonly ids: ReadonlyMap<string, number>;
}

/** Whoever asks for another configuration's gate gets it, with a warning, and the run remains what it is. */
function ofRun({ runs, diagnostics }: ChosenRuns, run: ThereRun, address: string | undefined): ChosenRuns {
  const others = runs.filter((gate) => gate.address !== address && run.configurationId !== undefined);
  const detail = `It is a run of ${address ?? `configuration ${run.configurationId} of the service, which the project does not declare`}. Leave out --gate and --configuration to judge it by its own gates`;
  const warned = others.map((gate): Diagnostic => {
    const summary = `run ${run.id} is not of ${gate.address}`;
    return { severity: "warning", code: "LF7003", summary, detail };
  });
  const moved = runs.map((gate) => (address !== undefined && others.includes(gate) ? { ...gate, address } : gate));
  return { runs: moved, diagnostics: [...diagnostics, ...warned] };
}

/** The baseline of a flag: `previous`, `none`, `tag:NAME` or an id. */
export function readBaselineFlag(text: string): Baseline | undefined {
  if (text === "previous" || text === "none") return { is: text };
  if (text.startsWith("tag:") && text.length > 4) return { is: "tag", tag: text.slice(4) };
  return /^\d+$/.test(text) ? { is: "execution", id: Number(text) } : undefined;
}

/** The addresses of all declared configurations. */
export function configurationsOf({ tree }: Pick<LoadedProject, "tree">): readonly string[] {
  return [...tree.nodes.values()].flatMap(({ kind, handle }) => (kind === "configuration" ? [handle] : []));
}

function globMatches(glob: string, name: string): boolean {
  return glob === name || addressMatcher(glob)(name);
}

/** `checkout/smoke` of a whole address. */
function shortAddress(address: string): string {
  return address.replace(/^testCase\./, "").replace("/configuration.", "/");
}

function configurationsAt(project: LoadedProject, written: string): readonly string[] {
  if (written === "*") return configurationsOf(project);
  const isMeant = /[*?]/.test(written) ? addressMatcher(written) : (name: string) => name === written;
  return configurationsOf(project).filter((address) => isMeant(address) || isMeant(shortAddress(address)));
}

function readKpis(texts: readonly string[]): readonly GateKpi[] {
  return texts.flatMap((expr) => {
    const kpi = parseKpi(expr);
    return isKpiProblem(kpi) ? [] : [{ expr, kpi, breakOnFail: false, isAsked: true }];
  });
}

/** A project with what is wrong with the KPIs of the command line, and doubtful about them, beside its own problems. */
export function withKpiProblems(project: LoadedProject, { kpis }: Pick<RunChoice, "kpis">): LoadedProject {
  return { ...project, diagnostics: [...project.diagnostics, ...kpis.flatMap(kpiProblems)] };
}

function kpiProblems(expr: string): readonly Diagnostic[] {
  const kpi = parseKpi(expr);
  const { problem, doubt } = isKpiProblem(kpi) ? { problem: kpi } : doubtKpi(kpi);
  const written = `--kpi ${JSON.stringify(expr)}`;
  if (problem !== undefined) {
    const summary = `${written} cannot be read at column ${problem.column}`;
    return [{ severity: "error", code: "LF1207", summary, detail: problem.problem }];
  }
  const summary = `${written} may not be measured`;
  return doubt === undefined ? [] : [{ severity: "warning", code: "LF1208", summary, detail: doubt.detail }];
}

function noGate(glob: string, gates: readonly Gate[]): Diagnostic {
  const names = gates.map(({ name }) => name);
  const detail =
    names.length === 0 ? "The project declares no gates" : `Its gates: ${names.join(", ")}.${didYouMean(glob, names)}`;
  return { severity: "error", code: "LF7003", summary: `there is no gate ${glob}`, detail };
}

function noConfiguration(written: string, project: LoadedProject): Diagnostic {
  const all = configurationsOf(project);
  const names = written.startsWith("testCase.") ? all : all.map(shortAddress);
  const detail =
    all.length === 0
      ? "The project declares no configuration"
      : `Its configurations: ${names.join(", ")}.${didYouMean(written, names)}`;
  return { severity: "error", code: "LF7003", summary: `there is no configuration ${written}`, detail };
}

function unclear(project: LoadedProject): Diagnostic {
  const gates = project.gates.map(({ name }) => `--gate ${name}`);
  const configurations = configurationsOf(project).map((address) => `--configuration ${address}`);
  const detail = `Choose with --gate or --configuration: ${[...gates, ...configurations].join(", ") || "the project declares neither"}`;
  const summary = gates.length === 0 ? "the project declares no gate" : "the project has several gates";
  return { severity: "error", code: "LF7003", summary, detail };
}
