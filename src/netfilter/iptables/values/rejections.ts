import type { Family } from '../../../common/addresses/family.ts';

/** How REJECT answers, as iptables-save prints it: the default spelt out, short names made long. */
export function canonicalRejection(answer: string | undefined, family: Family): string {
  if (answer === undefined) {
    return family === 'ipv4' ? 'icmp-port-unreachable' : 'icmp6-port-unreachable';
  }
  return (family === 'ipv4' ? answers : answers6).get(answer) ?? answer;
}

const answers: ReadonlyMap<string, string> = new Map([
  ['net-unreach', 'icmp-net-unreachable'],
  ['host-unreach', 'icmp-host-unreachable'],
  ['proto-unreach', 'icmp-proto-unreachable'],
  ['port-unreach', 'icmp-port-unreachable'],
  ['net-prohib', 'icmp-net-prohibited'],
  ['host-prohib', 'icmp-host-prohibited'],
  ['admin-prohib', 'icmp-admin-prohibited'],
  ['tcp-rst', 'tcp-reset'],
]);

const answers6: ReadonlyMap<string, string> = new Map([
  ['no-route', 'icmp6-no-route'],
  ['adm-prohibited', 'icmp6-adm-prohibited'],
  ['addr-unreach', 'icmp6-addr-unreachable'],
  ['port-unreach', 'icmp6-port-unreachable'],
  ['policy-fail', 'icmp6-policy-fail'],
  ['reject-route', 'icmp6-reject-route'],
  ['tcp-rst', 'tcp-reset'],
]);
