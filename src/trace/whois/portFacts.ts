import type { WalkInput } from '../../walk/input/walkInput.ts';
import { isHostAddress } from '../../walk/isHostAddress.ts';
import { closedNodePort } from '../known/closedNodePort.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import type { CatalogEntrance } from '../known/ruleEntrances.ts';
import type { NamedDestination } from '../question/namedThings.ts';
import { entranceFact } from './entranceFact.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** A number as a node port of this node. */
export function portFacts(port: number, input: WalkInput, catalog: RuleCatalog): readonly WhoisFact[] {
  return catalog.entrances
    .filter((entrance) => entrance.port === port && isOfNode(entrance, input))
    .map((entrance) => entranceFact(entrance, catalog, input.ipvs));
}

/** IPVS mode has a node port at each address of the node. */
function isOfNode({ address }: CatalogEntrance, input: WalkInput): boolean {
  return address === undefined || (input.ipvs.length > 0 && isHostAddress(address, input));
}

/** A number that is not a node port in the rules of this node, whether or not objects have it. */
export function closedFacts(
  name: string,
  catalogs: readonly { readonly catalog: RuleCatalog }[],
  destinations: readonly NamedDestination[],
): readonly WhoisFact[] {
  const found = catalogs.map(({ catalog }) => catalog).filter(({ entrances }) => entrances.length > 0);
  const asked = destinations.filter(({ kind, port }) => kind === 'nodePort' && String(port) === name);
  if (asked.length === 0 && isPort(name) && found.length > 0) return [unknownPort(name, found)];
  return asked.flatMap(({ port, protocol, service }) =>
    found.map((catalog): WhoisFact => {
      const { sentence, moved } = closedNodePort(port, protocol, service, catalog.entrances);
      return { kind: 'closed', sentence: sentence.replace(/\.$/, ''), service, ...placeOf(moved?.rule) };
    }),
  );
}

function isPort(name: string): boolean {
  return /^\d{1,5}$/.test(name) && Number(name) > 0 && Number(name) < 65_536;
}

/** Half a dump may lack it. */
function unknownPort(name: string, catalogs: readonly RuleCatalog[]): WhoisFact {
  const isPart = catalogs.some(({ chains }) => chains.some(({ chain }) => chain.table.isPart));
  const part = isPart ? '; the dump shows a part of the rules only' : '';
  return { kind: 'closed', sentence: `${name} is no node port by the rules of this node${part}` };
}
