import { expect, test } from "vitest";
import { choice } from "../../src/model/field.ts";
import { normalValue } from "../../src/model/normal-form.ts";

const profile = choice(["Flat", "Step"], { description: "The profile." });

test.each([
  ["FLAT", "Flat"],
  ["step", "Step"],
  ["Step", "Step"],
  ["Spike", "Spike"],
])("the word %s of a choice is read as %s", (written, read) => expect(normalValue(profile, written)).toBe(read));
