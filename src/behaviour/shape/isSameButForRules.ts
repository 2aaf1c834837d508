import { compareBytes } from '../../common/compareBytes.ts';
import { sameData } from '../../common/sameData.ts';
import type { Topology } from '../../walk/input/topology.ts';
import type { WalkInput, WalkSet, WalkTable } from '../../walk/input/walkInput.ts';
import type { ComparedFamily } from '../comparedPair.ts';
import { pairedTables } from './pairedTables.ts';
import { isSameBase, isSameText } from './sameChains.ts';

/**
 * The two sides have one network, the same tables, sets, virtual servers and connections, and the same rules of nft; all of
 * it is shown. Chains of iptables are not looked into.
 */
export function isSameButForRules({ contexts }: ComparedFamily): boolean {
  const [one, other] = [contexts[0].input, contexts[1].input];
  if (hidesSomething(one) || hidesSomething(other)) return false;
  return (
    one === other ||
    (isSameTopology(one.topology, other.topology) &&
      sameData(one.connections, other.connections) &&
      sameData(one.assumed, other.assumed) &&
      sameData([...one.ipsets.values()], [...other.ipsets.values()]) &&
      sameData(one.ipvs, other.ipvs) &&
      pairedTables(one.tables, other.tables)?.every(
        ([table, twin]) => table.tool === 'iptables' || hasSameContent(table, twin),
      ) === true)
  );
}

function hidesSomething({ hidesServers, tables }: WalkInput): boolean {
  return hidesServers === true || tables.some(({ isPart }) => isPart);
}

function isSameTopology(one: Topology, other: Topology): boolean {
  const { interfaces, sysctls, assumed, ...rest } = one;
  const { interfaces: ofOther, sysctls: sysctlsOfOther, assumed: assumedOfOther, ...restOfOther } = other;
  return (
    sameData([...interfaces], [...ofOther]) &&
    sameData([...sysctls].sort(byName), [...sysctlsOfOther].sort(byName)) &&
    sameData([...assumed], [...assumedOfOther]) &&
    sameData(rest, restOfOther)
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return compareBytes(one, other);
}

/** Of a table of nft. */
function hasSameContent(one: WalkTable, other: WalkTable): boolean {
  let count = 0;
  for (const chain of one.chains.values()) {
    const twin = other.chains.get(chain.name);
    if (twin === undefined || !isSameBase(chain, twin) || !isSameText(chain, twin)) return false;
    count += 1;
  }
  if (count !== other.chains.size) return false;
  const sets: readonly WalkSet[] = [...one.sets.values()];
  return sets.length === other.sets.size && sets.every((set) => sameData(set, other.sets.get(set.name)));
}
