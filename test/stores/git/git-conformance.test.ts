// merge: hundreds of processes of git, for what the other stores promise too.
import { gitStore } from "../../../src/stores/git/git-store.ts";
import { bareRepository, plainGit } from "../../support/git-server.ts";
import { realHolder } from "../../support/state-samples.ts";
import { describeStore, type StorePlace } from "../../support/store-conformance.ts";

/** A folder that is no repository, and the address of a bare one. */
async function gitPlace(): Promise<StorePlace> {
  const repository = bareRepository();
  const place = { root: repository.folder, branch: "loadform-state", path: "teams/load/p.json" };
  return {
    open: () => gitStore({ ...place, remote: repository.folder, holder: realHolder, env: plainGit }),
    plant: async (text) => repository.commit(place.branch, place.path, text),
    peek: async () => repository.show(place.branch, place.path),
    holder: { operation: "apply", pid: process.pid },
    remove: async () => repository.remove(),
  };
}

describeStore("git, a bare repository", gitPlace, { isDear: true });
