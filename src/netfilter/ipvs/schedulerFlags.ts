/** The kernel has three flags; what they mean, and so their names, depends on the scheduler. */
const names: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh-fallback', 'sh-port'],
  mh: ['mh-fallback', 'mh-port'],
};

/** Flags as ipvsadm prints them: the kernel's order, under the scheduler's own names. Undefined: one is no flag. */
export function canonicalFlags(written: readonly string[], scheduler: string): readonly string[] | undefined {
  const numbers = new Set<number>();
  for (const flag of written) {
    const number = flagNumber(flag);
    if (number === undefined) return undefined;
    numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b).map((number) => names[scheduler]?.[number] ?? `flag-${number + 1}`);
}

function flagNumber(flag: string): number | undefined {
  const number = /^flag-([123])$/.exec(flag)?.[1];
  if (number !== undefined) return Number(number) - 1;
  for (const known of Object.values(names)) {
    const at = known.indexOf(flag);
    if (at >= 0) return at;
  }
  return undefined;
}
