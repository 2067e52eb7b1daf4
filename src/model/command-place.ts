/** Where a command that is to be pasted acts. */
export interface CommandPlace {
  /** The project's folder, as a command line names it; absent where it is the current one. */
  readonly folder?: string;
  readonly environment?: string;
  /** The command names no environment, and the project may have a default one. */
  readonly isOutside?: true;
  /** Variables that the command line set, as it spells them: `name=value`, each one word. */
  readonly variables?: readonly string[];
}

/** These as words behind a command, each with a blank before it. */
export function placeWords({ folder, environment, isOutside, variables = [] }: CommandPlace): string {
  const words = [
    ...(folder === undefined ? [] : [folder]),
    ...(environment === undefined ? [] : [`--env ${environment}`]),
    ...(isOutside ? ["--env ''"] : []),
    ...variables.map((each) => `--var ${each}`),
  ];
  return words.map((word) => ` ${word}`).join("");
}
