import fc from "fast-check";
import { expect, test } from "vitest";
import { check, isDeep } from "../support/deep.ts";
import { type StoryFigures, WatchStory } from "../support/watch-story.ts";

const isLong = isDeep || process.env.LOADFORM_RUNS !== undefined;
const days = isLong ? 90 : 6;

test("every watched project converges when it may, writes nothing when it may not, and tells nothing twice (P22)", {
  timeout: 3_600_000,
}, async () => {
  const stories: StoryFigures[] = [];
  const anySeed = fc.noShrink(fc.integer({ min: 0, max: 0x7fff_ffff }));
  const property = fc.asyncProperty(anySeed, async (seed) => {
    const story = new WatchStory(seed).tell(days);
    stories.push(story);
    expect(story.problems.slice(0, 5)).toEqual([]);
    expect(story.memory[1]).toBeLessThan(60_000);
  });
  await check("P22", property, { few: 24, deep: 200 });
  const sum = (figure: "events" | "checks" | "healed" | "told" | "fights") =>
    stories.reduce((total, story) => total + story[figure], 0);
  const most = (third: 0 | 1) => Math.max(...stories.map(({ memory }) => memory[third]));
  console.log(
    `watching: ${stories.length} projects, ${days} days, ${sum("events")} events, ${sum("checks")} checks, ${sum("healed")} objects healed, ` +
      `${sum("told")} told, ${sum("fights")} fights; memory at most ${most(0)} then ${most(1)} characters`,
  );
  expect(sum("healed")).toBeGreaterThan(0);
  expect(sum("fights")).toBeGreaterThan(0);
});
