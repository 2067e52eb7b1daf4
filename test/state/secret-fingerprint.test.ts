import { expect, test } from "vitest";
import { scryptKey, secretFingerprint } from "../../src/state/secret-fingerprint.ts";

const lineage = "0f8fad5b-d9cb-469f-a165-70867728950e";
const salt = "00112233445566778899aabbccddeeff";

test("the key is scrypt with 2^15 rounds of the lineage and the salt, which takes long to guess", () => {
  // From Node itself: scryptSync(lineage, salt, 32, { N: 32768, r: 8, p: 1 }).
  expect(Buffer.from(scryptKey(lineage, salt)).toString("hex")).toBe(
    "f4ed1e26d74c507656e5f7365e44fbc68828296072a8dfa3fb77462c7e1e2bd4",
  );
});

test("the key of a state is derived once, another state has another one", () => {
  expect(scryptKey(lineage, salt)).toBe(scryptKey(lineage, salt));
  let derived = 0;
  const fingerprint = secretFingerprint({ lineage, salt }, (...of) => {
    derived++;
    return scryptKey(...of);
  });
  expect(fingerprint("vcsRoot", "password", "s3cret")).toBe("4e2f21f02f668af563003c723762e879");
  expect(fingerprint("vcsRoot", "password", "other")).not.toBe(fingerprint("vcsRoot", "password", "s3cret"));
  expect(derived).toBe(1);
});
