import { childAddress } from "../../src/model/address.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Tree, TreeNode } from "../../src/model/tree.ts";

/** A desired tree as a large team has it: `cases` test cases of about nine objects, over shared regions, grids and tags. */
export function manyObjects(cases: number): Tree {
  const nodes = new Map<string, TreeNode>();
  const add = (kind: string, key: string, more: Partial<TreeNode> & { readonly fields?: JsonObject } = {}): string => {
    const handle = childAddress(more.parent, kind, key);
    nodes.set(handle, { handle, kind, key, fields: {}, ...more });
    return handle;
  };
  const named = (name: string): { readonly fields: JsonObject } => ({ fields: { name } });
  const count = (most: number) => Array.from({ length: Math.max(1, Math.min(most, cases)) }, (_, index) => index);
  const tags = count(6).map((index) => add("tag", `tag-${index}`));
  const roots = count(2).map((index) => add("vcsRoot", `scripts-${index}`, named(`Load scripts ${index}`)));
  const grids = count(3).map((index) => add("provider", `grid-${index}`, named(`Grid ${index}`)));
  const regions = count(9).map((index) =>
    add("region", `dc${index}`, { fields: { name: `dc-${index}`, provider: { ref: grids[index % grids.length]! } } }),
  );
  for (let index = 0; index < cases; index++) {
    const parent = add("testCase", `case-${index}`, named(`Buying path ${index}`));
    add("gateway", "shop", { parent, ...named("Shop") });
    const scenarios = count(1 + (index % 4)).map((each) => {
      const dependsOn = [tags[(index + each) % tags.length]!];
      const scenario = add("scenario", `browse-${each}`, {
        parent,
        dependsOn,
        ...named(`Browse the catalogue ${each}`),
      });
      if (each === 0) add("dataStore", "users.csv", { parent: scenario });
      return scenario;
    });
    for (const each of count(1 + (index % 3))) {
      const region = regions[(index + each) % regions.length]!;
      const grid = grids[((index + each) % regions.length) % grids.length]!;
      const configuration = add("configuration", `load-${each}`, {
        parent,
        dependsOn: index % 5 === 0 ? [region, roots[0]!] : [region],
        fields: { scenario: { ref: scenarios[each % scenarios.length]! }, providers: [{ provider: { ref: grid } }] },
      });
      if (each !== 1) add("schedule", "nightly", { parent: configuration });
    }
  }
  return { nodes, contents: new Map() };
}
