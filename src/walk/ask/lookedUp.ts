import type { Value } from '../../common/ranges/valueRange.ts';
import { cut, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { KeyPart } from '../../netfilter/meaning.ts';
import { stateBits } from '../../netfilter/nft/meaning/connectionBits.ts';
import { routeTypeNumbers } from '../../netfilter/nft/values/routeTypeNumbers.ts';
import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { interfaceOf } from '../interfaceOf.ts';
import { addressTypes } from './addressTypes.ts';
import { hasRoute } from './askDevice.ts';
import { type FieldPlace, fieldPlace, valuesAt } from './narrow.ts';

/** The value of a key for this flow, part by part: values, the name of an interface, or nothing. */
export function lookedUp(flow: Flow, part: KeyPart, context: WalkContext): ValueSet | string | undefined {
  switch (part.kind) {
    case 'field': {
      const place = fieldPlace(flow, part.field);
      return place && valuesAt(flow, place);
    }
    case 'interface':
      return interfaceOf(flow, part.side);
    case 'state':
      return [numbered(stateBits.get(flow.connection.state) ?? 0)];
    case 'addressType': {
      const types = addressTypes(flow, part.side, part.via, context);
      const place: FieldPlace = { kind: 'packet', dimension: part.side };
      const own = [...types].find(([, ranges]) => cut(valuesAt(flow, place), ranges).inside.length > 0);
      return [numbered(routeTypeNumbers.get(own?.[0] ?? 'unicast') ?? 1)];
    }
    case 'nextHop': {
      const hop = flow.newRoute?.nextHop ?? flow.nextHop;
      return hasRoute(flow) ? (hop === undefined ? flow.packet.destination : [numbered(hop)]) : undefined;
    }
    case 'generator':
    case 'unknown':
      return undefined;
  }
}

function numbered(value: Value): { readonly first: Value; readonly last: Value } {
  return { first: value, last: value };
}
