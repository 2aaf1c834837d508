import type { Hook } from './walkInput.ts';

/** The hooks of the built-in chains of iptables. */
export const iptablesHooks: ReadonlyMap<string, Hook> = new Map([
  ['PREROUTING', 'prerouting'],
  ['INPUT', 'input'],
  ['FORWARD', 'forward'],
  ['OUTPUT', 'output'],
  ['POSTROUTING', 'postrouting'],
]);
