#!/usr/bin/env node
import { main } from "./cli/main.ts";

await main(process, new URL("..", import.meta.url));
