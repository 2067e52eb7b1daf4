/** One guard taken out of the sources, and the test that must notice. */
export interface Mutant {
  readonly name: string;
  /** The function, class or constant of `src` that holds the guard; after its room where two rooms have one of this name: `state/readState`. */
  readonly within: string;
  /** Source text, once in that declaration; line breaks and commas at their ends do not count. */
  readonly from: string;
  readonly to: string;
  /** Test file, below test, and a part of the full name of the test that must fail. */
  readonly by: readonly [file: string, test: string];
}

/** Mutants of one declaration: name, text, replacement, and the test that must fail. */
export function mutantsOf(
  within: string,
  edits: readonly (readonly [name: string, from: string, to: string, by: Mutant["by"]])[],
): readonly Mutant[] {
  return edits.map(([name, from, to, by]) => ({ name: `${within}: ${name}`, within, from, to, by }));
}
