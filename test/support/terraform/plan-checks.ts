import { type AttributeSchema, isNestedSchema, type NestedSchema } from "../../../src/terraform/provider-schema.ts";
import { isValueMap, isWhollyKnown, UNKNOWN, type Value } from "../../../src/terraform/wire/values.ts";
import { isEqual } from "./proposed-state.ts";

type Attributes = readonly AttributeSchema[];

/** What a plan is checked against. */
export interface PlannedObject {
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
}

/** What the core refuses as "Provider produced invalid plan", each with its place. */
export function planProblems(attributes: Attributes, { prior, config, planned }: PlannedObject, at = ""): string[] {
  if (config === null) return planned === null ? [] : [`${at}: planned for an object that is not configured`];
  if (!isValueMap(planned) || !isValueMap(config)) return [`${at}: planned no object`];
  const before = isValueMap(prior) ? prior : {};
  return attributes.flatMap((attribute) => {
    const { name } = attribute;
    const values: PlannedObject = {
      prior: before[name] ?? null,
      config: config[name] ?? null,
      planned: planned[name] ?? null,
    };
    return attributeProblems(attribute, values, `${at}${name}`);
  });
}

function attributeProblems(attribute: AttributeSchema, values: PlannedObject, at: string): string[] {
  const { prior, config, planned } = values;
  if (attribute.writeOnly) return planned === null ? [] : [`${at}: planned a value of a write-only attribute`];
  if (isEqual(planned, config)) return [];
  if (config === null) return attribute.computed ? [] : [`${at}: planned for an attribute that is not computed`];
  if (isEqual(planned, prior)) return [];
  if (isNestedSchema(attribute.type) && config !== UNKNOWN) return nestedProblems(attribute.type, values, at);
  return [`${at}: planned neither what is configured nor what was before`];
}

function nestedProblems({ nesting, attributes }: NestedSchema, values: PlannedObject, at: string): string[] {
  const { prior, config, planned } = values;
  if (nesting === "single") return planProblems(attributes, values, `${at}.`);
  if (!Array.isArray(planned) || !Array.isArray(config)) return [`${at}: planned no list`];
  if (planned.length !== config.length)
    return [`${at}: planned ${planned.length} objects, configured ${config.length}`];
  return planned.flatMap((each: Value, index) => {
    const before = nesting === "list" && Array.isArray(prior) ? (prior[index] ?? null) : null;
    const element: PlannedObject = { prior: before, config: config[index] ?? null, planned: each };
    return planProblems(attributes, element, `${at}[${index}].`);
  });
}

/** What the core refuses as "Provider produced inconsistent result after apply". */
export function resultProblems(planned: Value, actual: Value, at = ""): string[] {
  if (at === "" && !isWhollyKnown(actual)) return ["the new state holds something unknown"];
  if (planned === UNKNOWN) return [];
  if (isValueMap(planned) && isValueMap(actual))
    return Object.keys(planned).flatMap((key) =>
      resultProblems(planned[key] ?? null, actual[key] ?? null, at === "" ? key : `${at}.${key}`),
    );
  if (Array.isArray(planned) && Array.isArray(actual) && planned.length === actual.length)
    return planned.flatMap((each: Value, index) => resultProblems(each, actual[index] ?? null, `${at}[${index}]`));
  return isEqual(planned, actual) ? [] : [`${at}: is not what was planned`];
}

/** What the core refuses of a list of paths that need a new object. */
export function replaceProblems(paths: readonly string[], { prior, planned }: Omit<PlannedObject, "config">): string[] {
  if (!isValueMap(prior) || !isValueMap(planned)) return [];
  return paths.filter((name) => !(name in prior) && !(name in planned)).map((name) => `${name}: is not there`);
}
