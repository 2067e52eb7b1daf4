// merge: two processes
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, type Program } from "../support/bundle-program.ts";
import { type Digests, tellStory } from "../support/service-story.ts";

interface Told {
  readonly begun: Digests;
  readonly finished: Digests;
}

describe("the same seed and the same calls", () => {
  let program: Program;
  const told = async (number: number) => JSON.parse(await program.run([String(number)])) as Told;

  beforeAll(async () => {
    program = await bundleProgram("print-story.ts");
  });
  afterAll(() => program.remove());

  it("give byte-equal results, downloads and snapshots in two processes, and in this one", async () => {
    const [first, second] = [await told(1), await told(1)];
    expect(second).toEqual(first);
    const { service, begin, finish } = tellStory(1);
    expect({ begun: await begin(), finished: await finish() }).toEqual(first);
    await service.close();
  });

  it("and others with another seed: what is drawn is not a constant", async () => {
    const [first, other] = [await told(1), await told(2)];
    for (const name of ["/executions/1/results.csv", "/executions/1/output-files.zip", "snapshot"])
      expect(other.finished[name], name).not.toBe(first.finished[name]);
  });
});
