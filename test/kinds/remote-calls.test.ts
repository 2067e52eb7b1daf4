import { expect, test } from "vitest";
import { type Api, type RouteDescriptor, type RouteKey, routes } from "../../src/api/routes.ts";
import { kinds } from "../../src/kinds/index.ts";

test.each(kinds.filter(({ remote }) => remote.create))(
  "a $name upserts as the route of its create is marked",
  async (kind) => {
    const asked: RouteKey[] = [];
    const call = async (route: RouteKey) => void asked.push(route);
    await kind.remote.create?.({
      api: { call } as unknown as Api,
      organization: 1,
      address: "a",
      parentId: 2,
      body: {},
    });
    const marks = asked.map((route): RouteDescriptor => routes[route]);
    expect(marks.map(({ upsert }) => upsert !== undefined)).toEqual([kind.remote.upserts === true]);
  },
);
