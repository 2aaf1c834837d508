/** Which addresses, masks, kinds of rejection or sets of a family the text of a chain contains. */
export const familyMarks = {
  /** What only one family can have; a translation counts less, since tools accept any address there. */
  certain: /(?: -[sd] |--mask )([0-9a-f]*[:.][0-9a-f:.]+)|--reject-with icmp6?-|--match-set KUBE-6-/,
  any: /(?: -[sd] | --to-destination \[?|--mask )([0-9a-f]*[:.][0-9a-f:.]+)|--reject-with icmp6?-|-p (?:ipv6-)?icmp\b|--match-set KUBE-6-/,
} as const;
