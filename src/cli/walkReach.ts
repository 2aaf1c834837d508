import { assumedNetwork } from '../behaviour/assumedNetwork.ts';
import type { SenderKind } from '../behaviour/packets/senderKinds.ts';
import type { Reach, ReachRow } from '../behaviour/reach/reach.ts';
import { type Find, findWords, readFind } from '../behaviour/reach/reachFind.ts';
import { serviceRows } from '../behaviour/reach/serviceRows.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { reach } from '../public/core.ts';
import { orThrow } from '../public/result.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { absenceOf } from './dumps/absenceOf.ts';
import type { WalkNode } from './dumps/readWalkNode.ts';
import type { ReachQuestion } from './words/reachQuestion.ts';

/** What a command line asks of the table of a node. */
export interface AskedReach {
  readonly question: ReachQuestion;
  readonly finds: readonly Find[];
  readonly entrances: readonly SenderKind[] | undefined;
}

/** The conditions of `--find`. A text says which of them is not known. */
export function readFinds(texts: readonly string[]): readonly Find[] | string {
  const finds: Find[] = [];
  for (const text of texts) {
    const find = readFind(text);
    if (find === undefined) return `--find ${text}: one of ${findWords.join(', ')}, or 'to ADDRESS[:PORT]'`;
    finds.push(find);
  }
  return finds;
}

/** That a dump has no rules of kube-proxy, if it would show them and the question is about Services. */
export function absenceFor({ node }: WalkNode, { question, finds }: AskedReach): Diagnostic | undefined {
  // A question about an address need not be about a Service.
  const isOfServices = finds.length === 0 && (question.to === undefined || question.service !== undefined);
  return isOfServices ? absenceOf(node) : undefined;
}

/** What shows that rules of kube-proxy are on the node which the dump does not show. */
export function gapsOf(node: NodeRules): readonly string[] {
  const { mode, modes, of } = proxySeen(node);
  const likeliest = mode ?? modes[0];
  return likeliest === undefined ? [] : of(likeliest).gaps;
}

/** Walks what is asked for through the rules of a node. */
export async function walkReach(
  { node, ownAddresses, objects: given }: WalkNode,
  { question, finds, entrances }: AskedReach,
): Promise<Reach> {
  const isShown = node.network.interfaces.length > 0 || node.network.routes.length > 0;
  // Without any address the node sends nothing, and nobody reaches its node ports.
  const objects = ownAddresses
    ? assumedNetwork([node], ownAddresses)
    : (given ?? (isShown ? undefined : assumedNetwork([node])));
  return orThrow(
    reach(
      { rules: node, ...(objects && { objects }) },
      {
        ...question,
        isOfServicePorts: question.to === undefined && finds.length === 0,
        ...(entrances && { entrances }),
      },
    ),
  );
}

/** For a whole node, the addresses of Services and their ports: the rest can be searched. */
export function shownRows({ rows }: Reach, { question }: AskedReach): readonly ReachRow[] {
  return question.to === undefined ? serviceRows(rows) : rows;
}
