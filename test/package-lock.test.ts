import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repository } from "./support/source-files.ts";

interface LockEntry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
  /** Comes within the package that it stands in, which leaves out what it does not need. */
  readonly inBundle?: boolean;
  /** A workspace of the repository. */
  readonly link?: boolean;
}

const text = readFileSync(join(repository, "package-lock.json"), "utf8");
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockEntry>> };

// A registry that lacks another platform's build makes npm drop the entry, and `npm ci` then refuses the lock file.
it("the lock file lists every optional package, those of other platforms too", () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys((!entry.inBundle && entry.optionalDependencies) || {}).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

it("the lock file names no registry", () => {
  expect(Object.values(packages).filter((entry) => entry.resolved !== undefined && !entry.link)).toEqual([]);
});
