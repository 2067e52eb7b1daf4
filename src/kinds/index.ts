import type { AnyKind } from "../model/kind.ts";
import { configuration } from "./configuration.ts";
import { dataStore } from "./data-store.ts";
import { gateway } from "./gateway.ts";
import { provider } from "./provider.ts";
import { region } from "./region.ts";
import { scenario } from "./scenario.ts";
import { schedule } from "./schedule.ts";
import { tag } from "./tag.ts";
import { testCase } from "./test-case.ts";
import { vcsRoot } from "./vcs-root.ts";

export { configuration, dataStore, gateway, provider, region, scenario, schedule, tag, testCase, vcsRoot };

/** The ten kinds in the order in which a tree is built: parents and referred objects come first. */
export const kinds: readonly AnyKind[] = [
  tag,
  vcsRoot,
  provider,
  region,
  testCase,
  gateway,
  scenario,
  dataStore,
  configuration,
  schedule,
];
