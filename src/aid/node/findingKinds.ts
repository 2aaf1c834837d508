import type { Finding } from '../../findings/finding.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import type { WhyCauseCode } from '../../why/cause.ts';
import type { AidCauseCode } from '../aidCause.ts';

/** Where a finding about a node stands in the order of causes. */
export function causeOfFinding({ code, isServiceMissing }: Finding): AidCauseCode {
  if (isServiceMissing && code !== 'K8N111') return 'service-missing';
  return byFinding.get(code) ?? 'rules-damaged';
}

const byFinding: ReadonlyMap<FindingCode, AidCauseCode> = new Map<FindingCode, AidCauseCode>([
  ['K8N111', 'no-rules'],
  ['K8N207', 'no-rules'],
  ['K8N212', 'no-rules'],
  ['K8N201', 'service-missing'],
  ['K8N101', 'two-modes'],
  ['K8N108', 'two-modes'],
  ['K8N211', 'two-modes'],
  ['K8N707', 'two-modes'],
  ['K8N514', 'kernel-setting'],
  ['K8N515', 'kernel-setting'],
  ['K8N516', 'kernel-setting'],
  ['K8N517', 'kernel-setting'],
  ['K8N706', 'kernel-setting'],
  ['K8N405', 'other-program'],
  ['K8N406', 'other-program'],
  ['K8N411', 'other-program'],
  ['K8N412', 'other-program'],
  ['K8N504', 'other-program'],
  ['K8N508', 'other-program'],
  ['K8N518', 'other-program'],
  ['K8N519', 'other-program'],
  ['K8N520', 'other-program'],
  ['K8N601', 'other-program'],
  ['K8N603', 'other-program'],
  ['K8N604', 'other-program'],
  ['K8N606', 'other-program'],
  ['K8N607', 'other-program'],
  ['K8N511', 'stale-connection'],
  ['K8N513', 'stale-connection'],
]);

/** Findings about the node that concern each of its Services, whether a packet was seen to fail or not. */
export const concernsAll: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'K8N101',
  'K8N111',
  'K8N207',
  'K8N211',
  'K8N212',
  'K8N409',
  'K8N410',
  'K8N504',
  'K8N514',
  'K8N517',
  'K8N706',
  'K8N707',
]);

/** Warnings that show connections which fail. */
export const showsFailure: ReadonlySet<FindingCode> = new Set<FindingCode>(['K8N511', 'K8N513']);

/** Where a cause that `why` finds stands; undefined: it is no fault by itself. */
export const causeOfWhy: Readonly<Record<WhyCauseCode, AidCauseCode | undefined>> = {
  'no-kube-proxy': 'no-rules',
  'not-asked-for': 'service-missing',
  'no-endpoints': 'rules-damaged',
  'no-local-endpoint': 'rules-damaged',
  'source-not-allowed': 'rules-damaged',
  'network-policy': 'network-policy',
  'somebody-in-front': 'other-program',
  'hooks-missing': 'no-rules',
  routing: 'packet-lost',
  'way-back': 'packet-lost',
  'stale-endpoint': 'rules-damaged',
  state: 'stale-connection',
  'not-shown': undefined,
  'some-ways-only': undefined,
  'not-the-rules': undefined,
};
