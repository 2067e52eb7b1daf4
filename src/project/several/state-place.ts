import { dirname, join, resolve } from "node:path";
import { pathExists, realPlace } from "../../workspace/path-exists.ts";
import type { StateOwner } from "../open-state.ts";

/** A project as far as it says where its state is. */
type Placed = Pick<StateOwner, "name" | "root" | "environment" | "state">;

/**
 * The place of a project's state: two projects with equal texts have one state between them. It may contain a password, so it is compared
 * and never shown. Undefined for a state that is stored nowhere.
 */
export async function statePlace({ name, root, environment, state }: Placed): Promise<string | undefined> {
  const project = JSON.stringify([name, environment]);
  switch (state.backend) {
    case "memory":
      return undefined;
    case "local":
      return `local ${await realPlace(resolve(root, state.path))}`;
    case "http":
      return `http ${state.address}`;
    case "postgres":
      return `postgres ${JSON.stringify([state.url, state.schema])} ${project}`;
    case "git":
      return `git ${await repositoryOf(root, state.remote)} ${state.branch ?? ""} ${state.path ?? project}`;
    case "s3":
      return `s3 ${JSON.stringify([state.endpoint, state.region, state.bucket, state.key])}`;
  }
}

/** A remote by its address; one by its name belongs to the clone that the folder lies in. */
async function repositoryOf(root: string, remote = "origin"): Promise<string> {
  if (/[:/]/.test(remote)) return remote;
  for (let above = await realPlace(root); ; above = dirname(above)) {
    if ((await pathExists(join(above, ".git"))) || above === dirname(above)) return `${remote} of ${above}`;
  }
}
