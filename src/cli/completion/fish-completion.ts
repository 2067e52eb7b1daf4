import { below, type CompletedCommand, type CompletedFlag, lastWord, type Offer } from "./completion-model.ts";

/** A script that fish sources, or loads from its completions folder. */
export function fishCompletion(model: readonly CompletedCommand[]): string {
  const lines = ["", ...model.map(({ name }) => name)].flatMap((group) =>
    below(model, group).map((command) => {
      const others = `__fish_seen_subcommand_from ${below(model, group).map(lastWord).join(" ")}`;
      const place = group === "" ? "__fish_use_subcommand" : `${inCommand(group)}; and not ${others}`;
      return line(place, `-a ${lastWord(command)} -d ${inFishQuotes(command.summary)}`);
    }),
  );
  const details = model.flatMap((command) => [
    ...command.flags.map((flag) => line(inCommand(command.name), flagOptions(flag))),
    ...argumentLines(command),
  ]);
  return `# Completions of loadform for fish. Made by: loadform completion fish
complete -c loadform -f
${[...lines, ...details].join("\n")}
`;
}

function line(condition: string, options: string): string {
  return `complete -c loadform -n ${inFishQuotes(condition)} ${options}`;
}

function inCommand(name: string): string {
  return name
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
}

function flagOptions({ word, about, value }: CompletedFlag): string {
  const head = `-l ${word.slice(2)}`;
  const tail = `-d ${inFishQuotes(about)}`;
  if (value === undefined) return `${head} ${tail}`;
  if (value.is === "file") return `${head} -r -F ${tail}`;
  return value.is === "any" ? `${head} -x ${tail}` : `${head} -x -a ${inFishQuotes(offerText(value))} ${tail}`;
}

/** Which argument is being typed is not known here: all possible ones are offered. */
function argumentLines({ name, args }: CompletedCommand): readonly string[] {
  return args
    .filter(({ is }) => is !== "any")
    .map((arg) => line(inCommand(name), arg.is === "file" ? "-F" : `-a ${inFishQuotes(offerText(arg))}`));
}

function offerText(offer: Offer): string {
  return offer.is === "words" ? offer.words.join(" ") : "(__fish_complete_directories)";
}

function inFishQuotes(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
