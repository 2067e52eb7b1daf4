import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, mostly because they wait. vitest begins with the largest files while it does not know how long each took, as
 * in a fresh clone; a small file that takes a minute would be begun last, and run while the other workers have nothing left to do.
 */
const longest = [
  "docs/pages",
  "scripts/installed-package",
  "scripts/install-lines",
  "e2e/watch-fleet",
  "watch/queue/fleet",
  "e2e/terraform-random",
  "e2e/lock-processes",
  "watch/queue/watch-command",
  "e2e/terraform-interrupted",
  "e2e/hostile-watch",
  "e2e/terraform-killed",
  "service/executions/live-load-end",
  "service/pages/console",
  "service/pages/docs",
  "mutants/mutants",
  "e2e/zombie-apply",
  "e2e/watch",
  "e2e/lock-timeout",
  "e2e/killed-apply",
  "watch/queue/work-queue",
  "watch/process/run-check",
];

/** The order of the test files: the longest of each project first, all others as vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? longest.length : at;
    };
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((each) => each.project === project).sort((one, other) => rank(one) - rank(other)),
    );
  }
}
