import { escapeText } from '../../../common/text/escapeText.ts';
import type { Statement } from '../../../netfilter/nft/ast.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { nftServiceName } from '../../../seen/names/nftServiceName.ts';
import type { ExplainContext } from '../explainWith.ts';
import type { RuleDifference } from '../ruleDifferences.ts';
import type { KnownService } from '../serviceIndex.ts';
import { statementsOf } from './nftStatements.ts';

/** The set that remembers the clients of an endpoint. */
export function explainAffinitySet({ say, items, diff }: ExplainContext, service: KnownService | undefined): void {
  const own = `the ${escapeText(diff.chain)}`;
  const asks = timeoutOf(diff.expected) ?? service?.affinitySeconds;
  const keeps = timeoutOf(diff.found);
  const seen =
    diff.found === undefined
      ? `${own}, which keeps clients on one endpoint for ${asks} s, is missing`
      : diff.expected === undefined
        ? `${own} keeps clients on one endpoint${keeps === undefined ? '' : ` for ${keeps} s`}, which is not asked for`
        : `${own} keeps clients ${keeps === undefined ? 'without end' : `for ${keeps} s`} instead of ${asks} s`;
  const isOfGone = diff.expected === undefined;
  const role = diff.found === undefined ? absentEndpointRole : isOfGone ? goneRole(diff.chain) : {};
  say('K8N304', items, { what: seen, role }, service);
}

/** Of an endpoint that the node does not know, or does not keep clients on. */
export const absentEndpointRole = { follows: ['lacking', 'unknown', 'refused', 'otherWay', 'affinity'] } as const;

/** Of an endpoint, or of a Service, that the node need not know any more. */
function goneRole(set: string) {
  return {
    follows: ['strangers', 'affinity', 'left', 'otherWay'],
    of: nftServiceName(set),
  } as const;
}

/** What an endpoint's chain does with its clients, shown by the rules that are missing or extra. */
export function rememberSeen(items: readonly RuleDifference[], service: KnownService | undefined): string {
  const asks = service?.affinitySeconds;
  const extra = items.filter(({ side }) => side === 'extra').flatMap(statementsOf);
  const keeps = seconds(extra.find((one) => one.kind === 'setUpdate' && one.timeout !== undefined));
  if (asks === undefined) return 'remembers its clients, which the Service does not ask for';
  if (keeps !== undefined && keeps !== asks) return `remembers its clients for ${keeps} s instead of ${asks} s`;
  return items.some(({ side }) => side === 'missing')
    ? `does not remember its clients, which the Service keeps on one endpoint for ${asks} s`
    : `remembers its clients otherwise than for ${asks} s`;
}

/** The same for a Service's chain. */
export function lookSeen(items: readonly RuleDifference[], service: KnownService | undefined): string {
  const asks = service?.affinitySeconds;
  if (asks === undefined) return 'keeps clients on one endpoint, which the Service does not ask for';
  return items.some(({ side }) => side === 'missing')
    ? `lacks rules that keep clients on one endpoint for ${asks} s`
    : `keeps clients by other rules than those for ${asks} s`;
}

/** How many seconds a set keeps its elements. */
function timeoutOf(chain: RuleChain | undefined): number | undefined {
  return chain?.content?.kind === 'nftSet' ? seconds(chain.content.set) : undefined;
}

function seconds(of: Statement | { readonly timeout?: number } | undefined): number | undefined {
  return of === undefined || !('timeout' in of) || of.timeout === undefined ? undefined : of.timeout / 1000;
}
