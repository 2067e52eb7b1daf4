import type { CommandSpec } from "../command-table.ts";
import { type Flag, type FlagName, flagTable } from "../flag-table.ts";

/** Completions at a position of the command line. */
export type Offer =
  | { readonly is: "words"; readonly words: readonly string[] }
  | { readonly is: "file" | "folder" | "any" };

/** A flag as shells complete it. */
export interface CompletedFlag {
  /** As typed: `--env`. */
  readonly word: string;
  readonly about: string;
  readonly repeated: boolean;
  /** Absent for a flag without a value. */
  readonly value?: Offer & { readonly name: string };
}

/** A command as shells complete it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** The last may be repeated: it takes all further words too. */
  readonly args: readonly (Offer & { readonly name: string; readonly repeated: boolean })[];
}

/** Words for arguments that are neither files nor free text, by the argument's name. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/** The commands with what may follow them; read from the tables of commands and flags. */
export function completionModel(table: readonly CommandSpec[], vocabulary: Vocabulary): readonly CompletedCommand[] {
  return table.map(({ name, summary, flags, args }) => ({
    name,
    summary,
    flags: [...flags.map(flagOf), { word: "--help", about: "print this help", repeated: false }],
    args: [...(args ?? "").matchAll(/[<[]([^>\].]+)(\.{3})?[>\]]/g)].map(([, word = "", more]) => ({
      name: word,
      repeated: more !== undefined,
      ...offerOf(word, vocabulary),
    })),
  }));
}

/** The commands below a command: `list` of `state list`. */
export function below(model: readonly CompletedCommand[], parent: string): readonly CompletedCommand[] {
  const start = parent === "" ? "" : `${parent} `;
  return model.filter(
    ({ name }) => name.startsWith(start) && !name.slice(start.length).includes(" ") && name !== parent,
  );
}

/** The last word of a command's name. */
export function lastWord({ name }: CompletedCommand): string {
  return name.split(" ").at(-1) ?? name;
}

function flagOf(flagName: FlagName): CompletedFlag {
  const { usage, about, repeated, choices }: Flag = flagTable[flagName];
  const [word = usage, placeholder] = usage.split(" ");
  const flag = { word, about, repeated: repeated ?? false };
  if (placeholder === undefined) return flag;
  const name = placeholder.slice(1, -1);
  return { ...flag, value: { name, ...(choices ? { is: "words", words: choices } : offerOf(name, {})) } };
}

function offerOf(name: string, vocabulary: Vocabulary): Offer {
  const words = Object.hasOwn(vocabulary, name) ? vocabulary[name] : undefined;
  if (words) return { is: "words", words };
  if (name === "dir") return { is: "folder" };
  return { is: name === "file" || name === "snapshot" || name === "dir-or-planfile" ? "file" : "any" };
}
