import type { ProviderSchema } from "./provider-schema.ts";
import type { Value } from "./wire/values.ts";

/** One step into a value: an attribute's name or a map's key, or an index into a list. */
export type PathStep = string | number;

/** The way from an object to one of its values; the first step is an attribute. */
export type Path = readonly PathStep[];

/** A problem as Terraform shows it; the path is whole, the wire shortens it where Terraform would point at a wrong line. */
export interface ProviderDiagnostic {
  readonly severity: "error" | "warning";
  /** One line. */
  readonly summary: string;
  /** The finding, the expectation, and the advice. */
  readonly detail: string;
  readonly path?: Path;
}

/** Capabilities that Terraform announces with a request. */
export interface ClientCapabilities {
  /** True where attributes that are write-only may be set: Terraform 1.11 and newer. */
  readonly writeOnlyAttributesAllowed: boolean;
}

/** Bytes of ours that Terraform keeps beside a state and hides from users. */
export type PrivateBytes = Uint8Array;

/** The input of a plan. `prior` is null for a create, `proposed` and `config` are null for a delete. */
export interface PlanRequest {
  readonly type: string;
  readonly prior: Value;
  readonly proposed: Value;
  readonly config: Value;
  readonly priorPrivate: PrivateBytes;
  readonly capabilities: ClientCapabilities;
}

/** The planned state; `requiresReplace` names the attributes whose change needs a new object. */
export interface PlannedResource {
  readonly planned: Value;
  readonly requiresReplace: readonly Path[];
  readonly private: PrivateBytes;
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/** A plan to carry out. `prior` is null for a create, `planned` and `config` are null for a delete. */
export interface ApplyRequest {
  readonly type: string;
  readonly prior: Value;
  readonly planned: Value;
  readonly config: Value;
  readonly plannedPrivate: PrivateBytes;
}

/** The state now, also after errors. Null: no object exists. */
export interface ResourceState {
  readonly state: Value;
  readonly private: PrivateBytes;
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/** A state to refresh. */
interface ReadRequest {
  readonly type: string;
  readonly state: Value;
  readonly private: PrivateBytes;
}

/** The beginnings of imported states; Terraform reads each afterwards. */
export interface ImportedResources {
  readonly imported: readonly { readonly type: string; readonly state: Value; readonly private: PrivateBytes }[];
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/** The state of a data source. */
export interface DataSourceState {
  readonly state: Value;
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/**
 * The provider as one connection of Terraform sees it: values in, values and diagnostics out, nothing of the protocol.
 * What a method throws is shown as a diagnostic too. Methods run beside each other; `configure` comes before reads and
 * applies, never before a validate, and may hold unknown values.
 */
export interface ProviderSession {
  readonly validateProvider: (config: Value) => Promise<readonly ProviderDiagnostic[]>;
  readonly configure: (config: Value, terraformVersion: string) => Promise<readonly ProviderDiagnostic[]>;
  readonly validateResource: (
    type: string,
    config: Value,
    capabilities: ClientCapabilities,
  ) => Promise<readonly ProviderDiagnostic[]>;
  readonly validateDataSource: (type: string, config: Value) => Promise<readonly ProviderDiagnostic[]>;
  readonly planResource: (request: PlanRequest) => Promise<PlannedResource>;
  readonly applyResource: (request: ApplyRequest) => Promise<ResourceState>;
  readonly readResource: (request: ReadRequest) => Promise<ResourceState>;
  readonly importResource: (type: string, id: string) => Promise<ImportedResources>;
  readonly readDataSource: (type: string, config: Value) => Promise<DataSourceState>;
  /** Terraform was interrupted: waits end, applies that run answer what exists and an error. */
  readonly stop: () => void;
}

/** A provider: its schema, and a session of its own for each connection. Both are loaded on their first use. */
export interface Provider {
  readonly schema: () => Promise<ProviderSchema>;
  readonly openSession: () => Promise<ProviderSession>;
}
