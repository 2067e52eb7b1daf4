import type { Field } from "../../model/field.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { holdsReference } from "../../model/references.ts";

/** References by id of one kind, and of those below it. */
interface KindReferences {
  readonly plural: string;
  readonly fields: readonly (readonly [name: string, field: Field])[];
  readonly below: readonly KindReferences[];
}

/** Where objects below a test case refer to others. */
export function testCaseReferences(kinds: readonly AnyKind[]): KindReferences | undefined {
  const testCase = kinds.find(({ plural, parent }) => plural === "testCases" && parent === undefined);
  return testCase && referencesOf(testCase, kinds);
}

function referencesOf(kind: AnyKind, kinds: readonly AnyKind[]): KindReferences {
  const fields = Object.entries(kind.fields).filter(([, field]) => holdsReference(field));
  const below = kinds.filter(({ parent }) => parent === kind.name).map((child) => referencesOf(child, kinds));
  return { plural: kind.plural, fields, below: below.filter((each) => each.fields.length + each.below.length > 0) };
}

/** A test case whose references to test cases of its own module lead to them by their expanded keys. */
export function withOwnReferences(
  testCase: Json,
  references: KindReferences | undefined,
  expanded: (key: string) => string | undefined,
): Json {
  return references === undefined || !isObject(testCase) ? testCase : inObject(testCase, references, expanded);
}

function inObject(object: JsonObject, references: KindReferences, expanded: Expanded): JsonObject {
  let made: Record<string, Json> | undefined;
  for (const [name, field] of references.fields) {
    const value = object[name];
    const next = value === undefined ? undefined : inField(field, value, expanded);
    if (next !== undefined && next !== value) made = { ...(made ?? object), [name]: next };
  }
  for (const child of references.below) {
    const collection = object[child.plural];
    if (!isObject(collection)) continue;
    const all = Object.entries(collection).map(([key, each]): [string, Json] => [
      key,
      isObject(each) ? inObject(each, child, expanded) : each,
    ]);
    if (all.some(([key, each]) => each !== collection[key]))
      made = { ...(made ?? object), [child.plural]: Object.fromEntries(all) };
  }
  return made ?? object;
}

type Expanded = (key: string) => string | undefined;

function inField(field: Field, value: Json, expanded: Expanded): Json {
  const { of, fields, reference } = field;
  if (reference) return reference.by === "id" && typeof value === "string" ? leading(value, expanded) : value;
  if (Array.isArray(value)) {
    const items = of ? value.map((item: Json) => inField(of, item, expanded)) : value;
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value) || !fields) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const of = fields[name];
    return [name, of && holdsReference(of) ? inField(of, member, expanded) : member];
  });
  return members.some(([name, member]) => member !== value[name]) ? Object.fromEntries(members) : value;
}

/** `other/browse` with the expanded key of `other`; as it is where the module has no such test case. */
function leading(text: string, expanded: Expanded): string {
  const cut = text.indexOf("/");
  const key = cut < 0 ? undefined : expanded(text.slice(0, cut));
  return key === undefined ? text : key + text.slice(cut);
}
