// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

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
  readonly ignore?:
    | readonly (
        | "name"
        | "vcsType"
        | "url"
        | "branch"
        | "vcsAuthType"
        | "username"
        | "password"
        | "privateKey"
        | "privateKeyName"
      )[]
    | null;
}
