import { escapeText } from '../../../common/text/escapeText.ts';
import { commentOf } from '../../../netfilter/iptables/ruleParts.ts';
import { isProxyTable } from '../../../netfilter/proxyChains.ts';
import { eachChain, suspectChains } from '../../../node/chains/eachChain.ts';
import { type DumpPlace, placeOf } from '../../../node/lines/chainLines.ts';
import { nftElementsOf } from '../../../node/nftItems.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { servicePortOfRule } from '../../../seen/names/servicePortOfRule.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/**
 * K8N501 and 502 without manifests: Services whose traffic is rejected or dropped because they have no endpoints, or
 * none on this node, according to comments of rules and elements. One finding for each.
 */
export function* refusedChecks(dump: NodeRules): Iterable<DumpFinding> {
  const none = new Map<string, DumpPlace>();
  const notHere = new Map<string, DumpPlace>();
  for (const { chain, at, service, isLocal } of refusals(dump)) {
    const found = isLocal ? notHere : none;
    if (!found.has(service)) found.set(service, placeOf(chain, at));
  }
  for (const { chain, at, service, isDropped } of elements(dump)) {
    const found = isDropped ? notHere : none;
    if (!found.has(service)) found.set(service, placeOf(chain, at));
  }
  yield* findingOf('K8N501', none, 'no endpoints: connections are refused');
  yield* findingOf('K8N502', notHere, 'no endpoint on this node: traffic from outside is dropped here');
}

function* findingOf(id: FindingCode, services: ReadonlyMap<string, DumpPlace>, lack: string): Iterable<DumpFinding> {
  const [first] = services.keys();
  if (first === undefined) return;
  const names = [...services.keys()].slice(0, mostNamed).map(escapeText);
  const more = services.size > mostNamed ? ` and ${services.size - mostNamed} more` : '';
  const seen = `${names.join(', ')}${more} ${services.size === 1 ? 'has' : 'have'} ${lack}`;
  const found = [...services.values()].slice(0, mostNamed);
  const service = services.size === 1 ? { service: first } : {};
  yield { finding: makeFinding(id, { what: seen, found, ...service }), isForDumpsAlone: true };
}

const mostNamed = 10;

function* refusals({ iptables }: NodeRules) {
  for (const { tables, family } of iptables) {
    for (const table of tables.values()) {
      for (const chain of eachChain(table, suspectChains)) {
        for (const { rule, at } of pickRules(chain, family, { holds: ['endpoints"'] })) {
          const lack = / has no (local )?endpoints$/.exec(commentOf(rule) ?? '');
          const service = servicePortOfRule(rule);
          if (lack !== null && service !== '') yield { chain, at, service, isLocal: lack[1] !== undefined };
        }
      }
    }
  }
}

/** Elements name their Service in a comment; those of node ports belong to the same Services. */
function* elements({ nft }: NodeRules) {
  for (const { tables } of nft) {
    for (const { name, chains } of tables.values()) {
      const chain = isProxyTable(name) ? chains.get('map no-endpoint-services') : undefined;
      if (chain === undefined) continue;
      for (const { item, at } of nftElementsOf(chain)) {
        const [ip = '', protocol, port] = item.key;
        const service = item.comment ?? `${ip}:${port}/${protocol}`;
        yield { chain, at, service, isDropped: item.verdict?.kind === 'drop' };
      }
    }
  }
}
