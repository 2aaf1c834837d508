import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import { protocolsByWord } from '../../common/addresses/protocol.ts';
import { readIpPort } from '../../common/addresses/readIpPort.ts';
import { memoized } from '../../common/memoized.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { type RuleView, ruleView } from '../../netfilter/iptables/print/ruleView.ts';
import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { ruleOf, rulesOf, targetName } from '../../node/rulesOf.ts';
import type { SeenAddress } from '../ports/seenPort.ts';

/** What a chain of a Service port holds: KUBE-SVC, KUBE-SVL, KUBE-XLB, KUBE-EXT or KUBE-FW. */
export interface SeenChain {
  /** In the order in which traffic is balanced over them. */
  readonly endpoints: readonly SeenAddress[];
  /** Endpoints that only affinity leads to. */
  readonly stickyOnly: readonly SeenAddress[];
  /** Chains of endpoints that its rules lead to. */
  readonly chains: readonly string[];
  /** How many of these do not show an endpoint. */
  readonly lost: number;
  readonly affinitySeconds: number | undefined;
  /** Read off the first rule that leads to an endpoint. */
  readonly comment: string;
  /** All rules except those that lead to endpoints. */
  readonly others: readonly RuleView[];
}

/** An endpoint as its chain shows it. */
export interface EndpointChain extends SeenAddress {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP' | undefined;
  /** Read off the rule that translates. */
  readonly comment: string;
  readonly hasAffinity: boolean;
}

/** Reads the chains of Services, each once, and those of endpoints. */
export interface ChainReader {
  readonly service: (name: string) => SeenChain | undefined;
  readonly endpoint: (name: string) => EndpointChain | undefined;
}

export const chainReader = memoized(({ tables, family }: ToolRules): ChainReader => {
  const nat = tables.get('nat');
  const services = new Map<string, SeenChain | undefined>();
  const reader: ChainReader = {
    service: (name) => {
      if (services.has(name)) return services.get(name);
      const chain = nat?.chains.get(name);
      const read = chain && serviceChain(chain, family, reader);
      services.set(name, read);
      return read;
    },
    // Few are asked for twice, and there are very many.
    endpoint: (name) => {
      const chain = nat?.chains.get(name);
      return chain && endpointChain(chain, family);
    },
  };
  return reader;
});

const toEndpoint = chainPrefixes.endpoint;

/**
 * Most rules lead to an endpoint, and only the chain after `-j` matters in them. The first is parsed, to learn whether
 * the chain remembers clients. Comments of IPv6 endpoints show how their addresses are written.
 */
function serviceChain(chain: RuleChain, family: Family, reader: ChainReader): SeenChain {
  const others: RuleView[] = [];
  const balanced = new Map<string, string>();
  const sticky: string[] = [];
  let affinitySeconds: number | undefined;
  let isPlain = false;
  let first: string | undefined;
  for (const line of linesOf(chain)) {
    const target = targetName(line);
    if (!target.startsWith(toEndpoint)) {
      others.push(ruleView(ruleOf(line, family)));
      continue;
    }
    if (isPlain) {
      balanced.set(target, '');
      continue;
    }
    const { recent, comment } = ruleView(ruleOf(line, family));
    first ??= comment;
    if (recent?.action === 'rcheck' || recent?.action === 'update') {
      affinitySeconds = recent.seconds ?? affinitySeconds;
      sticky.push(target);
    } else {
      isPlain = family === 'ipv4' && sticky.length === 0;
      balanced.set(target, comment);
    }
  }
  const found: SeenAddress[] = [];
  for (const [name, comment] of balanced) {
    const endpoint = reader.endpoint(name);
    const address = endpoint === undefined ? fromComment(comment) : withWrittenIp(endpoint, comment);
    if (address !== undefined) found.push(address);
  }
  const stickyOnly = sticky.filter((name) => !balanced.has(name)).flatMap((name) => reader.endpoint(name) ?? []);
  const lost = balanced.size - found.length;
  const chains = [...new Set([...sticky, ...balanced.keys()])];
  return { endpoints: found, stickyOnly, chains, lost, affinitySeconds, comment: first ?? '', others };
}

/** Since 1.24 the comment of a rule that balances names the endpoint: `shop/web:http -> 10.244.1.7:8080`. */
function fromComment(comment: string): SeenAddress | undefined {
  const at = comment.indexOf(arrow);
  return at === -1 ? undefined : readIpPort(comment.slice(at + arrow.length));
}

const arrow = ' -> ';

function withWrittenIp(endpoint: EndpointChain, comment: string): SeenAddress {
  if (comment === '' || !endpoint.ip.includes(':')) return endpoint;
  const named = fromComment(comment);
  const isSame = named?.port === endpoint.port && canonicalIp(named.ip) === endpoint.ip;
  return isSame && named.ip !== endpoint.ip ? named : endpoint;
}

/** The rule that translates is the last one. There are very many chains, so they are not split into lines. */
function endpointChain(chain: RuleChain, family: Family): EndpointChain | undefined {
  const last = chain.text.slice(chain.text.lastIndexOf('\n') + 1);
  return (
    endpointOf(ruleOf(last, family)) ??
    rulesOf(chain, family)
      .map(endpointOf)
      .find((found) => found !== undefined)
  );
}

function endpointOf({ words, target }: Rule): EndpointChain | undefined {
  const address = target?.kind === 'dnat' ? readIpPort(target.to) : undefined;
  if (address === undefined) return undefined;
  let protocol: EndpointChain['protocol'];
  let comment = '';
  let hasAffinity = false;
  for (const word of words) {
    if (word.kind === 'protocol') protocol = protocolsByWord.get(word.protocol);
    else if (word.kind === 'comment') comment = word.text;
    else if (word.kind === 'recent') hasAffinity = true;
  }
  return { ip: address.ip, port: address.port, protocol, comment, hasAffinity };
}
