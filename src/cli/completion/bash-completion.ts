import { below, type CompletedCommand, lastWord, type Offer } from "./completion-model.ts";

/** A script that bash (3.2 or newer) sources. Each place of the command line is one case: "command flag" or "command number". */
export function bashCompletion(model: readonly CompletedCommand[]): string {
  const groups = ["", ...model.map(({ name }) => name).filter((name) => below(model, name).length > 0)];
  const commands = groups.map(
    (group): Case => [`${group} 0`, { is: "words", words: below(model, group).map(lastWord) }],
  );
  const values = model.flatMap(({ name, flags }) =>
    flags.flatMap(({ word, value }): readonly Case[] => (value ? [[`${name} ${word}`, value]] : [])),
  );
  const operands = model.flatMap(({ name, args }) =>
    args.map((offer, index): Case => [`${name} ${offer.repeated ? "*" : index}`, offer]),
  );
  const valued = model.flatMap(({ flags }) => flags.filter(({ value }) => value).map(({ word }) => word));
  return `# Completions of loadform for bash. Made by: loadform completion bash
_loadform() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" flag="" place=0 index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ "$word" == "=" ]]; then continue; fi
    if [[ -n "$flag" ]]; then flag=""; continue; fi
    case "$word" in
      ${[...new Set(valued)].join(" | ")}) flag="$word" ;;
      -*) ;;
      *)
        case "$command" in
          ${groups.map(inDoubleQuotes).join(" | ")}) command="\${command:+$command }$word" ;;
          *) place=$((place + 1)) ;;
        esac
        ;;
    esac
  done
  if [[ "$current" == "=" ]]; then current=""; fi
  COMPREPLY=()
  if [[ -n "$flag" ]]; then
    case "$command $flag" in
${cases(values)}
    esac
  elif [[ "$current" == -* ]]; then
    case "$command" in
${cases(model.map(({ name, flags }) => [name, { is: "words", words: flags.map(({ word }) => word) }]))}
      "") _loadform_words --help --version ;;
    esac
  else
    case "$command $place" in
${cases([...commands, ...operands])}
    esac
  fi
}
_loadform_words() {
  local word
  for word in "$@"; do
    if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
  done
}
_loadform_paths() {
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
  compopt -o filenames 2>/dev/null
}
complete -F _loadform loadform
`;
}

type Case = readonly [place: string, offer: Offer];

/** Positions at which nothing can be offered are omitted. */
function cases(all: readonly Case[]): string {
  return all
    .flatMap(([place, offer]) => {
      const action = actionOf(offer);
      return action === undefined ? [] : [`      ${inDoubleQuotes(place)}) ${action} ;;`];
    })
    .join("\n");
}

function actionOf(offer: Offer): string | undefined {
  if (offer.is === "words") return `_loadform_words ${offer.words.join(" ")}`;
  if (offer.is === "any") return undefined;
  return `_loadform_paths ${offer.is === "file" ? "-f" : "-d"}`;
}

/** A star at the end is one: any further word. */
function inDoubleQuotes(word: string): string {
  return word.endsWith("*") ? `"${word.slice(0, -1)}"*` : `"${word}"`;
}
