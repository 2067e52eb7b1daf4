import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createService } from "../../../src/service/index.ts";

/** Replaces the state of a data file, and is killed when it comes to remove the old log: right before that, or right after. */
async function stopInReset(data: string, how: string, when: string): Promise<void> {
  const service = createService({ data, clock: { mode: "frozen", now: 1 } });
  const call = (method: string, path: string, body?: { readonly [key: string]: string | number }) =>
    service.handle({ method, path, headers: { "x-api-key": "local" }, body });
  const remove = fs.rmSync;
  fs.rmSync = (path, options) => {
    const isLog = String(path).endsWith(".log");
    if (isLog && when === "before") process.kill(process.pid, "SIGKILL");
    remove(path, options);
    if (isLog) process.kill(process.pid, "SIGKILL");
  };
  syncBuiltinESMExports();
  await call("POST", "/test-cases/1/scripts", { name: "late", main: "1" });
  if (how === "reset") await call("POST", "/_loadform/reset");
  else if (how === "restore") await service.restore(createService().snapshot());
  else await service.close();
}

await stopInReset(process.argv[2] ?? "", process.argv[3] ?? "", process.argv[4] ?? "");
