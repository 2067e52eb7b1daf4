import fc from "fast-check";
import { describe, test } from "vitest";
import { check } from "../support/deep.ts";
import { anyLife } from "../support/life/any-life.ts";
import { endLife } from "../support/life/end-life.ts";
import { live } from "../support/life/life.ts";
import { beginLife } from "../support/life/living.ts";

describe("a life", () => {
  test("of random commands keeps every promise after each of them, and ends with an empty plan (P16)", async () => {
    await check(
      "P16",
      fc.asyncProperty(anyLife, async ({ wishes, commands, service }) => {
        const living = await beginLife(wishes, service);
        for (const command of commands) await live(living, command);
        await endLife(living);
      }),
      { few: 8, deep: 2_000 },
    );
  });
});
