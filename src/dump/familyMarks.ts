/** What of a family's addresses, masks or kinds of rejection the text of a chain shows. */
export const familyMarks = {
  /** What only one family can hold; a translation counts less, since tools take any address there. */
  certain: /(?: -[sd] |--mask )([0-9a-f]*[:.][0-9a-f:.]+)|--reject-with icmp6?-/,
  any: /(?: -[sd] | --to-destination \[?|--mask )([0-9a-f]*[:.][0-9a-f:.]+)|--reject-with icmp6?-|-p (?:ipv6-)?icmp\b/,
} as const;
