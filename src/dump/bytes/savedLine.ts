/** Bytes that iptables-save writes around the name of a chain. */
export const savedLine = {
  /** `:CHAIN - [0:0]` and the line break. */
  declaration: 10,
  /** `-A ` in front of the name. */
  nameAt: 3,
  /** `-A CHAIN ` */
  head: 4,
} as const;
