import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import type { IpSet, IpsetState } from '../netfilter/ipset/ast.ts';
import { canonicalSet } from '../netfilter/ipset/canonicalSet.ts';
import { isIpv6SetName } from '../netfilter/ipset/proxySets.ts';
import type { IpvsState, ServiceAddress, VirtualService } from '../netfilter/ipvs/ast.ts';
import { addLines, newChain } from './chains/chainDraft.ts';
import { chainsIn } from './chains/chainsIn.ts';
import type { RuleTable, ToolRules } from './nodeRules.ts';
import type { RuleChain } from './ruleChain.ts';

/**
 * Sets by family: each set is a chain, its type and members are the lines. Sets without a family (`bitmap:port`) count
 * as IPv4. One whose members are not all shown is left out, as if it was not given: what it lacks is no fault.
 */
export function ipsetRules(state: IpsetState, file: string): readonly ToolRules[] {
  const chains: Record<Family, Map<string, RuleChain>> = { ipv4: new Map(), ipv6: new Map() };
  for (const set of state.sets.filter(({ isCut }) => !isCut).map(canonicalSet)) {
    const inet = set.options.find(({ name }) => name === 'family')?.value;
    const isSix = inet === undefined ? isIpv6SetName(set.name) : inet === 'inet6';
    const chain = newChain(set.name, file);
    chain.isDeclared = true;
    chain.declaredAt = set.line ?? 0;
    chain.content = { kind: 'ipset', set };
    addLines(chain, `type ${set.type}`, set.line ?? 0);
    for (const { member, options, line } of set.members) {
      addLines(chain, [member, ...options.map(({ name }) => name)].join(' '), line ?? 0);
    }
    chains[isSix ? 'ipv6' : 'ipv4'].set(set.name, chain);
  }
  const isWhole = !state.sets.some(({ isCut }) => isCut);
  return asSets('ipset', chains, file, { isWhole, ...(state.hasUnreadLines && unreadLines) });
}

/** Virtual services by family: each is a chain; its scheduler, persistence and servers are the lines. */
export function ipvsRules(state: IpvsState, file: string): readonly ToolRules[] {
  const chains: Record<Family, Map<string, RuleChain>> = { ipv4: new Map(), ipv6: new Map() };
  for (const service of state.services) {
    const name = addressText(service.address);
    const chain = newChain(name, file);
    chain.isDeclared = true;
    chain.declaredAt = service.line ?? 0;
    chain.content = { kind: 'virtualServer', service };
    const lines = service.isCounted
      ? []
      : [
          [`scheduler ${service.scheduler}`, ...service.flags].join(' '),
          ...(service.persistence ? [`persistence ${service.persistence.seconds} s`] : []),
        ];
    for (const line of lines) {
      addLines(chain, line, service.line ?? 0);
    }
    for (const server of service.servers) {
      const forward = typeof server.forward === 'string' ? server.forward : server.forward.kind;
      const ip = server.ip.includes(':') ? `[${server.ip}]` : server.ip;
      addLines(chain, `server ${ip}:${server.port} ${forward} weight ${server.weight}`, server.line ?? 0);
    }
    chains[familyOfAddress(service.address)].set(name, chain);
  }
  return asSets('ipvs', chains, file, state.hasUnreadLines ? unreadLines : { isWhole: true });
}

/** The virtual services of such rules. */
export function virtualServicesIn(rules: readonly ToolRules[]): readonly VirtualService[] {
  return contentsIn(rules).flatMap((content) => (content?.kind === 'virtualServer' ? content.service : []));
}

/** The sets of such rules. */
export function ipsetsIn(rules: readonly ToolRules[]): readonly IpSet[] {
  return contentsIn(rules).flatMap((content) => (content?.kind === 'ipset' ? content.set : []));
}

function contentsIn(rules: readonly ToolRules[]): readonly RuleChain['content'][] {
  return chainsIn(rules).map(({ content }) => content);
}

function asSets(
  kind: 'ipset' | 'ipvs',
  chains: Readonly<Record<Family, Map<string, RuleChain>>>,
  file: string,
  shown: Pick<RuleTable, 'isWhole' | 'cut' | 'hasLostLines'>,
): readonly ToolRules[] {
  return (['ipv4', 'ipv6'] as const)
    .filter((family) => chains[family].size > 0)
    .map((family) => ({
      kind,
      family,
      tables: new Map([[kind, { name: kind, ...shown, chains: chains[family] }]]),
      files: [file],
    }));
}

const unreadLines = { isWhole: false, cut: 'lines of it could not be read', hasLostLines: true } as const;

function familyOfAddress(address: ServiceAddress): Family {
  return address.kind === 'mark' ? address.family : (familyOf(address.ip) as Family);
}

function addressText(address: ServiceAddress): string {
  if (address.kind === 'mark') return `fwmark ${address.mark}`;
  const ip = address.ip.includes(':') ? `[${address.ip}]` : address.ip;
  return `${ip}:${address.port}/${address.protocol}`;
}
