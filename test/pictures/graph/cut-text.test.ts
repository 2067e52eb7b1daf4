import { expect, test } from "vitest";
import { cutText } from "../../../src/pictures/graph/cut-text.ts";

const room = { width: 200, letters: 13 };

test.each([
  ["is left as it is where it fits", "Browse the catalogue", "Browse the catalogue"],
  [
    "is cut with an ellipsis where it does not",
    `Browse the catalogue of ${"all ".repeat(20)}`,
    "Browse the catalogue o…",
  ],
  ["is cut earlier where its letters are wide", "W".repeat(99), `${"W".repeat(13)}…`],
  ["is never cut within a character", "👩‍👩‍👧".repeat(30), `${"👩‍👩‍👧".repeat(10)}…`],
])("a text %s", (_, text, cut) => {
  expect(cutText(text, room)).toBe(cut);
});
