import type { Api } from "../api/routes.ts";

/** The same read is sent once: several kinds may be answered by one list. */
export function memoizedApi(api: Api): Api {
  const answers = new Map<string, Promise<unknown>>();
  return {
    call(route, input, options) {
      const key = `${route} ${JSON.stringify(input ?? {})}`;
      const known = answers.get(key) ?? api.call(route, input, options);
      answers.set(key, known);
      return known as ReturnType<typeof api.call<typeof route>>;
    },
  };
}
