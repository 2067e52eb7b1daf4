/** DECISION (API 2, Starting a run: how much real load is made): at most 50 users for 60 seconds, in two threads of 128 MB. */
export const loadLimits = { users: 50, ms: 60_000, workers: 2, heapMb: 128, growthMb: 768 } as const;
