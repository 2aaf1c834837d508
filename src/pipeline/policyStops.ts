import { familyOf } from '../common/addresses/ip.ts';
import type { Direction } from '../model/netPolicy.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { readPolicyModel } from '../model/policyModel.ts';
import { withUnlistedPods } from '../model/unlistedPods.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { enforcesByRules } from '../node/programs/policyPrograms.ts';
import type { PolicyFlow } from '../policy/policyFlow.ts';
import { sideLines } from '../policy/text/verdictText.ts';
import { createJudge, type Judge } from '../policy/verdict.ts';
import type { Compiled } from './compile.ts';

/** A packet behind the translation, as it leaves the node whose rules were walked, or comes to its receiver there. */
export interface LeavingPacket {
  /** As the sender gave it, and as the receiver sees it. */
  readonly sender: string;
  readonly source: string;
  readonly destination: string;
  readonly protocol: PolicyFlow['protocol'];
  readonly port: number;
}

/** Why it does not pass at one end. */
export interface PolicyStop {
  /** `bank/db`. */
  readonly pod: string;
  /** Where that Pod is, if it is not on the node whose rules are walked. */
  readonly elsewhere: string | undefined;
  /** The rules enforce policies, or are those of manifests whose policies count as enforced. */
  readonly isEnforced: boolean;
  /** Facts are missing: it may pass. */
  readonly isUnknown: boolean;
  readonly reason: string;
}

/** Asks the policies about packets. */
export interface JudgePolicies {
  /**
   * Why a packet does not pass, as far as the rules that are walked do not show it: at Pods of other nodes, and where the rules
   * of a dump enforce no policies, at those of this one.
   */
  readonly stop: (packet: LeavingPacket) => PolicyStop | undefined;
  /** They surely let it pass at both ends, whatever the rules do. */
  readonly allow: (packet: LeavingPacket) => boolean;
}

/** Undefined: there are no policies. */
export function policyStops(
  { policyManifests, unlistedPods, model }: Compiled,
  dump?: NodeRules,
): JudgePolicies | undefined {
  if (policiesGiven(policyManifests) === 0) return undefined;
  const isEnforced = dump === undefined || enforcesByRules(dump);
  let made: Judge | undefined;
  const judgeOf = () => {
    made ??= createJudge(withUnlistedPods(readPolicyModel(policyManifests), unlistedPods));
    return made;
  };
  const verdictOf = ({ destination, protocol, port }: LeavingPacket, ip: string) => {
    const { judge, partyAt } = judgeOf();
    return judge({ from: partyAt(ip), to: partyAt(destination), protocol, port });
  };
  const stop = (packet: LeavingPacket): PolicyStop | undefined => {
    const { sender, source, destination } = packet;
    if (familyOf(destination) === undefined) return undefined;
    const ask = (direction: Direction, ip: string): PolicyStop | undefined => {
      const [pod] = judgeOf().partyAt(direction === 'egress' ? ip : destination).pods;
      if (pod === undefined) return undefined;
      const elsewhere = isNode(pod.node, model.node.name) ? undefined : pod.node;
      // Rules for policies are about given Pods.
      if (isEnforced && elsewhere === undefined && !unlistedPods.includes(pod)) return undefined;
      const side = verdictOf(packet, ip)[direction];
      if (side.kind === 'allowed') return undefined;
      return {
        pod: pod.id,
        elsewhere,
        isEnforced,
        isUnknown: side.kind === 'unknown',
        reason: reasonOf(sideLines(direction, side), direction),
      };
    };
    const asked = [ask('egress', sender), ask('ingress', source)];
    return asked.find((one) => one?.isUnknown === false) ?? asked.find((one) => one !== undefined);
  };
  const allow = (packet: LeavingPacket) => {
    const { sender, source, destination } = packet;
    if (familyOf(destination) === undefined) return false;
    const [sent, received] = [verdictOf(packet, sender), verdictOf(packet, source)];
    const areAllowed = sent.egress.kind === 'allowed' && received.ingress.kind === 'allowed';
    return areAllowed && sent.others.length + received.others.length === 0;
  };
  return { stop, allow };
}

function isNode(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** What decides, in one line: rules that only pass a packet on do not. */
function reasonOf(lines: readonly string[], direction: Direction): string {
  const ending = lines.filter((line) => !line.startsWith(`${direction}: passed on`));
  return ending
    .map((line) =>
      line
        .trim()
        .replace(`${direction}: `, '')
        .replace(/^unknown: /, ''),
    )
    .join('; ');
}
