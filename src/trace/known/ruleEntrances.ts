import { memoized } from '../../common/memoized.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import type { EntranceLine } from '../../netfilter/iptables/read/entranceLine.ts';
import { isPortmapChain } from '../../netfilter/isPortmapChain.ts';
import type { Branch, Step } from '../../netfilter/meaning.ts';
import { patternOf } from '../../netfilter/nft/meaning/keyMeaning.ts';
import { branchOf } from '../../netfilter/nft/meaning/statementMeaning.ts';
import { nftChainKind } from '../../netfilter/proxyChains.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import { isOfOneService } from '../../walk/input/isOfOneService.ts';
import { sharedWalkChains } from '../../walk/input/walkChains.ts';
import type { WalkChain, WalkInput, WalkRule } from '../../walk/input/walkInput.ts';
import { protocolNumbers } from '../question/protocolName.ts';
import { conditionsOf } from '../service/conditionsOf.ts';

/** A way into a Service: an address and port, or a node port. */
export interface CatalogEntrance {
  readonly address: Value | undefined;
  readonly protocol: number | undefined;
  readonly port: number | undefined;
  /** Empty: the rule itself rejects or drops. */
  readonly chain: string;
  /** The rule's comment: `shop/web:http cluster IP`. */
  readonly comment: string | undefined;
  readonly rule: WalkRule | undefined;
  readonly service: string | undefined;
  /** An element of a map leads there, not a rule. */
  readonly isInMap?: true;
}

/**
 * The ways into Services that rules and virtual servers open. kube-proxy's chains of single Services and endpoints open
 * none and are most of a large node, so they are not read.
 */
export const ruleEntrances = memoized((input: WalkInput): readonly CatalogEntrance[] => {
  const found: CatalogEntrance[] = [];
  for (const table of input.tables) {
    const marks = new Map<string, boolean>();
    const isMarking = (name: string): boolean => {
      // Chains of Services do more, and are many.
      if (isOfOneService({ name })) return false;
      const known = marks.get(name) ?? onlyMarks(table.chains.get(name));
      marks.set(name, known);
      return known;
    };
    for (const chain of sharedWalkChains(table.chains)) {
      if (isOfOneService(chain)) continue;
      // Host ports are ways to Pods.
      if (isPortmapChain(chain.name, table.name)) continue;
      // It drops what the source ranges of a load balancer did not admit, as chains of nftables mode do.
      if (chain.name === 'KUBE-PROXY-FIREWALL') continue;
      for (const rule of chain.rules()) {
        for (const entrance of entrancesOfRule(rule, input)) {
          if (!isMarking(entrance.chain) && nftChainKind(entrance.chain) !== 'firewall') found.push(entrance);
        }
      }
    }
  }
  for (const { address, protocol, port, text } of input.ipvs) {
    found.push({ address, protocol, port, chain: text, comment: undefined, rule: undefined, service: undefined });
  }
  return found;
});

/** A rule that only marks a packet leads nowhere, also where kube-proxy's chain for it was emptied. */
function onlyMarks(chain: WalkChain | undefined): boolean {
  if (chain === undefined) return false;
  const rules = chain.rules();
  if (rules.length === 0) return chain.name === 'KUBE-MARK-MASQ' || chain.name === 'KUBE-MARK-DROP';
  return (
    rules.some(({ steps }) => steps.length > 0) &&
    rules.every(({ steps }) => steps.every(({ kind }) => kind === 'assign'))
  );
}

/** The ways into Services that a rule opens, or closes: `chain` is empty if it rejects or drops itself. */
export function entrancesOfRule(rule: WalkRule, input: WalkInput): readonly CatalogEntrance[] {
  const service = servicePortInComment(rule.comment);
  if (rule.entrance !== undefined) return [shownEntrance(rule.entrance, rule, service)];
  const asked = askedOf(rule.steps);
  return rule.steps.flatMap((step): readonly CatalogEntrance[] => {
    switch (step.kind) {
      case 'verdict':
      case 'reject': {
        // A Service without endpoints has a rule that rejects its traffic.
        const isEnd = step.kind === 'reject' || step.verdict === 'drop';
        const isOfService = asked.port !== undefined && service !== undefined;
        return isEnd && isOfService ? [entranceOf(asked, '', rule, service)] : [];
      }
      case 'jump':
      case 'goto':
        return asked.port === undefined ? [] : [entranceOf(asked, step.chain, rule, service)];
      case 'verdictMap':
        return mapEntrances(step, rule, input);
      default:
        return [];
    }
  });
}

interface Asked {
  readonly address: Value | undefined;
  readonly protocol: number | undefined;
  readonly port: number | undefined;
}

/** The address, protocol and port that conditions match, as far as each is a single value. */
export function askedOf(steps: readonly Step[]): Asked {
  const conditions = conditionsOf(steps);
  const only = (field: string): Value | undefined => {
    for (const condition of conditions) {
      if (
        condition.kind !== 'values' ||
        condition.field !== field ||
        condition.isOutside ||
        condition.mask !== undefined
      )
        continue;
      const [range, ...more] = condition.ranges;
      if (range !== undefined && more.length === 0 && range.first === range.last) return range.first;
    }
    return undefined;
  };
  const [protocol, port] = [only('protocol'), only('destinationPort')];
  return {
    address: only('destination'),
    protocol: protocol === undefined ? undefined : Number(protocol),
    port: port === undefined ? undefined : Number(port),
  };
}

function shownEntrance(
  { destination: address, protocol: name, destinationPort: port, jump }: EntranceLine,
  rule: WalkRule,
  service: string | undefined,
): CatalogEntrance {
  return { address, protocol: protocolNumbers.get(name), port, chain: jump, comment: rule.comment, rule, service };
}

function entranceOf(asked: Asked, chain: string, rule: WalkRule, service: string | undefined): CatalogEntrance {
  return { ...asked, chain, comment: rule.comment, rule, service };
}

/** Elements of a verdict map, `10.0.0.1 . tcp . 80 : goto service-…`, are entrances too. */
function mapEntrances(
  step: Extract<Step, { kind: 'verdictMap' }>,
  rule: WalkRule,
  input: WalkInput,
): readonly CatalogEntrance[] {
  if (typeof step.map !== 'string') {
    return step.map.flatMap(({ value }) => (value.kind === 'verdict' ? [] : [calledOnly(value, rule)]));
  }
  const set = rule.chain.table.sets.get(step.map);
  return (set?.elements ?? []).flatMap((element): CatalogEntrance[] => {
    const pattern = patternOf(element.key, step.key);
    const branch = branchOf(element);
    if (pattern === undefined || branch === undefined) return [];
    const named = servicePortInComment(element.comment);
    // Packets to a Service without endpoints are dropped, or sent to a chain that serves all such Services.
    if (branch.kind === 'verdict' && (branch.verdict !== 'drop' || named === undefined)) return [];
    const chain = branch.kind === 'verdict' ? '' : branch.chain;
    const part = (field: string): Value | undefined => {
      const at = step.key.findIndex((one) => one.kind === 'field' && one.field === field);
      const own = pattern[at];
      return own !== undefined && 'first' in own && own.first === own.last ? own.first : undefined;
    };
    const [address, protocol, port] = [part('destination'), part('protocol'), part('destinationPort')];
    // Rules of policies have maps of addresses alone: those of Pods.
    if (port === undefined) return [];
    if (address !== undefined && (typeof address === 'bigint') !== (input.family === 'ipv6')) return [];
    return [
      {
        address,
        protocol: protocol === undefined ? undefined : Number(protocol),
        port: Number(port),
        chain,
        comment: element.comment,
        rule,
        service: nftServiceName(chain) ?? named,
        isInMap: true,
      },
    ];
  });
}

function calledOnly(branch: Exclude<Branch, { kind: 'verdict' }>, rule: WalkRule): CatalogEntrance {
  return {
    address: undefined,
    protocol: undefined,
    port: undefined,
    chain: branch.chain,
    comment: undefined,
    rule,
    service: nftServiceName(branch.chain),
    isInMap: true,
  };
}
