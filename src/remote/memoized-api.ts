import type { Api } from "../api/routes.ts";

/** The same read is sent once: several kinds may be answered by one list. `onAnswer` is given the bytes of each answer. */
export function memoizedApi(api: Api, onAnswer?: (call: string, bytes: Uint8Array) => void): Api {
  const answers = new Map<string, Promise<unknown>>();
  return {
    call(route, input, options) {
      const key = `${route} ${JSON.stringify(input ?? {})}`;
      const onBody = onAnswer && ((bytes: Uint8Array) => onAnswer(key, bytes));
      const known = answers.get(key) ?? api.call(route, input, { ...options, ...(onBody && { onBody }) });
      answers.set(key, known);
      return known as ReturnType<typeof api.call<typeof route>>;
    },
  };
}
