import { base32Prefix } from '../../common/base32.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { isHashedServiceChain, serviceChainKind } from '../../netfilter/proxyChains.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import type { CatalogChain, RuleCatalog } from '../known/ruleCatalog.ts';
import { roleOf } from './roleOf.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** A chain that is not among the rules, described by rules that lead to it: a fragment names it without showing it. */
export function unseenChainFacts(name: string, { chains }: RuleCatalog): readonly WhoisFact[] {
  if (chains.some(({ chain }) => chain.name === name)) return [];
  const callers = chains.filter(({ leadsTo }) => leadsTo.includes(name));
  const [first] = callers;
  if (first === undefined) return [];
  const { table } = first.chain;
  const rule = first.chain.rules().find(({ steps }) => steps.some((step) => 'chain' in step && step.chain === name));
  const isService = isHashedServiceChain(name) || nftServiceName(name) !== undefined;
  const service = isService ? (servicePortInComment(rule?.comment) ?? first.service) : undefined;
  const of = service === undefined ? '' : ` of Service ${service}`;
  const by = firstFew(
    callers.map(({ chain }) => chain.name),
    3,
  );
  const missing = table.isPart ? 'the dump does not show its rules' : 'it is not there';
  return [
    {
      kind: 'chain',
      sentence: `${name} is ${roleOf(name)} in the table ${table.name}${of}; called by ${by}; ${missing}`,
      ...(service !== undefined && { service }),
      ...placeOf(rule),
    },
  ];
}

/**
 * A name that another version of kube-proxy gives to an existing chain. Since 1.19, the hash of an unnamed Service port
 * is made without the colon after the Service; chains with other purposes have the same hash after another prefix.
 */
export function otherNameFacts(name: string, { chains }: RuleCatalog): readonly WhoisFact[] {
  if (!isHashedServiceChain(name) || chains.some(({ chain }) => chain.name === name)) return [];
  const hash = name.slice(-16);
  const isEndpoint = serviceChainKind(name) === 'endpoint';
  for (const one of chains) {
    const { chain, service } = one;
    const kind = serviceChainKind(chain.name);
    if (kind === undefined || service === undefined || (kind === 'endpoint') !== isEndpoint) continue;
    const why = chain.name.endsWith(hash) ? ', which these rules do not have' : otherVersion(hash, one, isEndpoint);
    if (why === undefined) continue;
    return [
      {
        kind: 'guess',
        sentence: `${name} is the name of ${roleOf(name)} of Service ${service}${why}; here it has ${chain.name}`,
        service,
        ...placeOf(chain.rules()[0]),
      },
    ];
  }
  return [];
}

/** The Service port with this hash, made in this way. */
function otherVersion(hash: string, { service = '', targets }: CatalogChain, isEndpoint: boolean): string | undefined {
  const [plain = '', port = ''] = service.split(':');
  if (port !== '') return undefined;
  const isMadeOf = (seed: string) =>
    ['tcp', 'udp', 'sctp'].some((protocol) =>
      (isEndpoint ? targets : ['']).some((target) => base32Prefix(seed + protocol + target, 16) === hash),
    );
  if (isMadeOf(`${plain}:`)) return ', as kube-proxy through 1.18 names it';
  return isMadeOf(plain) ? ', as kube-proxy from 1.19 on names it' : undefined;
}
