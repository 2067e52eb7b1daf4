import { writeSync } from "node:fs";
import { createService } from "../../../src/service/index.ts";

/** Creates test cases, eight at a time, and names each on stdout once it is answered. */
async function writeUntilKilled(data: string): Promise<void> {
  const service = createService({ data });
  for (let round = 0; ; round++)
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const name = `case-${round}-${index}`;
        const body = { name, org: 1 };
        await service.handle({ method: "POST", path: "/test-cases", headers: { "x-api-key": "local" }, body });
        writeSync(1, `${name}.\n`);
      }),
    );
}

await writeUntilKilled(process.argv[2] ?? "");
