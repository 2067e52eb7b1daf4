import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { nodeFromWire } from "../../src/remote/node-from-wire.ts";
import { sha256 } from "../../src/workspace/hash.ts";

test("the size of a text is that of its bytes", () => {
  const kind = kinds.find(({ name }) => name === "scenario");
  if (kind === undefined) throw new Error("there is no such kind");
  const text = "// grün 🛒\n";
  const wire = { id: 1, name: "s", main: text, createdAt: "2026-01-01T00:00:00Z" };
  const { fields } = nodeFromWire({ kind, wire, hash: sha256, parent: "testCase 1" });
  expect(fields["script"]).toEqual({ $content: sha256(text), bytes: Buffer.byteLength(text) });
});
