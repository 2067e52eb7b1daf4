import type { SettingsOf, StateSettings } from "../model/state-settings.ts";
import { memoryStore, type StateStore } from "../state/store.ts";
import { openGitStore } from "./git/git-store.ts";
import { openHttpStore } from "./http/http-store.ts";
import { formerCopy, openLocalStore } from "./local/local-store.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";
import { openS3Store } from "./s3/s3-store.ts";
import { withWayOut } from "./store-failures.ts";
import type { StoreOpening } from "./store-opening.ts";

/** One backend: how its store is opened, and what to do about a state there that cannot be used. */
interface Backend<Settings> {
  readonly open: (settings: Settings, opening: StoreOpening) => StateStore;
  readonly wayOut?: (store: StateStore) => string | Promise<string>;
}

const backends: { readonly [Name in StateSettings["backend"]]: Backend<SettingsOf<Name>> } = {
  memory: { open: memoryStore },
  local: { open: openLocalStore, wayOut: ({ where }) => formerCopy(where) },
  http: {
    open: openHttpStore,
    wayOut: () => "look at the document at that address, or at earlier versions of it on the server",
  },
  postgres: { open: openPostgresStore, wayOut: () => "look at the document column of that row, or at a backup of it" },
  git: {
    open: openGitStore,
    wayOut: () => "look at that file, and at the earlier versions of it in the history of the branch",
  },
  s3: {
    open: openS3Store,
    wayOut: () => "look at that object, or at an earlier version of it where the bucket keeps versions",
  },
};

/** The store that settings name. Nothing is read yet; throws LF1104 for a setting that is not an address. */
export function openStore<Name extends StateSettings["backend"]>(
  settings: SettingsOf<Name> & { readonly backend: Name },
  opening: StoreOpening,
): StateStore {
  const { open, wayOut }: Backend<SettingsOf<Name>> = backends[settings.backend];
  const store = open(settings, opening);
  return wayOut ? withWayOut(store, async () => wayOut(store)) : store;
}
