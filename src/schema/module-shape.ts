import type { Field } from "../model/field.ts";
import { group } from "../model/field.ts";
import { parametersField, useField } from "./module-fields.ts";

const testCases: Field = {
  type: "map",
  required: false,
  description: "Test cases, which each instance has under keys of its own.",
};

/** A module's own keys; its test cases are checked as those of the project, once they are expanded. */
export const moduleShape = group(
  { parameters: parametersField, use: useField, testCases },
  { description: "A module." },
);
