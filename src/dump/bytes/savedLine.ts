/** Bytes of the lines of iptables-save that name a chain, beside the name. */
export const savedLine = {
  /** `:CHAIN - [0:0]` and the line break. */
  declaration: 10,
  /** `-A ` in front of the name. */
  nameAt: 3,
  /** `-A CHAIN ` */
  head: 4,
} as const;
