import { resolve } from "node:path";
import type { BusyFile } from "./busy-file.ts";
import { usualPatience } from "./busy-file.ts";
import { problem } from "./problem.ts";
import type { BundledService } from "./service-transport.ts";
import type { World } from "./world.ts";

/** Where a bundled service is kept, and how it is opened. */
export interface BundledPlace {
  readonly root: string;
  readonly world: Pick<World, "now" | "sleep" | "locks">;
  readonly busy?: BusyFile;
  readonly apiKey: string;
}

const retryMs = 50;

/** Opens the bundled service of a `memory:` address in this process. */
export async function openBundled(
  url: string,
  place: BundledPlace,
): Promise<BundledService & { readonly close: () => Promise<void> }> {
  const file = url.slice("memory:".length);
  const { createService } = await import("../service/index.ts");
  const data = file === "" ? {} : { data: resolve(place.root, file) };
  const options = { apiKey: place.apiKey, clock: "real" as const, ...data };
  return openWhenFree(() => openOrExplain(() => createService(options), file), place);
}

/** An opening that failed because another process has the file. */
class FileBusy extends Error {
  override readonly name = "FileBusy";
}

function openOrExplain<T>(open: () => T, file: string): T {
  try {
    return open();
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    const explained = problem("LF2001", "the bundled service could not be opened", `${file}: ${words}`);
    if (isBusy(cause)) throw new FileBusy(words, { cause: explained });
    throw explained;
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EBUSY";
}

async function openWhenFree<T>(open: () => T, { world, busy = usualPatience }: BundledPlace): Promise<T> {
  const since = world.now();
  for (;;) {
    try {
      return open();
    } catch (thrown) {
      if (!(thrown instanceof FileBusy)) throw thrown;
      const waited = world.now() - since;
      await busy.check(waited);
      if (waited >= busy.patienceMs || world.locks?.signal.aborted) throw thrown.cause;
    }
    await world.sleep(retryMs);
  }
}
