import { join } from "node:path";
import { hasKinds, loadSources } from "./load-sources.js";
import { writeWhole } from "./write-files.js";

/** Writes gen/props.d.ts: the props of the constructs, as the kinds declare them. */
export async function declareProps(root) {
  if (!hasKinds(root)) return;
  const exports = 'export { propsSource } from "./scripts/derive/props-source.ts"';
  const { propsSource, kinds } = await loadSources(root, exports);
  writeWhole(join(root, "gen", "props.d.ts"), propsSource(kinds));
}
