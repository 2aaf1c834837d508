import { firstFew } from '../../common/text/firstFew.ts';
import type { WalkChain, WalkInput } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import type { CatalogEntrance } from '../known/ruleEntrances.ts';
import { protocolName } from '../question/protocolName.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** A way into a Service: its owner, and where it leads. */
export function entranceFact(entrance: CatalogEntrance, catalog: RuleCatalog, ipvs: WalkInput['ipvs']): WhoisFact {
  const chain = entrance.rule?.chain.table.chains.get(entrance.chain);
  const service = entrance.service ?? (chain && catalog.byChain.get(chain)?.service);
  const virtual = ipvs.find(({ text }) => text === entrance.chain);
  const ends = virtual
    ? virtual.servers.map((server) => endText(server.address, server.port))
    : targetsBelow(chain, catalog);
  if (entrance.chain === '') {
    return {
      kind: 'entrance',
      sentence: `${entranceText(entrance)} is of Service ${service}: a rule refuses or drops it (${entrance.comment})`,
      ...(service !== undefined && { service }),
      ...placeOf(entrance.rule),
    };
  }
  const to = ends.length === 0 ? 'no endpoint' : fewEnds(ends);
  const by = virtual ? `IPVS (${virtual.scheduler})` : entrance.chain;
  return {
    kind: 'entrance',
    sentence: `${entranceText(entrance)}${service === undefined ? '' : ` is of Service ${service}`}: ${by} sends to ${to}`,
    ...(service !== undefined && { service }),
    ...placeOf(entrance.rule),
  };
}

/** `cluster IP 10.96.0.10:53/udp`. */
export function entranceText({ address, protocol, port, comment }: CatalogEntrance): string {
  const kind = /(cluster IP|external IP|load ?balancer IP)/.exec(comment ?? '')?.[1];
  const what = address === undefined ? 'node port' : (kind ?? 'address');
  const end = address === undefined ? String(port) : endText(address, port);
  return `${what} ${end}${protocol === undefined ? '' : `/${protocolName(protocol)}`}`;
}

/** Where packets that enter a chain end, in order. */
export function targetsBelow(chain: WalkChain | undefined, { byChain }: RuleCatalog): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<WalkChain>();
  const open = [chain];
  while (open.length > 0) {
    const next = open.pop();
    if (next === undefined || seen.has(next)) continue;
    seen.add(next);
    const { targets, leadsTo } = byChain.get(next) ?? { targets: [], leadsTo: [] };
    for (const target of targets) found.add(target);
    // A table of nat and one of filter may have chains of the same name.
    for (const further of leadsTo) open.push(next.table.chains.get(further));
  }
  return [...found].sort();
}

/** As many as a sentence names; KUBE-SERVICES leads to all. */
export function fewEnds(ends: readonly string[]): string {
  return firstFew(ends, 20);
}
