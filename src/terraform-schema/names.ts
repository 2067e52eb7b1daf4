/**
 * Names in Terraform and the way back: `testCase` is `loadform_test_case`, `durationSecs` is `duration_secs`, the
 * reference `scenario` is `scenario_id`. Names of the model are camelCase without digits beside capitals, so both ways agree.
 */
const prefix = "loadform_";

/** `durationSecs` as Terraform spells it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `duration_secs` as the model spells it. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The resource or data source of a kind. */
export function resourceType(kind: string): string {
  return prefix + snakeCase(kind);
}

/** The kind of a resource: `testCase` of `loadform_test_case`; undefined for another provider's. */
export function kindOfResource(type: string): string | undefined {
  return type.startsWith(prefix) ? camelCase(type.slice(prefix.length)) : undefined;
}

/** The attribute that holds the id of a parent or of what a field refers to. */
export function foreignKey(name: string): string {
  return `${snakeCase(name)}_id`;
}
