import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { timesOf } from "../support/deep.ts";
import { repository } from "../support/source-files.ts";
import { tellStory } from "./support/service-story.ts";

const numbers = Array.from({ length: timesOf({ few: 20, deep: 50 }) }, (_, number) => number);
const closing = (number: number) => number % 3 === 2;

async function toldAlone(number: number) {
  const { service, begin, finish } = tellStory(number);
  const [begun, finished] = [await begin(), await finish()];
  await service.close();
  return { begun, finished };
}

describe("many services in one process", () => {
  it("are each what the same calls make of one alone, and closing some harms no other", {
    timeout: 600_000,
  }, async () => {
    const stories = numbers.map(tellStory);
    const begun = await Promise.all(stories.map((story) => story.begin()));
    const finished = await Promise.all(
      stories.map((story, number) => (closing(number) ? story.service.close() : story.finish())),
    );
    await Promise.all(stories.map(({ service }) => service.close()));
    expect(new Set(begun.map(({ snapshot }) => snapshot)).size).toBe(numbers.length);
    for (const number of numbers) {
      const alone = await toldAlone(number);
      expect(begun[number], `story ${number}`).toEqual(alone.begun);
      if (!closing(number)) expect(finished[number], `story ${number}`).toEqual(alone.finished);
    }
  });
});

describe("the sources of the service", () => {
  it("hold no state in a module: nothing there is assigned anew, and nothing begins empty", () => {
    const room = join(repository, "src/service");
    const files = readdirSync(room, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const found = files
      // These are bundled into the program of a page or of a worker thread, of which each has its own.
      .filter((name) => !name.startsWith("pages/console/") && !name.startsWith("scripts/worker/"))
      .flatMap((name) =>
        readFileSync(join(room, name), "utf8")
          .split("\n")
          .filter(
            (line) =>
              /^(?:export )?(?:let|var) |^ {2}static (?!readonly )#?\w+(?:: [^(]+)? =/.test(line) || beginsEmpty(line),
          )
          .map((line) => `${name}: ${line}`),
      );
    expect(files.length).toBeGreaterThan(200);
    expect(found).toEqual([]);
  });
});

/** A constant of a module that only makes sense when something is put into it. */
function beginsEmpty(line: string): boolean {
  return /^(?:export )?const \w+[^=]* = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\]|\{\});/.test(line);
}
