import { describe, expect, test } from "vitest";
import { readState } from "../../src/state/state-text.ts";
import { StoreFailed } from "../../src/state/store.ts";
import type { StateFiles } from "../../src/stores/local/state-files.ts";
import { crashDisk } from "../support/crash-files.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

const gateway = (key: string): Wish => ({
  kind: "gateway",
  key,
  fields: { name: key, url: `https://${key}.test` },
  below: [],
});
const shop = (...keys: readonly string[]) =>
  toTree([
    {
      kind: "testCase",
      key: "t",
      fields: { name: "t" },
      below: [{ kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] }, ...keys.map(gateway)],
    },
    { kind: "vcsRoot", key: "r", fields: { name: "r", url: "https://git.test/a.git" }, below: [] },
  ]);

/** A disk that takes no more after some appends to the journal, half of the last one excepted; then also no whole files. */
function fillingDisk(appends: number, takesFiles: boolean) {
  const disk = crashDisk(() => undefined);
  let left = appends;
  const full = () => new StoreFailed("ENOSPC: no space left on device");
  const files: StateFiles = {
    ...disk.files,
    async append(path, text) {
      left -= 1;
      if (left >= 0) return disk.files.append(path, text);
      if (left === -1) await disk.files.append(path, text.slice(0, text.length / 2));
      throw full();
    },
    async write(path, text) {
      if (left < 0 && !takesFiles) {
        await disk.files.write(path, text.slice(0, text.length / 2));
        throw full();
      }
      return disk.files.write(path, text);
    },
  };
  const empty = () => {
    left = Number.POSITIVE_INFINITY;
  };
  return { files, contents: disk.contents, empty };
}

describe.each([
  ["only for the journal", true],
  ["for everything", false],
])("a disk that fills up %s", (_, takesFiles) => {
  test.each(Array.from({ length: 12 }, (_each, index) => index))(
    "after %i appends loses nothing that was made",
    async (appends) => {
      const { files, contents, empty } = fillingDisk(appends, takesFiles);
      const rig = makeRig({ files, outlives: true });
      const wanted = shop("a", "b", "c", "d");
      const first = await rig.apply(wanted, { parallelism: 3 });
      if (first.status !== "applied") expect(first.diagnostics[0]?.detail).toContain("ENOSPC");
      const reasons = first.events.flatMap((event) => (event.type === "not_attempted" ? [event.because] : []));
      for (const because of reasons) expect(because).toBe("the state store failed");
      if (appends < 2) expect(reasons).not.toEqual([]);
      empty();
      const second = await rig.apply(wanted);
      expect(second.diagnostics).toEqual([]);
      expect(await serviceBodies(rig)).toHaveLength(7);
      expect((await rig.plan(wanted)).plan?.operations).toEqual([]);
      for (const [path, text] of contents) if (path.endsWith(".bak")) expect(() => readState(text)).not.toThrow();
    },
  );
});
