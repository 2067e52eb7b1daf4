/** How long a look at the service counts as one right before a write. */
export const lookLastsMs = 1_000;

/** Gives all that ask within a second the same look; `now` is in milliseconds. */
export function sharedLook<T>(look: () => T, now: () => number): () => T {
  let last: { readonly taken: T; readonly at: number } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= lookLastsMs) last = { taken: look(), at: now() };
    return last.taken;
  };
}
