import type { TreeNode } from "../../model/tree.ts";
import { bundledKey } from "../known-secrets.ts";
import { serviceKey } from "../open-client.ts";
import type { LoadedProject } from "../open-project.ts";
import type { System } from "../system.ts";

/** Secrets of several projects: whole values, and the objects that hold some. */
export interface SecretsOfAll {
  readonly secrets: readonly string[];
  readonly nodes: readonly TreeNode[];
}

/** The secrets of all of the projects: a message about one must not contain what another hides. Their keys are among it. */
export function secretsOfAll(projects: readonly (LoadedProject | undefined)[], env: System["env"]): SecretsOfAll {
  const loaded = projects.flatMap((project) => project ?? []);
  const keys = loaded.flatMap(({ service, live }) => (live ? (keyIn(service, env) ?? []) : []));
  return {
    secrets: [...new Set([...keys, ...loaded.flatMap(({ secrets }) => secrets)])],
    nodes: loaded.flatMap(({ tree }) => [...tree.nodes.values()]),
  };
}

/** The key, but for the well-known one of the bundled service; a value that is none is refused where it is used, and never shown. */
function keyIn(service: LoadedProject["service"], env: System["env"]): string | undefined {
  try {
    const key = serviceKey(service, env);
    return key === bundledKey ? undefined : key;
  } catch {
    return undefined;
  }
}
