/** Time of a script: virtual time jumps to the next timer, real time passes by itself; exact time is real time reported in microseconds. */
type Time = "virtual" | "real" | "exact";

const real = { setTimeout, clearTimeout, now: performance.now.bind(performance) };

/** Virtual time that each read of it takes, so that a loop which waits by reading it ends. */
const readMs = 0.001;
const longestDelay = 2_147_483_647;

/** The object that `setTimeout` and its like return. */
export class Timer {
  readonly callback: () => void;
  readonly delay: number;
  readonly repeats: boolean;
  at = 0;
  order = 0;
  isRef = true;
  readonly #queue: TimerQueue;

  constructor(queue: TimerQueue, callback: () => void, { delay, repeats }: { delay: number; repeats: boolean }) {
    this.#queue = queue;
    this.callback = callback;
    this.delay = delay;
    this.repeats = repeats;
  }

  ref(): this {
    this.isRef = true;
    this.#queue.rearm();
    return this;
  }

  unref(): this {
    this.isRef = false;
    this.#queue.rearm();
    return this;
  }

  hasRef(): boolean {
    return this.isRef;
  }

  refresh(): this {
    this.#queue.remove(this);
    this.#queue.insert(this);
    return this;
  }

  close(): this {
    this.#queue.remove(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.order;
  }
}

/** The timers of a script, in the order in which they fall due. */
export class TimerQueue {
  readonly time: Time;
  #timers: Timer[] = [];
  #now = 0;
  #order = 0;
  #armed: NodeJS.Timeout | undefined;
  readonly #start = real.now();

  constructor(time: Time) {
    this.time = time;
  }

  /** Milliseconds since the run began. */
  now(): number {
    return this.time === "virtual" ? this.#now : real.now() - this.#start;
  }

  /** That time as a script reads it. */
  read(): number {
    if (this.time === "virtual") this.#now += readMs;
    return this.now();
  }

  /** That time as it is reported: in whole milliseconds, unless it is exact. */
  whole(): number {
    if (this.time === "exact") return Math.round(this.now() * 1000) / 1000;
    return Math.floor(this.now() + readMs / 2);
  }

  add(callback: () => void, delay: number, { repeats = false } = {}): Timer {
    const timer = new Timer(this, callback, { delay: delay <= longestDelay ? delay : 1, repeats });
    this.insert(timer);
    return timer;
  }

  insert(timer: Timer): void {
    timer.at = this.now() + timer.delay;
    timer.order = ++this.#order;
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#timers[middle];
      if (other !== undefined && other.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
    this.rearm();
  }

  remove(timer: Timer): void {
    const index = this.#timers.indexOf(timer);
    if (index < 0) return;
    this.#timers.splice(index, 1);
    this.rearm();
  }

  /** A timer by the number that it turns into. */
  find(order: number): Timer | undefined {
    return this.#timers.find((timer) => timer.order === order);
  }

  /** True while a timer is waited for. */
  get isBusy(): boolean {
    return this.#timers.some((timer) => timer.isRef);
  }

  clear(): void {
    this.#timers = [];
    this.rearm();
  }

  /** Takes the timer that is due next, as long as one is waited for, and moves the virtual time to it. */
  next(): Timer | undefined {
    if (!this.#timers.some((timer) => timer.isRef)) return undefined;
    const timer = this.#timers.shift();
    if (timer && this.time === "virtual") this.#now = Math.max(this.#now, timer.at);
    return timer;
  }

  /** Carries a taken timer out; an interval comes back. */
  fire(timer: Timer): void {
    if (timer.repeats) this.insert(timer);
    timer.callback();
  }

  /** Real time: the process waits for the first timer. */
  rearm(): void {
    if (this.time === "virtual") return;
    real.clearTimeout(this.#armed);
    const [first] = this.#timers;
    if (first === undefined) return;
    this.#armed = real.setTimeout(() => this.#due(), Math.max(0, first.at - this.now()));
    if (!this.#timers.some((timer) => timer.isRef)) this.#armed.unref();
  }

  #due(): void {
    const [first] = this.#timers;
    const isDue = first !== undefined && first.at <= this.now() + 1;
    if (isDue) this.#timers.shift();
    this.rearm();
    if (isDue) this.fire(first);
  }
}
