/** An object of a kind that the program declares: what other objects refer to. */
export interface Declared<K extends string = string> {
  readonly kind: K;
  /** Its identity in addresses. */
  readonly key: string;
}

/** The names of a kind's fields, of its props: those beside its lifecycle. */
export type FieldOf<Props> = Exclude<keyof Props, "protect" | "unmanaged" | "ignore">;
