import type { Problem } from "../model/diagnostic.ts";
import { problem, wrongValue } from "../model/diagnostic.ts";
import type { Redact } from "../model/redact.ts";
import type { LockHolder } from "../state/lock-holder.ts";

/** The project, process and machine that a store is opened for, besides its settings. */
export interface StoreOpening {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly project: string;
  readonly environment?: string | undefined;
  readonly holder: LockHolder;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of loadform. */
  readonly version: string;
  /** Takes secrets out of what a store writes about a state. */
  readonly redact: Redact;
}

/** A setting, or a variable, that is not an empty text. */
export const setText = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

/** LF1104: a setting that is not an address. The value is not shown, as it may contain a password. */
export function badAddress(key: string, value: string, wanted: string): Problem {
  const detail =
    value === ""
      ? wrongValue("an empty text, perhaps from a variable that is set to nothing", wanted)
      : `The value (not shown) must be ${wanted}`;
  return problem("LF1104", `${key} is not the address of a state store`, detail);
}

/** Throws LF1104 for a setting that is not the address of a web server. */
export function checkWebAddress(key: string, address: string | undefined): void {
  if (address !== undefined && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    throw badAddress(key, address, "http://… or https://…");
}
