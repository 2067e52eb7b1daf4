import { tellStory } from "./service-story.ts";

/** Prints the digests of one story as JSON: run in a process of its own. */
const { service, begin, finish } = tellStory(Number(process.argv[2]));
const [begun, finished] = [await begin(), await finish()];
await service.close();
process.stdout.write(JSON.stringify({ begun, finished }));
