/** How the bits of `tcp flags`, `ct state` and `ct status` are compared, where it is more than "one of these is set". */
export interface FlagTest {
  /** As it is written behind the selector: `! syn,ack`, `syn / fin,syn,rst,ack`, `& (fin | syn) == syn`. */
  readonly text: string;
  /** Only these bits count; undefined: all of them. */
  readonly mask?: readonly string[];
  /** The bits that must be set, while no other one is. */
  readonly flags: readonly string[];
  readonly isUnequal: boolean;
}
