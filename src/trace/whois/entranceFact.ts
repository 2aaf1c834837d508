import type { WalkInput } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import type { CatalogEntrance } from '../known/ruleEntrances.ts';
import { protocolName } from '../question/protocolName.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** A way into a Service: its owner, and where it leads. */
export function entranceFact(entrance: CatalogEntrance, catalog: RuleCatalog, ipvs: WalkInput['ipvs']): WhoisFact {
  const chain = catalog.chains.find((one) => one.chain.name === entrance.chain);
  const service = entrance.service ?? chain?.service;
  const virtual = ipvs.find(({ text }) => text === entrance.chain);
  const ends = virtual
    ? virtual.servers.map((server) => endText(server.address, server.port))
    : targetsBelow(entrance.chain, catalog);
  if (entrance.chain === '') {
    return {
      kind: 'entrance',
      sentence: `${entranceText(entrance)} is of Service ${service}: a rule refuses or drops it (${entrance.comment})`,
      ...(service !== undefined && { service }),
      ...placeOf(entrance.rule),
    };
  }
  const to = ends.length === 0 ? 'no endpoint' : ends.join(', ');
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

/** Where packets that enter a chain end. */
export function targetsBelow(name: string, catalog: RuleCatalog): readonly string[] {
  const byName = new Map(catalog.chains.map((chain) => [chain.chain.name, chain]));
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const chain = byName.get(next);
    for (const target of chain?.targets ?? []) found.add(target);
    for (const further of chain?.leadsTo ?? []) open.push(further);
  }
  return [...found].sort();
}
