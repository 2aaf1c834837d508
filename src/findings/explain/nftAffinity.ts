import { escapeText } from '../../common/escapeText.ts';
import { parseDuration } from '../../netfilter/nft/duration.ts';
import { linesOf } from '../../node/chainLines.ts';
import type { ExplainContext, RuleDifference } from './ruleDifferences.ts';
import type { KnownService } from './serviceIndex.ts';

/** The set that remembers the clients of an endpoint. */
export function explainAffinitySet({ say, items, diff }: ExplainContext, service: KnownService | undefined): void {
  const own = `the ${escapeText(diff.chain)}`;
  const asks = secondsOf(linesOf(diff.expected)) ?? service?.affinitySeconds;
  const keeps = secondsOf(linesOf(diff.found));
  const seen =
    diff.found === undefined
      ? `${own}, which keeps clients on one endpoint for ${asks} s, is missing`
      : diff.expected === undefined
        ? `${own} keeps clients on one endpoint${keeps === undefined ? '' : ` for ${keeps} s`}, which is not asked for`
        : `${own} keeps clients ${keeps === undefined ? 'without end' : `for ${keeps} s`} instead of ${asks} s`;
  say('K8N304', items, { seen }, service);
}

/** What an endpoint's chain does with its clients, by the rules that are missing or there instead. */
export function rememberSeen(items: readonly RuleDifference[], service: KnownService | undefined): string {
  const asks = service?.affinitySeconds;
  const keeps = secondsOf(items.flatMap(({ side, line }) => (side === 'extra' ? [line] : [])));
  if (asks === undefined) return 'remembers its clients, which the Service does not ask for';
  if (keeps !== undefined && keeps !== asks) return `remembers its clients for ${keeps} s instead of ${asks} s`;
  return items.some(({ side }) => side === 'missing')
    ? `does not remember its clients, which the Service keeps on one endpoint for ${asks} s`
    : `remembers its clients otherwise than for ${asks} s`;
}

/** The same of a Service's chain. */
export function lookSeen(items: readonly RuleDifference[], service: KnownService | undefined): string {
  const asks = service?.affinitySeconds;
  if (asks === undefined) return 'keeps clients on one endpoint, which the Service does not ask for';
  return items.some(({ side }) => side === 'missing')
    ? `lacks rules that keep clients on one endpoint for ${asks} s`
    : `keeps clients by other rules than those for ${asks} s`;
}

/** The timeout of a set, or that of a rule which adds to one. */
function secondsOf(lines: readonly string[]): number | undefined {
  for (const line of lines) {
    const duration = parseDuration(/(?:^| )timeout (\w+)/.exec(line)?.[1] ?? '');
    if (duration !== undefined) return duration / 1000;
  }
  return undefined;
}
