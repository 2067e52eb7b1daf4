/** The output of a process: the first bytes of it, and how many more there were. */
export interface KeptOutput {
  readonly add: (part: Uint8Array) => void;
  /** Bytes that were dropped. */
  readonly dropped: () => number;
  readonly text: () => string;
}

/** Bytes of a process's output that are kept. */
const mostOutput = 10_000_000;

/** An output that is read to its end and kept up to a limit. */
export function keptOutput(): KeptOutput {
  const parts: Uint8Array[] = [];
  let [size, dropped] = [0, 0];
  return {
    add(part) {
      const kept = part.subarray(0, Math.max(0, mostOutput - size));
      // A copy: a part may be a piece of a larger block, which would be kept with it.
      if (kept.length > 0) parts.push(Uint8Array.from(kept));
      size += kept.length;
      dropped += part.length - kept.length;
    },
    dropped: () => dropped,
    text: () => Buffer.concat(parts).toString("utf8"),
  };
}
