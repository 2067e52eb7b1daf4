import type { ServiceOptions } from "../../../src/service/index.ts";
import { makeShop, type Rig } from "./rig.ts";

/** A run of configuration 1, changed by `conf`, as it was just started. */
export async function startedShop({
  conf,
  ...options
}: { readonly conf?: object } & Pick<ServiceOptions, "settings" | "seed"> = {}): Promise<Rig> {
  const rig = await makeShop(options);
  if (conf) await rig.ok("PUT", "/test-confs/1", conf);
  await rig.ok("POST", "/test-confs/1/executions");
  return rig;
}

/** The execution as it is now. */
export function execution(rig: Rig, id = 1): ReturnType<Rig["ok"]> {
  return rig.ok("GET", `/executions/${id}`);
}

/** Allocated, running, completed. */
export async function stateOf(rig: Rig): Promise<readonly boolean[]> {
  const { allocated, running, completed } = await execution(rig);
  return [allocated, running, completed];
}
