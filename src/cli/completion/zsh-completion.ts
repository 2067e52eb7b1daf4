import { below, type CompletedCommand, type CompletedFlag, lastWord, type Offer } from "./completion-model.ts";

/** A script that zsh sources, or autoloads as `_loadform` from its $fpath. One function per command. */
export function zshCompletion(model: readonly CompletedCommand[]): string {
  const groups = model.filter(({ name }) => below(model, name).length > 0);
  const commands = model.filter((command) => !groups.includes(command));
  return `#compdef loadform
# Completions of loadform for zsh. Made by: loadform completion zsh
${[...commands.map(commandFunction), ...groups.map(({ name }) => groupFunction(model, name)), groupFunction(model, "")].join("\n")}
if [[ "$funcstack[1]" = _loadform ]]; then
  _loadform "$@"
else
  compdef _loadform loadform
fi
`;
}

/** Offers the commands below a group, or hands over to the one that was typed. */
function groupFunction(model: readonly CompletedCommand[], group: string): string {
  const inner = below(model, group);
  return `${functionName(group)}() {
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(
${inner.map((command) => `      ${inZshQuotes(`${lastWord(command)}:${command.summary}`)}`).join("\n")}
    )
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${inner.map((command) => `    ${lastWord(command)}) ${functionName(command.name)} ;;`).join("\n")}
  esac
}`;
}

function commandFunction({ name, flags, args }: CompletedCommand): string {
  const specs = [
    ...flags.map(flagSpec),
    ...args.map((arg, index) => `${arg.repeated ? "*" : index + 1}:${escapedPart(arg.name)}:${actionOf(arg)}`),
  ];
  return `${functionName(name)}() {
  _arguments -s ${specs.map((spec) => `\\\n    ${inZshQuotes(spec)}`).join(" ")}
}`;
}

function flagSpec({ word, about, repeated, value }: CompletedFlag): string {
  const head = `${repeated ? "*" : ""}${word}${value ? "=" : ""}[${escapedPart(about)}]`;
  return value ? `${head}:${escapedPart(value.name)}:${actionOf(value)}` : head;
}

function actionOf(offer: Offer): string {
  if (offer.is === "words") return `(${offer.words.join(" ")})`;
  if (offer.is === "any") return " ";
  return offer.is === "file" ? "_files" : "_files -/";
}

function functionName(name: string): string {
  return name === "" ? "_loadform" : `_loadform_${name.replaceAll(" ", "_")}`;
}

/** Colons and brackets end the parts of a specification. */
function escapedPart(text: string): string {
  return text.replace(/[[\]:\\]/g, "\\$&");
}

function inZshQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
