import { describe, expect, test } from "vitest";
import { type RouteDescriptor, type RouteKey, routes } from "../../src/api/routes.ts";
import { listQuestions, readRoutes, whyUnasked } from "../../src/conformance/question.ts";

const ids = [7];
const segments = ["test-cases", "test-confs", "scripts", "data-stores", "gateways", "recordings", "vcs-roots"];
const bySegment = Object.fromEntries(
  [...segments, "providers", "regions", "executions", "users"].map((segment) => [segment, ids]),
);
const questions = listQuestions({ organizations: [1], bySegment, seesMore: false });

describe("the questions", () => {
  test("are about every read that has no reason to be left out", () => {
    const asked = new Set(questions.map(({ route }) => route));
    expect(readRoutes().filter((route) => !asked.has(route) && whyUnasked(route) === undefined)).toEqual([]);
  });

  test("leave out what has an effect, asks a repository or leads out of the API, each with a reason", () => {
    const left = readRoutes().filter((route) => whyUnasked(route) !== undefined);
    expect(left.map((route) => `${route}: ${whyUnasked(route)}`).join("\n")).toMatchSnapshot();
    const marked = (Object.entries(routes) as [RouteKey, RouteDescriptor][]).filter(([, { effect }]) => effect);
    expect(marked.length).toBeGreaterThan(1);
    expect(left).toEqual(expect.arrayContaining(marked.map(([route]) => route)));
  });

  test("are reads alone", () => {
    expect(questions.filter(({ route }) => !/^(?:GET|HEAD) /.test(route))).toEqual([]);
    expect(questions.filter(({ route }) => /refs|load$|iterators|_loadform/.test(route))).toEqual([]);
  });
});
