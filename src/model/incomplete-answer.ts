/** A read that could not be completed: absent is not empty (engine.md 2.2). */
export class IncompleteAnswer extends Error {
  override readonly name = "IncompleteAnswer";
}
