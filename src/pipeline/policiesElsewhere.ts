import { familyOf } from '../common/addresses/ip.ts';
import type { Direction } from '../model/netPolicy.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { readPolicyModel } from '../model/policyModel.ts';
import type { Party } from '../policy/parties/party.ts';
import type { PolicyFlow } from '../policy/policyFlow.ts';
import { sideLines } from '../policy/text/verdictText.ts';
import { createJudge, type Judge } from '../policy/verdict.ts';
import type { Compiled } from './compile.ts';

/** A packet behind the translation, as it leaves the node whose rules were walked. */
export interface LeavingPacket {
  /** As the sender gave it, and as the receiver sees it. */
  readonly sender: string;
  readonly source: string;
  readonly destination: string;
  readonly protocol: PolicyFlow['protocol'];
  readonly port: number;
}

/** Why it does not pass at an end that is on another node. */
export interface StoppedElsewhere {
  /** `bank/db`. */
  readonly pod: string;
  readonly node: string;
  /** Facts are missing: it may pass. */
  readonly isUnknown: boolean;
  readonly reason: string;
}

export type JudgeElsewhere = (packet: LeavingPacket) => StoppedElsewhere | undefined;

/**
 * Asks the policies about Pods of other nodes: the rules of a node are about its own. Undefined: there are no policies.
 */
export function policiesElsewhere({ policyManifests, model }: Compiled): JudgeElsewhere | undefined {
  if (policiesGiven(policyManifests) === 0) return undefined;
  let judge: Judge | undefined;
  return ({ sender, source, destination, protocol, port }) => {
    if (familyOf(destination) === undefined) return undefined;
    judge ??= createJudge(readPolicyModel(policyManifests));
    const to = judge.partyAt(destination);
    const ask = (direction: Direction, ip: string): StoppedElsewhere | undefined => {
      const from = judge?.partyAt(ip);
      const own = direction === 'egress' ? from : to;
      const elsewhere = own && podElsewhere(own, model.node.name);
      if (judge === undefined || from === undefined || elsewhere === undefined) return undefined;
      const side = judge.judge({ from, to, protocol, port })[direction];
      if (side.kind === 'allowed') return undefined;
      return {
        ...elsewhere,
        isUnknown: side.kind === 'unknown',
        reason: reasonOf(sideLines(direction, side), direction),
      };
    };
    const asked = [ask('egress', sender), ask('ingress', source)];
    return asked.find((one) => one?.isUnknown === false) ?? asked.find((one) => one !== undefined);
  };
}

function podElsewhere({ pods }: Party, node: string): Pick<StoppedElsewhere, 'pod' | 'node'> | undefined {
  const [pod] = pods;
  if (pod?.node === undefined || pod.node.toLowerCase() === node.toLowerCase()) return undefined;
  return { pod: pod.id, node: pod.node };
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
