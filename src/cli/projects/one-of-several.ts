import type { CommandInput } from "../command.ts";
import { type Flag, type FlagName, type FlagValues, flagTable } from "../flag-table.ts";

/** The command line that would have been given for one of the projects alone: the commands that messages print are about that one. */
export function oneOfSeveral(input: CommandInput, dir: string): CommandInput {
  return { ...input, args: [dir], argv: [input.spec.name, dir, ...flagWords(input.flags)] };
}

/** Flags as they are typed. */
function flagWords(flags: FlagValues): readonly string[] {
  return (Object.keys(flags) as FlagName[]).flatMap((name) => {
    const value: unknown = flags[name];
    const flag: Flag = flagTable[name];
    const [word = "", placeholder] = flag.usage.split(" ");
    if (placeholder === undefined) return [word];
    if (Array.isArray(value)) return value.flatMap((each) => [word, String(each)]);
    if (typeof value === "object" && value !== null)
      return Object.entries(value).flatMap(([key, each]) => [word, `${key}=${String(each)}`]);
    return [word, String(value)];
  });
}
