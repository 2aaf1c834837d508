/** A base chain's priority as a listing names it: `dstnat - 10`, `srcnat`, `filter`, or the number. */
export function formatPriority(priority: number, family: string, hook: string): string {
  for (const [name, value] of namesOf(family, hook)) {
    const distance = priority - value;
    if (distance === 0) {
      return name;
    }
    // nft names a place up to ten steps away by its neighbor.
    if (Math.abs(distance) <= 10) {
      return `${name} ${distance < 0 ? '-' : '+'} ${Math.abs(distance)}`;
    }
  }
  return String(priority);
}

/**
 * Reads both forms. Any name of the family will do at any hook: since 1.0.8 nft says `dstnat` at output too, and each
 * version measures from another neighbor.
 */
export function parsePriority(text: string, family: string): number | undefined {
  const parts = /^(-?\d+)$|^([a-z]+)(?:\s*([+-])\s*(\d+))?$/.exec(text);
  if (parts === null) {
    return undefined;
  }
  if (parts[1] !== undefined) {
    return Number(parts[1]);
  }
  const names = family === 'bridge' ? bridge : internet;
  const base = names.find(([name]) => name === parts[2])?.[1];
  return base === undefined ? undefined : base + Number(`${parts[3] ?? '+'}${parts[4] ?? 0}`);
}

function namesOf(family: string, hook: string): readonly (readonly [string, number])[] {
  if (family === 'bridge') {
    return bridge.filter(
      ([name]) => isLegal(name, hook, 'prerouting', 'postrouting') && (name !== 'out' || hook === 'output'),
    );
  }
  if (family === 'netdev' || family === 'arp') {
    return [['filter', 0]];
  }
  return internet.filter(([name]) => isLegal(name, hook, 'prerouting', 'postrouting'));
}

/** dstnat is a name only where destinations are rewritten first, srcnat only where sources are rewritten last. */
function isLegal(name: string, hook: string, dstnat: string, srcnat: string): boolean {
  return (name !== 'dstnat' || hook === dstnat) && (name !== 'srcnat' || hook === srcnat);
}

const internet: readonly (readonly [string, number])[] = [
  ['raw', -300],
  ['mangle', -150],
  ['dstnat', -100],
  ['filter', 0],
  ['security', 50],
  ['srcnat', 100],
];

const bridge: readonly (readonly [string, number])[] = [
  ['dstnat', -300],
  ['filter', -200],
  ['out', 100],
  ['srcnat', 300],
];
