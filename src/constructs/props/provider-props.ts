// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

/** A provider of test runners: a private shared grid, or cloud instances created per test. */
export interface ProviderProps {
  /** Name of the provider. Default: the key. */
  readonly name?: string | null;
  /** Shared: a grid of self-hosted agents. CloudOnDemand: instances created per test. Cannot change in place. */
  readonly providerType: "Shared" | "CloudOnDemand" | Expression;
  /** Data of the cloud account. For CloudOnDemand: `cloudAccessKeyId` and `cloudSecretAccessKey`, from `${env:…}` or `${file:…}` only. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly ("name" | "providerType" | "metadata")[] | null;
}
