import { expect, it } from "vitest";
import { keyRedactor } from "../../src/client/redact-key.ts";

it.each([
  ["s3cret/key+1", "a s3cret/key+1 b", "a *** b"],
  ["s3cret/key+1", "?key=s3cret%2Fkey%2B1&x", "?key=***&x"],
  ["s3cret/key+1", `x${Buffer.from("s3cret/key+1").toString("base64")}y`, "x***y"],
  ['quo"te-key', 'said "quo\\"te-key"', 'said "***"'],
  ["local", "key local at http://localhost", "key *** at http://localhost"],
  ["abc", "abc is too short to hide", "abc is too short to hide"],
  ["a.c.e.g.i", "abcdefghi a.c.e.g.i", "abcdefghi ***"],
])("of key %j the text %j shows %j", (key, text, expected) => {
  expect(keyRedactor(key)(text)).toBe(expected);
});
