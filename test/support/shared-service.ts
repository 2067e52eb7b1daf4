import { afterAll, beforeAll, beforeEach } from "vitest";
import { type RunningService, startService } from "./served-project.ts";

/** A service for all tests of a file or `describe`: started before the first, as new before each, stopped after the last. */
export function sharedService(...args: string[]): RunningService {
  let running: RunningService | undefined;
  const started = () => {
    if (running === undefined) throw new Error("the service is not started before the tests are");
    return running;
  };
  beforeAll(async () => {
    running = await startService(...args);
  });
  beforeEach(() => started().call("POST", "/_loadform/reset"));
  afterAll(() => running?.stop("SIGTERM"));
  return {
    get child() {
      return started().child;
    },
    get ready() {
      return started().ready;
    },
    call: (method, path, body) => started().call(method, path, body),
    stop: (signal) => started().stop(signal),
  };
}
