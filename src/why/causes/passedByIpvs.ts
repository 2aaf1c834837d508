import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { isKubeName } from '../../netfilter/proxyChains.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import type { WalkMember } from '../../walk/input/walkInput.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { evidenceOf, fact } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** IPVS mode: one of virtual server, set and address of kube-ipvs0 is missing, and the packet passes the others. */
export function passedByIpvs(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  const { result, input, name } = question;
  const { destination, destinationPort, protocol } = result.packet;
  const isServed = input.ipvs.some(
    (one) => one.address === destination && one.port === destinationPort && one.protocol === protocol,
  );
  const set = [...input.ipsets.values()].find(
    ({ name: own, members }) => isKubeName(own) && members.some((member) => isOf(member, question)),
  );
  const last = events.at(-1);
  const found = (sentence: string, evidence: CauseDraft['evidence']): CauseDraft => ({
    code: 'hooks-missing',
    what: sentence,
    evidence,
    fix: commands.restart,
  });
  if (isServed && last?.chain.name === 'KUBE-IPVS-FILTER') {
    if (set !== undefined) return notLetPass(set.name, evidenceOf(last), name);
    return found(
      `KUBE-IPVS-FILTER refuses ${name}: IPVS has the virtual server, but no set of kube-proxy holds it.`,
      evidenceOf(last),
    );
  }
  if (isServed) {
    const address = addressText(destination);
    return found(
      `IPVS has a virtual server ${name}, but ${address} is not an address of this node (kube-ipvs0): the packet passes by IPVS.`,
      [fact(`no interface has ${address}`)],
    );
  }
  if (set === undefined) return undefined;
  return found(`IPVS has no virtual server ${name}, although the set ${set.name} holds it.`, [
    fact(`${set.name} holds ${name}`),
  ]);
}

/** The rule for a set is missing: through 1.29 there is none for external IPs with policy Local. */
function notLetPass(set: string, evidence: CauseDraft['evidence'], name: string): CauseDraft {
  const what = `KUBE-IPVS-FILTER refuses ${name}: no rule there lets pass what ${set} holds.`;
  return proxySetKind(set) === 'EXTERNAL-IP-LOCAL'
    ? {
        code: 'somebody-in-front',
        what: `${what} kube-proxy 1.26 to 1.29 has none for external IPs with policy Local.`,
        evidence,
        fix: `Upgrade kube-proxy to 1.30 or newer; policy Cluster avoids it too, and hides the clients' addresses. If it is newer: ${commands.restart}`,
      }
    : { code: 'hooks-missing', what, evidence, fix: commands.restart };
}

/** Address and port, the port with its protocol. */
function isOf({ parts, isException }: WalkMember, { result: { packet } }: WhyQuestion): boolean {
  const [address, port, ...more] = parts;
  return (
    more.length === 0 &&
    !isException &&
    address?.range.first === packet.destination &&
    port?.range.first === packet.destinationPort &&
    port?.protocol === packet.protocol
  );
}
