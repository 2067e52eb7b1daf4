import { expect, it } from "vitest";
import { secretsIn } from "../../src/model/secret-texts.ts";

it("secrets are the texts at sensitive paths; the name of a variable that is not set is none", () => {
  const fields = {
    name: "ci",
    password: "hunter2",
    metadata: { key: "k-1", keys: ["k-2", 3], other: { $unset: "CLOUD_KEY" } },
    token: { $unset: "GIT_TOKEN" },
  };
  expect(secretsIn([{ fields, sensitive: ["password", "metadata", "token"] }])).toEqual(["hunter2", "k-1", "k-2"]);
});
