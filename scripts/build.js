import { join } from "node:path";
import { buildAll } from "./build-all.js";

await buildAll(join(import.meta.dirname, ".."), { clean: true });
