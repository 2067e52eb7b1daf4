/** Where a command that is to be pasted has to act: the folder, as a command line names it, and the environment. */
export interface CommandPlace {
  readonly folder?: string;
  readonly environment?: string;
}

/** These as words behind a command, each with a blank before it. */
export function placeWords({ folder, environment }: CommandPlace): string {
  return `${folder === undefined ? "" : ` ${folder}`}${environment === undefined ? "" : ` --env ${environment}`}`;
}
