import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { CollectCommand } from '../../script/collect/collectCommands.ts';
import type { NodeAnswer } from './nodeScript.ts';

/** Only these show in their own text that their end is missing. */
function showsCut({ file }: CollectCommand): boolean {
  return file.includes('iptables.') || file === 'dumps/nft.txt';
}

/** Whether a command shows rules, without which nothing is known of a node. */
export function showsRules({ file }: CollectCommand): boolean {
  return file.startsWith('dumps/iptables.') || file === 'dumps/nft.txt' || file === 'dumps/ipvsadm.save';
}

/**
 * Whether an answer is a fact. Empty output from an iptables program is not: without permission for the legacy variant,
 * it succeeds and prints nothing. nft reports missing permission, so its empty output means that there are no rules.
 */
export function isShown(command: CollectCommand, { text, status }: NodeAnswer): boolean {
  if (status === undefined) return showsCut(command) && text.trim() !== '';
  if (status !== 0) return false;
  return text.trim() !== '' || saysNothing.has(command.file);
}

const saysNothing: ReadonlySet<string> = new Set(['dumps/nft.txt', 'dumps/ipset.save', 'dumps/ipvsadm.save']);

/** The problem with an answer that is incomplete or failed; undefined: there is none. */
export function problemOf(
  node: string,
  command: CollectCommand,
  answer: NodeAnswer,
  said: string,
  wasSlow: boolean,
): Diagnostic | undefined {
  const asked = command.words.join(' ');
  if (answer.status === undefined) {
    return {
      code: 'node-half-read',
      severity: 'warning',
      message: `node ${node}: ${asked} was cut ${wasSlow ? 'when the time was over' : 'before its end'}: ${showsCut(command) ? 'its dump is not whole' : `unknown: ${command.what}`}`,
      at: [],
      ...(wasSlow && { hint: '--node-timeout 5m waits longer' }),
    };
  }
  // Additional facts may be missing on a healthy node: no module, no bridge.
  if (answer.status === 0 || !showsRules(command)) return undefined;
  const why = said.trim().split('\n')[0] ?? '';
  return {
    code: 'node-half-read',
    severity: 'warning',
    message: `node ${node}: ${asked} failed${why === '' ? '' : `: ${why}`}: unknown: ${command.what}`,
    at: [],
  };
}
