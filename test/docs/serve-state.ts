import { startStateServer } from "../support/state-server.ts";

// For pages whose project keeps its state at a server: prints the address and serves until it is ended.
const { address } = await startStateServer("plain");
process.stdout.write(`${address}\n`);
