/** Bounds the requests in flight. */
export type Limiter = ReturnType<typeof makeLimiter>;

/** A place among the requests in flight. */
export type Slot = Awaited<ReturnType<Limiter["acquire"]>>;

const start = 8;
const ceiling = 16;
const growAfter = 50;

/**
 * Always `fixed` requests in flight; without it eight, one more for every 50 clean answers up to 16, half of them when the service is
 * busy (docs/engine.md, Retries). Answers to requests that were sent before the last halving do not halve again: they are one event.
 */
export function makeLimiter(fixed?: number) {
  const waiting: (() => void)[] = [];
  const state = { limit: Math.max(1, fixed ?? start), inFlight: 0, clean: 0, halvings: 0 };

  function admit(): void {
    for (let next = state.inFlight < state.limit ? waiting.shift() : undefined; next; ) {
      state.inFlight++;
      next();
      next = state.inFlight < state.limit ? waiting.shift() : undefined;
    }
  }

  function learn(answer: "clean" | "busy" | "other", halvingsAtStart: number): void {
    if (answer === "busy" && halvingsAtStart === state.halvings) {
      state.limit = Math.max(1, Math.floor(state.limit / 2));
      state.halvings++;
      state.clean = 0;
    }
    if (answer !== "clean" || ++state.clean < growAfter) return;
    state.clean = 0;
    state.limit = Math.min(ceiling, state.limit + 1);
  }

  function slot() {
    const halvingsAtStart = state.halvings;
    return {
      /** Gives the place back: `clean` after a good answer, `busy` after 429 or 503. */
      release(answer: "clean" | "busy" | "other"): void {
        state.inFlight--;
        if (fixed === undefined) learn(answer, halvingsAtStart);
        admit();
      },
    };
  }

  return {
    /** Requests that may be in flight now. */
    limit: () => state.limit,
    acquire: () =>
      new Promise<ReturnType<typeof slot>>((resolve) => {
        waiting.push(() => resolve(slot()));
        admit();
      }),
  };
}
