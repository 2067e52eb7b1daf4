import { createHash } from "node:crypto";
import { join } from "node:path";
import type { GitSource } from "../watched-project.ts";
import { type FetchedBranch, fetchBranch, type GitPlace, repositoryProblem } from "./fetch-branch.ts";
import { type Checkout, writeCheckout } from "./write-checkout.ts";

/** The git that fetches repositories, and their folders. */
export interface CheckoutPlaces extends Pick<GitPlace, "git" | "env" | "secretNames"> {
  /** A folder of the user's cache for one purpose; undefined where there can be none. */
  readonly folderFor: (purpose: string) => Promise<string | undefined>;
}

/** Checks out the tip of a project's branch; a branch that several projects follow is fetched once at a time. Throws a Problem. */
export function gitCheckouts({
  folderFor,
  ...place
}: CheckoutPlaces): (name: string, source: GitSource) => Promise<Checkout> {
  const fetching = new Map<string, Promise<FetchedBranch & { readonly folder: string }>>();
  const fetchOnce = (source: GitSource) => {
    const key = JSON.stringify([source.url, source.branch]);
    const begun =
      fetching.get(key) ??
      (async () => {
        const folder = await folderFor(`git ${key}`);
        if (folder === undefined) throw noFolder();
        return { ...(await fetchBranch(source, { ...place, folder })), folder };
      })().finally(() => fetching.delete(key));
    fetching.set(key, begun);
    return begun;
  };
  return async (name, source) => {
    const fetched = await fetchOnce(source);
    // Any name is a name of a folder by its digest.
    const digest = createHash("sha256").update(name).digest("hex").slice(0, 32);
    return writeCheckout(fetched, source, join(fetched.folder, "projects", digest));
  };
}

function noFolder() {
  const detail =
    "Clones are in the user's cache folder ($XDG_CACHE_HOME, else ~/.cache), which is missing, is in a work tree (.git, .hg, .jj, .svn), or others may write to it or to a folder above it. Set HOME or XDG_CACHE_HOME to a folder of this user alone, or LOADFORM_CACHE_DIR to one of which you know that nobody else writes there, such as a volume of this container";
  return repositoryProblem("there is no folder for clones", detail);
}
