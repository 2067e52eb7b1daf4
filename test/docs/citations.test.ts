import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../support/source-files.ts";

const files = ["src", "test"].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [`${folder}/${path}`, readFileSync(join(repository, folder, path), "utf8")] as const),
);
const headings = new Set(
  readFileSync(join(repository, "docs", "engine.md"), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("## ") ? [line.slice(3)] : [])),
);
const documents: Readonly<Record<string, string>> = Object.fromEntries(
  ["1", "2"].map((part) => [
    part,
    readFileSync(join(repository, "test", "fixtures", "api-documents", `part-${part}.txt`), "utf8").toLowerCase(),
  ]),
);

describe("what comments cite", () => {
  it("lies in the repository", () => {
    const missing = files.flatMap(([path, text]) =>
      [...text.matchAll(/(?<![\w/.-])(docs\/[a-z-]+\.md)/g)].flatMap(([, page = ""]) =>
        existsSync(join(repository, page)) ? [] : [`${path}: ${page}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  it("is a heading of docs/engine.md", () => {
    const cited = files.flatMap(([path, text]) =>
      [...text.matchAll(/docs\/engine\.md, ([A-Z][a-z]+(?: [a-z]+)*?)(?= [AP]\d|[).;:,]| and [A-Z]| says)/g)].map(
        ([, heading = ""]) => `${path}: ${heading}`,
      ),
    );
    expect(cited.length).toBeGreaterThan(60);
    expect(cited.filter((each) => !headings.has(each.split(": ")[1] ?? ""))).toEqual([]);
  });

  it("is in the API documents, under the part and the words that are named", () => {
    const cited = files.flatMap(([path, text]) =>
      [...text.matchAll(/\bAPI ([12]), ([\w/](?:[^:;,.()`"\n]|(?<=\/):)*)/g)].flatMap(([, part = "", words = ""]) =>
        words.split(" and ").map((name) => ({
          path,
          part,
          name: name
            .replace(/ \d+$| \*$/, "")
            .trim()
            .toLowerCase(),
        })),
      ),
    );
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(({ part, name }) => !documents[part]?.includes(name))).toEqual([]);
  });

  it("is no page of somebody's desk", () => {
    const desk =
      /(?<!docs\/)\b(?:engine|service|contract|architecture|redesign)\.md\b|\(contract,|\b[Ss]eed [12]\b|SEED \(/;
    expect(
      files.filter(([path, text]) => !path.endsWith("citations.test.ts") && desk.test(text)).map(([path]) => path),
    ).toEqual([]);
  });
});
