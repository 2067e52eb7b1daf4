import { type Client, createClient } from "../../../src/client/index.ts";
import { serviceTransport } from "../../../src/project/open-client.ts";
import { createService, type Fault } from "../../../src/service/index.ts";
import { kindsSchema } from "../../../src/terraform/kinds-schema.ts";
import type { AttributeSchema } from "../../../src/terraform/provider-schema.ts";
import type { ProviderDiagnostic, ProviderSession } from "../../../src/terraform/provider-session.ts";
import { createProviderSession } from "../../../src/terraform/resource/create-session.ts";
import { isValueMap, type Value, type ValueMap } from "../../../src/terraform/wire/values.ts";
import { planProblems, replaceProblems, resultProblems } from "./plan-checks.ts";
import { isEqual, proposedState, type Written, wholeObject } from "./proposed-state.ts";

type Service = ReturnType<typeof createService>;

/** A configuration as a test writes it. */
export type Config = { readonly [name: string]: Written };

/** A resource as a state keeps it. */
export interface Kept {
  readonly type: string;
  readonly value: ValueMap;
  readonly private: Uint8Array;
}

/** A plan as a plan file keeps it. */
export interface Planned {
  readonly type: string;
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
  readonly private: Uint8Array;
  readonly replace: readonly string[];
}

/** What a provider answered as an error, or an answer that Terraform does not take. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly diagnostics: readonly ProviderDiagnostic[];
  /** What is saved all the same: after an error too. */
  readonly left: Kept | undefined;
  constructor(words: string, diagnostics: readonly ProviderDiagnostic[] = [], left?: Kept) {
    super(words);
    this.diagnostics = diagnostics;
    this.left = left;
  }
}

/** The moment at which each service of these tests starts. */
export const start = Date.parse("2026-11-20T10:00:00.000Z");

const capabilities = { writeOnlyAttributesAllowed: true };
const resources = kindsSchema().resources;
const dataSources = kindsSchema().dataSources;

/** How a core is made. */
export interface CoreOptions {
  readonly service?: Service;
  readonly settings?: NonNullable<Parameters<typeof createService>[0]>["settings"];
  readonly provider?: Config;
  /** Time of the service, shared by the cores on it. */
  readonly time?: { now: number };
  /** Shared with the other cores of a process. */
  readonly shared?: NonNullable<Parameters<typeof createProviderSession>[0]["shared"]>;
  /** Called whenever something is waited for. */
  readonly onSleep?: (ms: number) => void;
}

/** Terraform's core at a session in this process, with its checks of what comes back, before a bundled service in virtual time. */
export class SessionCore {
  readonly service: Service;
  readonly outside: Client;
  readonly warnings: ProviderDiagnostic[] = [];
  /** What a user was told at once. */
  readonly told: string[] = [];
  readonly time: { now: number };
  session: ProviderSession;
  readonly #options: CoreOptions;

  constructor(options: CoreOptions = {}) {
    this.#options = options;
    this.time = options.time ?? { now: start };
    this.service =
      options.service ??
      createService({ clock: { mode: "frozen", now: start }, ...(options.settings && { settings: options.settings }) });
    const clock = { now: () => this.time.now, sleep: (ms: number) => this.#sleep(ms) };
    const transport = serviceTransport(this.service);
    this.outside = createClient({ url: "http://bundled", apiKey: "local", transport, clock, random: () => 0.5 });
    this.session = this.#open();
  }

  /** A core with a configured session. */
  static async open(options: CoreOptions = {}): Promise<SessionCore> {
    const core = new SessionCore(options);
    await core.walk();
    return core;
  }

  /** The next walk of Terraform: another connection. */
  async walk(provider: Config = this.#options.provider ?? {}): Promise<void> {
    this.session = this.#open();
    const block = { url: "http://bundled", api_key: "local", organization: "1", ...provider };
    const config = wholeObject(kindsSchema().provider, block);
    this.#check(await this.session.validateProvider(config));
    this.#check(await this.session.configure(config, "1.11.4"));
  }

  #open(): ProviderSession {
    return createProviderSession({
      env: {},
      now: () => this.time.now,
      sleep: (ms) => this.#sleep(ms),
      transport: serviceTransport(this.service),
      tell: (line) => this.told.push(line),
      ...(this.#options.shared && { shared: this.#options.shared }),
    });
  }

  async #sleep(ms: number): Promise<void> {
    this.#options.onSleep?.(ms);
    this.time.now += ms;
    await this.service.advance(ms);
  }

  async setFaults(faults: readonly Fault[]): Promise<void> {
    const headers = { "x-api-key": "local" };
    const answer = await this.service.handle({
      method: "PUT",
      path: "/_loadform/faults",
      headers,
      body: faults as never,
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
  }

  async validate(type: string, config: Config, allowed = capabilities): Promise<readonly ProviderDiagnostic[]> {
    return this.session.validateResource(type, wholeObject(attributesOf(type), config), allowed);
  }

  /** As `plan`: refresh, validate, plan; a replacement is planned a second time from nothing. */
  async plan(type: string, written: Config, prior?: Kept): Promise<Planned> {
    const config = wholeObject(attributesOf(type), written);
    const state = prior && (await this.refresh(prior));
    this.#check(await this.session.validateResource(type, config, capabilities));
    const plan = await this.#plan(type, config, state);
    if (plan.replace.length === 0 || plan.prior === null) return plan;
    return { ...(await this.#plan(type, config)), prior: plan.prior, replace: plan.replace };
  }

  /** What a plan of a new resource, or of a change of this one, is refused with. */
  async refusals(type: string, config: Config, prior?: Kept): Promise<readonly ProviderDiagnostic[]> {
    try {
      await this.plan(type, config, prior);
      return [];
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.diagnostics;
      throw thrown;
    }
  }

  /** Whether a plan changes nothing. */
  static isEmpty({ prior, planned }: Planned): boolean {
    return isEqual(prior, planned);
  }

  /** As `apply` of a plan: what is to be replaced is deleted first, then all is planned again. */
  async apply(plan: Planned): Promise<Kept> {
    const isReplaced = plan.replace.length > 0 && plan.prior !== null;
    if (isReplaced) await this.#apply({ ...plan, planned: null, config: null });
    const again = await this.#plan(
      plan.type,
      plan.config,
      isReplaced || plan.prior === null ? undefined : keptOf(plan),
    );
    const problems = resultProblems(plan.planned, again.planned).filter(
      (each) => each !== "the new state holds something unknown",
    );
    if (problems.length > 0) throw new Refused(`Provider produced inconsistent final plan: ${problems.join("; ")}`);
    const kept = await this.#apply(again);
    if (kept === undefined) throw new Refused("nothing was created");
    return kept;
  }

  async create(type: string, config: Config): Promise<Kept> {
    return this.apply(await this.plan(type, config));
  }

  async update(kept: Kept, config: Config): Promise<Kept> {
    return this.apply(await this.plan(kept.type, config, kept));
  }

  async destroy(kept: Kept): Promise<{ readonly diagnostics: readonly ProviderDiagnostic[] }> {
    const before = this.warnings.length;
    await this.#apply({
      type: kept.type,
      prior: kept.value,
      config: null,
      planned: null,
      private: kept.private,
      replace: [],
    });
    return { diagnostics: this.warnings.slice(before) };
  }

  async refresh(kept: Kept): Promise<Kept | undefined> {
    const read = await this.session.readResource({ type: kept.type, state: kept.value, private: kept.private });
    this.#check(read.diagnostics);
    return isValueMap(read.state) ? { type: kept.type, value: read.state, private: read.private } : undefined;
  }

  async import(type: string, id: string): Promise<Kept> {
    const { imported, diagnostics } = await this.session.importResource(type, id);
    this.#check(diagnostics);
    const [first] = imported;
    if (first === undefined) throw new Refused("nothing was imported");
    const kept = await this.refresh({ type, value: first.state as ValueMap, private: first.private });
    if (kept === undefined) throw new Refused("Cannot import non-existent remote object");
    return kept;
  }

  /** As `plan -generate-config-out`: what is computed only is left out, what is sensitive or write-only is null. */
  generatedConfig(kept: Kept): Config {
    return generated(attributesOf(kept.type), kept.value);
  }

  async readData(type: string, written: Config): Promise<ValueMap> {
    const config = wholeObject(dataSources.get(type)?.attributes ?? [], written);
    this.#check(await this.session.validateDataSource(type, config));
    const { state, diagnostics } = await this.session.readDataSource(type, config);
    this.#check(diagnostics);
    if (!isValueMap(state)) throw new Refused("no state");
    return state;
  }

  async #plan(type: string, config: Value, state?: Kept): Promise<Planned> {
    const attributes = attributesOf(type);
    const prior = state?.value ?? null;
    const proposed = proposedState(attributes, prior, config);
    const priorPrivate = state?.private ?? new Uint8Array();
    const answer = await this.session.planResource({ type, prior, proposed, config, priorPrivate, capabilities });
    this.#check(answer.diagnostics);
    const { planned } = answer;
    const replace = answer.requiresReplace.map(([first]) => String(first));
    const problems = [
      ...planProblems(attributes, { prior, config, planned }),
      ...replaceProblems(replace, { prior, planned }),
    ];
    if (problems.length > 0) throw new Refused(`Provider produced invalid plan: ${problems.join("; ")}`);
    return { type, prior, config, planned, private: answer.private, replace };
  }

  async #apply({ type, prior, planned, config, private: plannedPrivate }: Planned): Promise<Kept | undefined> {
    const answer = await this.session.applyResource({ type, prior, planned, config, plannedPrivate });
    const left = isValueMap(answer.state) ? { type, value: answer.state, private: answer.private } : undefined;
    this.#check(answer.diagnostics, left);
    const problems = resultProblems(planned, answer.state);
    if (problems.length > 0) throw new Refused(`Provider produced inconsistent result: ${problems.join("; ")}`);
    return left;
  }

  #check(diagnostics: readonly ProviderDiagnostic[], left?: Kept): void {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    this.warnings.push(...diagnostics.filter(({ severity }) => severity === "warning"));
    if (errors.length > 0)
      throw new Refused(errors.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"), errors, left);
  }
}

function keptOf({ type, prior, private: bytes }: Planned): Kept {
  return { type, value: prior as ValueMap, private: bytes };
}

function attributesOf(type: string): readonly AttributeSchema[] {
  const schema = resources.get(type);
  if (schema === undefined) throw new Error(`the schema has no ${type}`);
  return schema.attributes;
}

function generated(attributes: readonly AttributeSchema[], value: ValueMap): Config {
  const entries = attributes
    .filter(({ required, optional }) => required || optional)
    .map(({ name, sensitive, writeOnly }): [string, Value] => [
      name,
      sensitive || writeOnly ? null : (value[name] ?? null),
    ]);
  return Object.fromEntries(entries) as Config;
}
