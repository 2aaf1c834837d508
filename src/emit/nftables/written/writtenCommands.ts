import { type KeptInOrder, keptInOrder } from '../../../common/keptInOrder.ts';
import { lastFew } from '../../../common/lastFew.ts';
import { sameItems } from '../../../common/sameItems.ts';
import { flatText } from '../../../common/text/flatText.ts';
import type { NftablesDialect } from '../../../dialect/nftables/nftablesDialect.ts';
import type { NftCommand } from '../../../netfilter/nft/command.ts';
import { writeTransaction } from '../../../netfilter/nft/write/writeTransaction.ts';
import type { NodePlan, Plan, ServicePlan } from '../../../plan/plan.ts';
import { sharedNodePlan } from '../../../plan/sharedNodePlan.ts';
import type { KnownClaims } from '../reportUnloadable.ts';
import { emitServicePort } from '../servicePort.ts';
import { emitSkeleton } from '../skeleton.ts';
import { type ProxyTable, proxyTable } from '../table.ts';

/** What was written for nft before, for another node or an earlier state of the objects, by the identity of the plan. */
export interface WrittenCommands {
  /**
   * The text for `nft -f`, as `writeTransaction(emitNftables(…))` gives it. Undefined: two Services have an element of a
   * set in common, and what is written for one depends on the other.
   */
  readonly transaction: (plan: Plan, dialect: NftablesDialect) => readonly string[] | undefined;
  /** For `reportUnloadable`. */
  readonly claims: (plan: Plan, dialect: NftablesDialect) => KnownClaims;
}

/** What a Service adds: its ports share elements, such as that of its cluster IP. */
interface WrittenService {
  readonly ports: readonly ServicePlan[];
  readonly text: string;
  /** Its elements: the set and the key. */
  readonly elements: readonly string[];
}

export function writtenCommands(): WrittenCommands {
  const bySettings = lastFew<Kept>();
  const keptOf = ({ family, node }: Plan, dialect: NftablesDialect) =>
    bySettings.of(JSON.stringify([family, sharedNodePlan(node), dialect]), () => ({
      services: keptInOrder(),
      claims: new WeakMap(),
    }));
  return {
    claims: (plan, dialect) => keptOf(plan, dialect).claims,
    transaction: (plan, dialect) => {
      const { family, node, services } = plan;
      const known = keptOf(plan, dialect).services.pass();
      const skeleton = written([], emitSkeleton(proxyTable(family, dialect), node));
      const pieces = [skeleton.text];
      const elements = new Set(skeleton.elements);
      for (const ports of byService(services)) {
        const [first] = ports as readonly [ServicePlan];
        const earlier = known.get(first);
        const own =
          earlier !== undefined && sameItems(earlier.ports, ports)
            ? earlier
            : written(ports, emitPorts(proxyTable(family, dialect), node, ports));
        if (own !== earlier) known.set(first, own);
        pieces.push(own.text);
        for (const element of own.elements) {
          if (elements.has(element)) return undefined;
          elements.add(element);
        }
      }
      return pieces;
    },
  };
}

/** Under the settings of a node. */
interface Kept {
  /** By the first port of the Service. */
  readonly services: KeptInOrder<ServicePlan, WrittenService>;
  readonly claims: KnownClaims;
}

/** The ports of a Service follow each other in a plan. */
function byService(services: readonly ServicePlan[]): readonly (readonly ServicePlan[])[] {
  const all: ServicePlan[][] = [];
  let last: ServicePlan[] | undefined;
  for (const service of services) {
    const [first] = last ?? [];
    if (last !== undefined && first?.port.name === service.port.name && first.port.namespace === service.port.namespace)
      last.push(service);
    else {
      last = [service];
      all.push(last);
    }
  }
  return all;
}

function* emitPorts(table: ProxyTable, node: NodePlan, ports: readonly ServicePlan[]): Generator<NftCommand> {
  for (const port of ports) yield* emitServicePort(table, node, port);
}

function written(ports: readonly ServicePlan[], commands: Iterable<NftCommand>): WrittenService {
  const all = [...commands];
  const elements = new Set<string>();
  for (const command of all) {
    if (command.object !== 'element') continue;
    for (const { key } of command.elements) elements.add(`${command.set} ${key.join(' . ')}`);
  }
  return { ports, text: flatText([...writeTransaction(all)].join('')), elements: [...elements] };
}
