import { escapeText } from '../common/text/escapeText.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Finding, FindingSeverity } from '../findings/finding.ts';
import { makeFinding } from '../findings/makeFinding.ts';
import type { FindingCode } from '../problems/problemCode.ts';
import type { Interference } from './interferencesOf.ts';
import { doorText } from './serviceDoors.ts';

/** One finding of a rule, with all that was seen of it. */
export function walkFinding(all: readonly [Interference, ...Interference[]], hasMadeUpAddress: boolean): Finding {
  const [{ rule, action, program, question }] = all;
  const doors = [...new Set(all.map(({ door }) => `${door.service ?? ''} ${doorText(door)}`.trim()))];
  const senders = [...new Set(all.map(({ from }) => senderWords[from]))].join(', ');
  const services = [...new Set(all.flatMap(({ door }) => door.service ?? []))];
  const { name, table } = rule.chain;
  const whose = program === undefined ? 'a rule of another program' : `a rule of ${program}`;
  const { id, does } = kinds[action];
  const severity = severityOf(all);
  const finding = makeFinding(id, {
    what: `${whose} in ${table.name} ${escapeText(name)} ${does} packets to ${firstFew(doors.map(escapeText), mostDoors)} (${senders})`,
    found: rule.file === undefined ? [] : [{ file: rule.file, line: rule.line ?? 0 }],
    ...(severity && { severity }),
    ...(services.length > 0 && { services }),
  });
  const dump = /^[\w./+@-]+$/.test(rule.file ?? '') ? rule.file : 'DUMP';
  const asked = `k8snet why ${dump} --from ${question.from} --to ${question.to} --proto ${question.proto}${hasMadeUpAddress ? ' --node-ip NODE_IP' : ''}`;
  return { ...finding, fix: `\`${asked}\` shows the way of such a packet. ${finding.fix}` };
}

/** Somebody may close a node to the world on purpose; nobody closes it to its own Pods. */
function severityOf(all: readonly Interference[]): FindingSeverity | undefined {
  const isOutsideOnly = all.every(
    ({ from, action }) => from === 'outside' && (action === 'drops' || action === 'rejects'),
  );
  if (!isOutsideOnly) return undefined;
  return all.every(({ program }) => program === undefined) ? 'warning' : 'info';
}

const mostDoors = 4;

const senderWords = { pod: 'from Pods', node: 'from the node', outside: 'from outside' } as const;

const kinds: Readonly<Record<Interference['action'], { readonly id: FindingCode; readonly does: string }>> = {
  drops: { id: 'K8N518', does: 'drops' },
  rejects: { id: 'K8N518', does: 'rejects' },
  'sends elsewhere': { id: 'K8N519', does: 'sends elsewhere' },
  'exempts from tracking': { id: 'K8N520', does: 'exempts from connection tracking' },
  'lets pass': { id: 'K8N520', does: 'takes out of the chain, before kube-proxy translates them,' },
};
