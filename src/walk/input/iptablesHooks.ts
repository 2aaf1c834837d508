import type { Hook } from './walkInput.ts';

/** The hooks at which the built-in chains of iptables stand. */
export const iptablesHooks: ReadonlyMap<string, Hook> = new Map([
  ['PREROUTING', 'prerouting'],
  ['INPUT', 'input'],
  ['FORWARD', 'forward'],
  ['OUTPUT', 'output'],
  ['POSTROUTING', 'postrouting'],
]);
