import type { ChannelCredentials, MethodDefinition } from "@grpc/grpc-js";
import { GRPCBrokerClient, GRPCStdioClient } from "../../../gen/plugin.js";
import { type Diagnostic, ProviderClient, ProviderService } from "../../../gen/tfplugin6.js";
import { type AttributeSchema, objectType, type ProviderSchema } from "../../../src/terraform/provider-schema.ts";
import { fromDynamic, toDynamic } from "../../../src/terraform/wire/dynamic-value.ts";
import type { CtyType, Value } from "../../../src/terraform/wire/values.ts";
import { planProblems, replaceProblems, resultProblems } from "./plan-checks.ts";
import { proposedState, type Written, wholeObject } from "./proposed-state.ts";
import { stateJson } from "./state-json.ts";

/** A resource as a state keeps it. */
export interface KeptState {
  readonly type: string;
  readonly value: Value;
  readonly private: Buffer;
}

/** A plan as a plan file keeps it. */
export interface KeptPlan {
  readonly type: string;
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
  readonly private: Buffer;
  /** The first step of each path. */
  readonly replace: readonly string[];
}

/** An error diagnostic of the provider, or a check of the core that failed. */
export class CoreError extends Error {
  override readonly name = "CoreError";
  readonly diagnostics: readonly Diagnostic[];
  constructor(words: string, diagnostics: readonly Diagnostic[] = []) {
    super(words);
    this.diagnostics = diagnostics;
  }
}

type UnaryMethod<Q, A> = Pick<MethodDefinition<Q, A>, "path" | "requestSerialize" | "responseDeserialize">;

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

/** Speaks to a provider as Terraform 1.11 does: its sequences of calls, and its checks of what comes back. */
export class FakeCore {
  readonly provider: ProviderClient;
  readonly stdio: GRPCStdioClient;
  readonly broker: GRPCBrokerClient;
  readonly warnings: Diagnostic[] = [];
  readonly #schema: ProviderSchema;

  constructor(to: { readonly target: string; readonly credentials: ChannelCredentials }, schema: ProviderSchema) {
    const options = {
      ...unlimited,
      "grpc.ssl_target_name_override": "localhost",
      "grpc.default_authority": "localhost",
    };
    // Connections are shared by target and options within a process, which separate cores may not do.
    const own = { ...options, "grpc.use_local_subchannel_pool": 1 };
    this.provider = new ProviderClient(to.target, to.credentials, own);
    const channel = { channelOverride: this.provider.getChannel() };
    this.stdio = new GRPCStdioClient(to.target, to.credentials, channel);
    this.broker = new GRPCBrokerClient(to.target, to.credentials, channel);
    this.#schema = schema;
  }

  close(): void {
    this.provider.close();
  }

  /** One call of a service. */
  ask<Q, A>(method: UnaryMethod<Q, A>, request: Q): Promise<A> {
    const { path, requestSerialize, responseDeserialize } = method;
    return new Promise((resolve, reject) => {
      this.provider.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) =>
        error === null && answer !== undefined ? resolve(answer) : reject(error),
      );
    });
  }

  async configure(written: { readonly [name: string]: Written } = {}): Promise<void> {
    const type = objectType(this.#schema.provider);
    const config = toDynamic(type, wholeObject(this.#schema.provider, written));
    this.#check(await this.ask(ProviderService.validateProviderConfig, { config }));
    const request = { terraformVersion: "1.11.4", config, clientCapabilities: capabilities };
    this.#check(await this.ask(ProviderService.configureProvider, request));
  }

  async validate(type: string, written: { readonly [name: string]: Written }): Promise<void> {
    await this.#validate(type, wholeObject(this.#attributes(type), written));
  }

  /** As `plan`: refresh, validate, plan; a replacement is planned a second time from nothing. */
  async plan(type: string, written: { readonly [name: string]: Written }, prior?: KeptState): Promise<KeptPlan> {
    const config = wholeObject(this.#attributes(type), written);
    const state = prior && (await this.refresh(prior));
    await this.#validate(type, config);
    const plan = await this.#plan(type, config, state);
    if (plan.replace.length === 0 || plan.prior === null) return plan;
    return { ...(await this.#plan(type, config)), prior: plan.prior, replace: plan.replace };
  }

  /** As `apply` of a plan: what is to be replaced is deleted first, then all is planned again. */
  async apply(plan: KeptPlan): Promise<KeptState> {
    const isReplaced = plan.replace.length > 0 && plan.prior !== null;
    if (isReplaced) await this.destroy({ type: plan.type, value: plan.prior, private: plan.private });
    const prior = isReplaced ? null : plan.prior;
    await this.#validate(plan.type, plan.config);
    const again = await this.#plan(plan.type, plan.config, { ...plan, value: prior, private: plan.private });
    const problems = resultProblems(plan.planned, again.planned).filter((each) => !each.includes("unknown"));
    if (problems.length > 0) throw new CoreError(`the second plan differs: ${problems}`);
    return this.#apply(again);
  }

  /** Plan and apply at once. */
  async create(type: string, written: { readonly [name: string]: Written }, prior?: KeptState): Promise<KeptState> {
    return this.apply(await this.plan(type, written, prior));
  }

  /** Whether a plan changes nothing. */
  async isUnchanged(type: string, written: { readonly [name: string]: Written }, prior: KeptState): Promise<boolean> {
    const plan = await this.plan(type, written, prior);
    return stateJsonOrUnknown(plan.planned) === stateJsonOrUnknown(plan.prior);
  }

  async destroy(state: KeptState): Promise<void> {
    await this.#apply({ ...state, prior: state.value, config: null, planned: null, replace: [] });
  }

  /** As each walk begins: upgrade, then read. */
  async refresh(state: KeptState): Promise<KeptState | undefined> {
    const type = this.#type(state.type);
    const rawState = { json: Buffer.from(stateJson(state.value)) };
    const upgraded = this.#check(
      await this.ask(ProviderService.upgradeResourceState, { typeName: state.type, version: 0, rawState }),
    );
    const request = {
      typeName: state.type,
      currentState: toDynamic(type, fromDynamic(type, upgraded.upgradedState)),
      private: state.private,
      clientCapabilities: capabilities,
    };
    const read = this.#check(await this.ask(ProviderService.readResource, request));
    const value = fromDynamic(type, read.newState);
    return value === null ? undefined : { type: state.type, value, private: read.private };
  }

  /** As `import`: the beginning of a state, and a read of it. */
  async import(type: string, id: string): Promise<KeptState> {
    const request = { typeName: type, id, clientCapabilities: capabilities };
    const { importedResources } = this.#check(await this.ask(ProviderService.importResourceState, request));
    const [first] = importedResources;
    if (first === undefined) throw new CoreError("nothing was imported");
    const value = fromDynamic(this.#type(first.typeName), first.state);
    const state = await this.refresh({ type: first.typeName, value, private: first.private });
    if (state === undefined) throw new CoreError("Cannot import non-existent remote object");
    return state;
  }

  async readData(type: string, written: { readonly [name: string]: Written }): Promise<Value> {
    const attributes = this.#schema.dataSources.get(type)?.attributes ?? [];
    const cty = objectType(attributes);
    const config = toDynamic(cty, wholeObject(attributes, written));
    this.#check(await this.ask(ProviderService.validateDataResourceConfig, { typeName: type, config }));
    const request = { typeName: type, config, clientCapabilities: capabilities };
    return fromDynamic(cty, this.#check(await this.ask(ProviderService.readDataSource, request)).state);
  }

  async #validate(typeName: string, value: Value): Promise<void> {
    const config = toDynamic(this.#type(typeName), value);
    const request = { typeName, config, clientCapabilities: capabilities };
    this.#check(await this.ask(ProviderService.validateResourceConfig, request));
  }

  async #plan(typeName: string, config: Value, state?: Omit<KeptState, "type">): Promise<KeptPlan> {
    const type = this.#type(typeName);
    const attributes = this.#attributes(typeName);
    const prior = state?.value ?? null;
    const request = {
      typeName,
      priorState: toDynamic(type, prior),
      proposedNewState: toDynamic(type, proposedState(attributes, prior, config)),
      config: toDynamic(type, config),
      priorPrivate: state?.private ?? Buffer.alloc(0),
      clientCapabilities: capabilities,
    };
    const answer = this.#check(await this.ask(ProviderService.planResourceChange, request));
    const planned = fromDynamic(type, answer.plannedState);
    const replace = answer.requiresReplace.map(({ steps: [first] }) =>
      first?.selector?.$case === "attributeName" ? first.selector.attributeName : "",
    );
    const problems = [
      ...planProblems(attributes, { prior, config, planned }),
      ...replaceProblems(replace, { prior, planned }),
    ];
    if (problems.length > 0) throw new CoreError(`Provider produced invalid plan: ${problems.join("; ")}`);
    return { type: typeName, prior, config, planned, private: answer.plannedPrivate, replace };
  }

  async #apply(plan: KeptPlan): Promise<KeptState> {
    const type = this.#type(plan.type);
    const request = {
      typeName: plan.type,
      priorState: toDynamic(type, plan.prior),
      plannedState: toDynamic(type, plan.planned),
      config: toDynamic(type, plan.config),
      plannedPrivate: plan.private,
    };
    const answer = this.#check(await this.ask(ProviderService.applyResourceChange, request));
    const value = fromDynamic(type, answer.newState);
    const problems = resultProblems(plan.planned, value);
    if (problems.length > 0) throw new CoreError(`Provider produced inconsistent result: ${problems.join("; ")}`);
    return { type: plan.type, value, private: answer.private };
  }

  #check<A extends { readonly diagnostics: readonly Diagnostic[] }>(answer: A): A {
    const errors = answer.diagnostics.filter(({ severity }) => severity === 1);
    this.warnings.push(...answer.diagnostics.filter(({ severity }) => severity === 2));
    if (errors.length === 0) return answer;
    throw new CoreError(errors.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"), errors);
  }

  #attributes(type: string): readonly AttributeSchema[] {
    const schema = this.#schema.resources.get(type);
    if (schema === undefined) throw new Error(`the schema has no ${type}`);
    return schema.attributes;
  }

  #type(type: string): CtyType {
    return objectType(this.#attributes(type));
  }
}

function stateJsonOrUnknown(value: Value): string {
  try {
    return stateJson(value);
  } catch {
    return "unknown";
  }
}
