import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../src/workspace/hash.ts";

test("bytes have the same hash as a whole and in any pieces", () => {
  const cuts = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(200), { maxLength: 6 }));
  fc.assert(
    fc.property(cuts, ([bytes, places]) => {
      const ends = [
        ...places.map((place) => Math.min(place, bytes.length)).sort((left, right) => left - right),
        bytes.length,
      ];
      const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      const running = sha256.begin();
      for (const piece of pieces) running.add(piece);
      expect(running.hex()).toBe(sha256(bytes));
    }),
    { seed: 20_261_127 },
  );
});
