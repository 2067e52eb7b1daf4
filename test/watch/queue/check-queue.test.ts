import { describe, expect, test } from "vitest";
import { queueProblems } from "../../../src/watch/queue/check-queue.ts";
import { queued } from "../../support/queue-worker.ts";

const folder = { ...queued("here"), source: { is: "dir", dir: "/work/here" } } as const;
const url = "postgres://me:geheim@db.example.com/queue";

describe("a queue", () => {
  test("shares projects from git", () => {
    expect(queueProblems(url, [queued("a")])).toEqual([]);
  });

  test("refuses folders of this machine", () => {
    expect(queueProblems(url, [queued("a"), folder]).map(({ summary }) => summary)).toEqual([
      "the project here is a folder of this machine, which other workers of the queue do not have",
    ]);
  });

  test.each([
    ["mysql://me:geheim@db.example.com/queue", "The value (not shown) must be postgres://"],
    ["", "The value is empty, perhaps from a variable that is set to nothing; it must be postgres://"],
  ])("refuses %j without showing it", (other, words) => {
    const [found] = queueProblems(other, [queued("a")]);
    expect(found?.detail).toContain(words);
    expect(JSON.stringify(found)).not.toContain("geheim");
  });
});
