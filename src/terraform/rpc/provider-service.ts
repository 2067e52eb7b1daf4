import type { handleUnaryCall } from "@grpc/grpc-js";
import {
  ApplyResourceChange_Response,
  ConfigureProvider_Response,
  type Diagnostic,
  GetFunctions_Response,
  GetMetadata_Response,
  GetProviderSchema_Response,
  ImportResourceState_Response,
  PlanResourceChange_Response,
  type ProviderServer,
  ReadDataSource_Response,
  ReadResource_Response,
  UpgradeResourceState_Response,
  ValidateDataResourceConfig_Response,
  ValidateProviderConfig_Response,
  ValidateResourceConfig_Response,
} from "../../../gen/tfplugin6.js";
import { diagnosticMessages, thrownDiagnostics } from "../wire/diagnostic-message.ts";
import { applyResourceChange } from "./apply-resource-change.ts";
import { configureProvider } from "./configure-provider.ts";
import { getFunctions } from "./get-functions.ts";
import { getMetadata } from "./get-metadata.ts";
import { getProviderSchema } from "./get-provider-schema.ts";
import { importResourceState } from "./import-resource-state.ts";
import { planResourceChange } from "./plan-resource-change.ts";
import { readDataSource } from "./read-data-source.ts";
import { readResource } from "./read-resource.ts";
import type { ServedProvider } from "./served-provider.ts";
import { stopProvider } from "./stop-provider.ts";
import { upgradeResourceState } from "./upgrade-resource-state.ts";
import { validateDataResourceConfig } from "./validate-data-resource-config.ts";
import { validateProviderConfig } from "./validate-provider-config.ts";
import { validateResourceConfig } from "./validate-resource-config.ts";

/** An observer of calls. */
export interface CallWatch {
  readonly began: () => void;
  readonly ended: () => void;
  /** A defect, or whatever else a session throws. */
  readonly threw: (thrown: unknown) => void;
}

/** The RPCs of one connection. None of them answers with an error of gRPC: a thrown error becomes a diagnostic. */
export function providerService(served: ServedProvider, watch: CallWatch): ProviderServer {
  const unary =
    <Q, A>(rpc: Rpc<Q, A>, failed: (diagnostics: Diagnostic[]) => A): handleUnaryCall<Q, A> =>
    (call, callback) => {
      watch.began();
      rpc(call.request, served)
        .catch((thrown) => {
          watch.threw(thrown);
          return failed(diagnosticMessages(thrownDiagnostics(thrown)));
        })
        .then((answer) => callback(null, answer))
        .finally(watch.ended);
    };
  const withDiagnostics = <Q, A>(
    rpc: Rpc<Q, A>,
    answers: { fromPartial(answer: { readonly diagnostics: Diagnostic[] }): A },
  ): handleUnaryCall<Q, A> => unary(rpc, (diagnostics) => answers.fromPartial({ diagnostics }));
  return {
    getMetadata: withDiagnostics(getMetadata, GetMetadata_Response),
    getProviderSchema: withDiagnostics(getProviderSchema, GetProviderSchema_Response),
    getFunctions: withDiagnostics(getFunctions, GetFunctions_Response),
    validateProviderConfig: withDiagnostics(validateProviderConfig, ValidateProviderConfig_Response),
    configureProvider: withDiagnostics(configureProvider, ConfigureProvider_Response),
    validateResourceConfig: withDiagnostics(validateResourceConfig, ValidateResourceConfig_Response),
    validateDataResourceConfig: withDiagnostics(validateDataResourceConfig, ValidateDataResourceConfig_Response),
    upgradeResourceState: withDiagnostics(upgradeResourceState, UpgradeResourceState_Response),
    readResource: withDiagnostics(readResource, ReadResource_Response),
    planResourceChange: withDiagnostics(planResourceChange, PlanResourceChange_Response),
    applyResourceChange: withDiagnostics(applyResourceChange, ApplyResourceChange_Response),
    importResourceState: withDiagnostics(importResourceState, ImportResourceState_Response),
    readDataSource: withDiagnostics(readDataSource, ReadDataSource_Response),
    stopProvider: unary(stopProvider, ([first]) => ({ error: first?.detail ?? "" })),
  };
}

type Rpc<Q, A> = (request: Q, served: ServedProvider) => Promise<A>;
