import { runCheckProcess } from "./cli/watch/check-main.ts";

await runCheckProcess(process, new URL("..", import.meta.url));
