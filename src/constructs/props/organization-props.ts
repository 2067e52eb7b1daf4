// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Declared, FieldOf } from "../declared.ts";
import type { Expression } from "../expressions.ts";

/** A tag: a label of test results. It is pending until a scenario or a run carries it. */
export interface TagProps {
  /** The label, unique in the organization. Cannot be renamed. Default: the key. */
  readonly name?: string | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<TagProps>[] | null;
}

/** A repository: where scenario sources are cloned from. */
export interface VcsRootProps {
  /** Label of the repository. Default: the key. */
  readonly name?: string | null;
  /** Type of the repository; only git is supported. Default: "Git". */
  readonly vcsType?: string | null;
  /** Where to clone from: http(s) or ssh. */
  readonly url: string;
  /** Branch that is cloned by default. Default: "HEAD". */
  readonly branch?: string | null;
  /** How to authenticate. Default: "None". */
  readonly vcsAuthType?: "None" | "Username" | "PrivateKey" | Expression | null;
  /** User name; needs vcsAuthType Username and an http(s) url. */
  readonly username?: string | null;
  /** Password or token; needs vcsAuthType Username. From `${env:…}` or `${file:…}` only. */
  readonly password?: Expression | null;
  /** Private key file for ssh (its text or its base64); needs vcsAuthType PrivateKey. From `${env:…}` or `${file:…}` only. */
  readonly privateKey?: Expression | null;
  /** Label of the private key. */
  readonly privateKeyName?: string | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<VcsRootProps>[] | null;
}

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
  readonly ignore?: readonly FieldOf<ProviderProps>[] | null;
}

/** A region of a private grid of test runners. Destroying it deactivates it; declaring it again re-activates it. */
export interface RegionProps {
  /** Name of the region, unique in its grid. Cannot change in place. Default: the key. */
  readonly name?: string | null;
  /** Where it is, what it is for. */
  readonly description?: string | null;
  /** The private grid (a Shared provider) that it belongs to. Cannot change in place. */
  readonly provider?: Declared<"provider"> | string | { readonly id: number } | { readonly name: string } | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<RegionProps>[] | null;
}
