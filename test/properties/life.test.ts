import fc from "fast-check";
import { describe, test } from "vitest";
import { check } from "../support/deep.ts";
import { endLife } from "../support/life/end-life.ts";
import { live } from "../support/life/life.ts";
import type { Command } from "../support/life/life-commands.ts";
import { anyCommand, fullProject } from "../support/life/life-commands.ts";
import { beginLife } from "../support/life/living.ts";
import type { Wish } from "../support/random-project.ts";

/** Lives through the commands, and to the end. */
async function liveThrough(wishes: readonly Wish[], commands: readonly Command[], outlives: boolean): Promise<void> {
  const living = await beginLife(wishes, outlives);
  for (const command of commands) await live(living, command);
  await endLife(living);
}

describe("a life", () => {
  test("of random commands keeps every promise after each of them, and ends with an empty plan (P16)", async () => {
    const commands = fc.array(anyCommand, { minLength: 30, maxLength: 30 });
    await check(
      "P16",
      fc.asyncProperty(commands, fullProject, fc.boolean(), (each, wishes, outlives) =>
        liveThrough(wishes, each, outlives),
      ),
      { few: 12, deep: 2_000 },
    );
  });
});
