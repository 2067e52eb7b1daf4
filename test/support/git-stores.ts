import { type GitStoreOptions, gitStore } from "../../src/stores/git/git-store.ts";
import { plainGit } from "./git-server.ts";
import { fresh, realHolder, resource } from "./state-samples.ts";

type Changes = Partial<GitStoreOptions>;

/** Of a state on a branch, without its place. */
const standard = { branch: "loadform-state", path: "p.json", holder: realHolder, env: plainGit };

/** Stores of a clone and its remote, which `place` names at each call; options that are given win. */
export function gitStoresOf(place: () => Pick<GitStoreOptions, "root" | "remote">) {
  const storeAt = (more: Changes = {}) => gitStore({ ...standard, ...place(), ...more });
  const take = (more?: Changes) => storeAt(more).lock({ operation: "apply", timeoutMs: 0 });
  const saveOnce = async (more?: Changes, id = 1): Promise<void> => {
    const session = await take(more);
    const state = session.stored?.state ?? fresh();
    await session.save({ ...state, resources: { ...state.resources, [`toy.k${id}`]: resource(id) } }, []);
    await session.release();
  };
  return { storeAt, take, saveOnce };
}
