import { escapeText } from '../../common/escapeText.ts';
import { type DumpPlace, linesOf, placeOf } from '../../node/chainLines.ts';
import { isProxyTable } from '../../node/foreignPrograms.ts';
import type { NodeRules, RuleChain } from '../../node/nodeRules.ts';
import { servicePortInLine } from '../../node/servicePortInLine.ts';
import type { FindingId } from '../finding.ts';
import { makeFinding } from '../makeFinding.ts';
import type { DumpFinding } from './dumpFinding.ts';

/**
 * K8N501 and 502 without manifests: Services whose traffic is refused or dropped because they have no endpoints, or none
 * on this node, as rules and elements say of themselves. One finding each.
 */
export function* refusedChecks(dump: NodeRules): Iterable<DumpFinding> {
  const none = new Map<string, DumpPlace>();
  const notHere = new Map<string, DumpPlace>();
  const add = (line: string, place: DumpPlace) => {
    const text = /"([^"]*) has no (local )?endpoints"/.exec(line);
    const service = text === null ? '' : servicePortInLine(line);
    if (service === '') return;
    const found = text?.[2] === undefined ? none : notHere;
    if (!found.has(service)) found.set(service, place);
  };
  for (const { chain, at, line } of refusals(dump)) add(line, placeOf(chain, at));
  for (const [chain, at, service] of elements(dump)) {
    const found = / : drop$/.test(linesOf(chain)[at] ?? '') ? notHere : none;
    if (!found.has(service)) found.set(service, placeOf(chain, at));
  }
  yield* findingOf('K8N501', none, 'no endpoints: connections are refused');
  yield* findingOf('K8N502', notHere, 'no endpoint on this node: traffic from outside is dropped here');
}

function* findingOf(id: FindingId, services: ReadonlyMap<string, DumpPlace>, lack: string): Iterable<DumpFinding> {
  const [first] = services.keys();
  if (first === undefined) return;
  const names = [...services.keys()].slice(0, mostNamed).map(escapeText);
  const more = services.size > mostNamed ? ` and ${services.size - mostNamed} more` : '';
  const seen = `${names.join(', ')}${more} ${services.size === 1 ? 'has' : 'have'} ${lack}`;
  const found = [...services.values()].slice(0, mostNamed);
  const service = services.size === 1 ? { service: first } : {};
  yield { finding: makeFinding(id, { seen, found, ...service }), about: '', isForDumpsAlone: true };
}

const mostNamed = 10;

function* refusals({ iptables }: NodeRules) {
  for (const { tables } of iptables) {
    for (const { chains } of tables.values()) {
      for (const chain of chains.values()) {
        if (!chain.text.includes('endpoints"')) continue;
        for (const [at, line] of linesOf(chain).entries()) yield { chain, at, line };
      }
    }
  }
}

/** Elements name their Service in a comment; those of node ports are of the same Services. */
function* elements({ nft }: NodeRules): Iterable<readonly [RuleChain, number, string]> {
  for (const { tables } of nft) {
    for (const { name, chains } of tables.values()) {
      const chain = isProxyTable(name) ? chains.get('map no-endpoint-services') : undefined;
      if (chain?.content?.kind !== 'nftSet') continue;
      for (const [at, { key, comment }] of (chain.content.set.elements ?? []).entries()) {
        const [ip = '', protocol, port] = key;
        yield [chain, at, comment ?? `${ip}:${port}/${protocol}`];
      }
    }
  }
}
