import type { JsonObject } from "./json.ts";

/** Where a state is stored, as a project declares it. */
export type StateSettings =
  | { readonly backend: "memory" }
  | { readonly backend: "local"; readonly path: string }
  | {
      readonly backend: "http";
      readonly address: string;
      readonly lockAddress?: string;
      readonly unlockAddress?: string;
      readonly lockMethod?: string;
      readonly unlockMethod?: string;
      readonly username?: string;
      readonly source?: JsonObject;
    }
  | {
      readonly backend: "postgres";
      readonly url: string;
      readonly schema?: string;
      /** As declared, when a value is from `${env:…}`: a saved plan holds this instead. */
      readonly source?: JsonObject;
    }
  | {
      readonly backend: "git";
      readonly remote?: string;
      readonly branch?: string;
      readonly path?: string;
      readonly source?: JsonObject;
    }
  | {
      readonly backend: "s3";
      readonly bucket: string;
      readonly key: string;
      readonly region?: string;
      readonly endpoint?: string;
      readonly source?: JsonObject;
    };

export type SettingsOf<Backend extends StateSettings["backend"]> = Extract<
  StateSettings,
  { readonly backend: Backend }
>;
