import type { Lifecycle, Tree } from "../../src/model/tree.ts";

/** The same tree with something said about one object besides its fields. */
export function withLifecycle(tree: Tree, address: string, lifecycle: Lifecycle): Tree {
  const node = tree.nodes.get(address);
  if (node === undefined) throw new Error(`no ${address}`);
  return { ...tree, nodes: new Map(tree.nodes).set(address, { ...node, lifecycle }) };
}

/** The same tree with every test case saying that nothing undeclared may stay below it. */
export function withUnmanagedDeleted(tree: Tree): Tree {
  const cases = [...tree.nodes.values()].filter(({ kind }) => kind === "testCase");
  return cases.reduce((said, { handle }) => withLifecycle(said, handle, { unmanaged: "delete" }), tree);
}
