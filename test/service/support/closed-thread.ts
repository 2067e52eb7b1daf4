import { Worker } from "node:worker_threads";
import { scriptWorker } from "../../../gen/script-worker.js";

/**
 * Runs a text in the thread of a script, as that of its service and not as the script: `before` takes hold of what it wants of Node
 * before the thread is closed, `attempt` is a function's body that is called afterwards. Answers what it answered, or `refused …`.
 */
export async function inClosedThread(before: string, attempt: string): Promise<unknown> {
  const input = {
    main: "await new Promise((go) => setTimeout(go, 1))",
    init: null,
    teardown: null,
    params: {},
    dataTables: {},
  };
  const task = {
    kind: "run",
    input: { ...input, info: {}, startedAt: 0, seed: "s" },
    network: "simulated",
    targets: [],
    allowedHosts: [],
  };
  const program = `const { parentPort: toTest } = require("worker_threads"); const say = toTest.postMessage.bind(toTest);
    const text = (e) => "refused " + (e?.code ?? "") + " " + (e?.message ?? e);
    ${before}
    ${scriptWorker}
    (async () => { ${attempt} })().then((value) => say({ kind: "tried", value: typeof value === "object" && !Array.isArray(value) ? String(value) : value }), (e) => say({ kind: "tried", value: text(e) }));`;
  const worker = new Worker(program, { eval: true, workerData: task, env: {}, stdout: true, stderr: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.on(
        "message",
        (report: { kind: string; value: unknown }) => report.kind === "tried" && resolve(report.value),
      );
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("the thread ended before it was heard of")));
    });
  } finally {
    await worker.terminate();
  }
}
