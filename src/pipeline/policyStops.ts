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

export type JudgePolicies = (packet: LeavingPacket) => PolicyStop | undefined;

/**
 * Asks the policies what the rules that are walked do not show: about Pods of other nodes, and where the rules of a dump enforce no
 * policies, about those of this one. Undefined: there are no policies.
 */
export function policyStops(
  { policyManifests, unlistedPods, model }: Compiled,
  dump?: NodeRules,
): JudgePolicies | undefined {
  if (policiesGiven(policyManifests) === 0) return undefined;
  const isEnforced = dump === undefined || enforcesByRules(dump);
  let judge: Judge | undefined;
  return ({ sender, source, destination, protocol, port }) => {
    if (familyOf(destination) === undefined) return undefined;
    judge ??= createJudge(withUnlistedPods(readPolicyModel(policyManifests), unlistedPods));
    const to = judge.partyAt(destination);
    const ask = (direction: Direction, ip: string): PolicyStop | undefined => {
      const from = judge?.partyAt(ip);
      const [pod] = (direction === 'egress' ? from : to)?.pods ?? [];
      if (judge === undefined || from === undefined || pod === undefined) return undefined;
      const elsewhere = isNode(pod.node, model.node.name) ? undefined : pod.node;
      // Rules for policies are about given Pods.
      if (isEnforced && elsewhere === undefined && !unlistedPods.includes(pod)) return undefined;
      const side = judge.judge({ from, to, protocol, port })[direction];
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
