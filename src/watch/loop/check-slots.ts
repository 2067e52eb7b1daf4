/** Limits of checks that run at a time. */
export interface SlotLimits {
  /** Checks that have only just begun. */
  readonly fresh: number;
  /** All checks. */
  readonly all: number;
  /** So long a check counts as one that has only just begun; a longer one mostly waits for its service. */
  readonly freshMs: number;
}

/** Lets work begin in the order in which it was asked for, as soon as there is a slot. */
export interface CheckSlots {
  readonly run: (work: () => Promise<void>) => void;
  /** Begins nothing more. */
  readonly close: () => void;
  /** Resolves when nothing runs any more. */
  readonly idle: () => Promise<void>;
}

/** Slots for checks: one that hangs makes room for others after a while, long before it is ended. */
export function checkSlots(limits: SlotLimits, setTimer: (run: () => void, ms: number) => () => void): CheckSlots {
  const waiting: (() => Promise<void>)[] = [];
  let [fresh, all, isClosed] = [0, 0, false];
  let idle: (() => void)[] = [];
  const begin = (work: () => Promise<void>) => {
    fresh++;
    all++;
    let isFresh = true;
    const grown = () => {
      if (isFresh) fresh--;
      isFresh = false;
    };
    const cancel = setTimer(() => {
      grown();
      next();
    }, limits.freshMs);
    void work().finally(() => {
      cancel();
      grown();
      all--;
      next();
    });
  };
  const next = () => {
    while (!isClosed && waiting.length > 0 && fresh < limits.fresh && all < limits.all) {
      const work = waiting.shift();
      if (work) begin(work);
    }
    if (all > 0) return;
    for (const each of idle) each();
    idle = [];
  };
  return {
    run(work) {
      waiting.push(work);
      next();
    },
    close() {
      isClosed = true;
    },
    idle: () => (all === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
