interface Ends {
  readonly from?: string;
  readonly to?: string;
}

/** What to say where a packet lacks its sender, its receiver or both. `others`: what else would be a question. */
export function lackOfEnds({ from, to }: Ends, others = ''): string {
  const missing = from === undefined ? (to === undefined ? '' : '; --from is missing') : '; --to is missing';
  return `name sender and receiver: --from and --to${others}${missing}`;
}
