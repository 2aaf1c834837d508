import type { WalkInput } from '../../walk/walkInput.ts';
import { closedNodePort } from '../closedNodePort.ts';
import type { NamedDestination } from '../namedThings.ts';
import type { RuleCatalog } from '../ruleCatalog.ts';
import type { CatalogEntrance } from '../ruleEntrances.ts';
import { isHostAddress } from '../why/isHostAddress.ts';
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

/** A node port that objects have, and no rule of this node. */
export function closedFacts(
  name: string,
  catalogs: readonly { readonly catalog: RuleCatalog }[],
  destinations: readonly NamedDestination[],
): readonly WhoisFact[] {
  const found = catalogs.map(({ catalog }) => catalog).filter(({ entrances }) => entrances.length > 0);
  return destinations
    .filter(({ kind, port }) => kind === 'nodePort' && String(port) === name)
    .flatMap(({ port, protocol, service }) =>
      found.map((catalog): WhoisFact => {
        const { sentence, moved } = closedNodePort(port, protocol, service, catalog);
        return { kind: 'closed', sentence: sentence.replace(/\.$/, ''), service, ...placeOf(moved?.rule) };
      }),
    );
}
