/** Where a command that is to be pasted has to act: the folder, as a command line names it, and the environment. */
export interface CommandPlace {
  readonly folder?: string;
  readonly environment?: string;
  /** What variables were set to, as a command line says it: `name=value`, each one word. */
  readonly variables?: readonly string[];
}

/** These as words behind a command, each with a blank before it. */
export function placeWords({ folder, environment, variables = [] }: CommandPlace): string {
  const words = [
    ...(folder === undefined ? [] : [folder]),
    ...(environment === undefined ? [] : [`--env ${environment}`]),
    ...variables.map((each) => `--var ${each}`),
  ];
  return words.map((word) => ` ${word}`).join("");
}
