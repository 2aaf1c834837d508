import { isOrdinaryAddress } from '../../validate/fields/addresses.ts';
import { dns1123LabelProblem, dns1123SubdomainProblem } from '../../validate/fields/names.ts';
import { type EndpointShape, type ShapeText, shapeOf } from './endpointShape.ts';
import { type NodeNumbers, nextHash, nodeNumbers } from './nodeNumbers.ts';

/**
 * Reads endpoints of EndpointSlices from the bytes of their JSON by the shapes that earlier ones had: where the text
 * between the values is the same, it is neither parsed nor checked again, and only the values are looked at.
 */
export interface EndpointReader {
  /**
   * Adds the endpoint that begins there, and gives the place behind it. -1: nothing was added, because it is not of a
   * usual shape, or something is said about it. `view`: of the same bytes.
   */
  readonly read: (bytes: Buffer, view: DataView, at: number, to: EndpointColumn) => number;
}

/** Where endpoints are added. */
export interface EndpointColumn {
  readonly addresses: string[];
  readonly stateOf: number[];
}

/** The state of an endpoint without its node's name. */
type StateNumber = (shape: EndpointShape, nodeName: string | undefined) => number;

/** `isSound`: nothing is said about such an endpoint in a slice that is in order. `numberOf`: the number of a state. */
export function endpointReader(isSound: (shape: EndpointShape) => boolean, numberOf: StateNumber): EndpointReader {
  const nodes = nodeNumbers((name) => dns1123SubdomainProblem(name) === undefined);
  const known: KnownShape[] = [];
  let failures = 0;
  const found: Found = { address: '', node: none };

  const learn = (bytes: Buffer, at: number): KnownShape | undefined => {
    if (known.length === mostShapes || failures === mostFailures) return undefined;
    const shape = shapeOf(bytes.subarray(at));
    if (shape === undefined || !isSound(shape)) {
      failures += 1;
      return undefined;
    }
    const added = { shape, states: [] };
    known.push(added);
    return added;
  };

  const take = (bytes: Buffer, view: DataView, at: number, one: KnownShape, to: EndpointColumn): number => {
    const end = findValues(bytes, view, at, one.shape, nodes, found);
    if (end === -1) return -1;
    one.states[found.node + 1] ??= numberOf(one.shape, nodes.names[found.node]);
    to.addresses.push(found.address);
    to.stateOf.push(one.states[found.node + 1] as number);
    return end;
  };

  return {
    read: (bytes, view, at, to) => {
      for (let index = 0; index < known.length; index += 1) {
        const one = known[index] as KnownShape;
        const end = take(bytes, view, at, one, to);
        if (end === -1) continue;
        // The next one is likely to have the same shape.
        if (index > 0) {
          known[index] = known[0] as KnownShape;
          known[0] = one;
        }
        return end;
      }
      const added = learn(bytes, at);
      return added === undefined ? -1 : take(bytes, view, at, added, to);
    },
  };
}

interface KnownShape {
  readonly shape: EndpointShape;
  /** Numbers of states: without a node, then by the number of the node. */
  readonly states: number[];
}

/** A cluster has a few: with and without a node, ready or not, hints for each zone. */
const mostShapes = 64;

/** Where endpoints are of no shape, or unsound, to find that out again and again takes longer than to parse them. */
const mostFailures = 256;

const none = -1;
const quote = 0x22;
const backslash = 0x5c;

/** What counts of one endpoint: `node` is the number of its node's name, if there is a cut for it. */
interface Found {
  address: string;
  node: number;
}

/** The place behind an endpoint of this shape; -1: it is not of this shape, or has a value that something is said about. */
function findValues(
  bytes: Buffer,
  view: DataView,
  start: number,
  { cuts, end }: EndpointShape,
  nodes: NodeNumbers,
  found: Found,
): number {
  let at = start;
  found.node = none;
  for (const { before, value } of cuts) {
    if (!holds(bytes, view, at, before)) return -1;
    at += before.bytes.length;
    const first = at;
    let hash = 0;
    let code = bytes[at] as number;
    for (; code !== quote; code = bytes[at] as number) {
      // The end of the bytes gives no number, which is not in this range either.
      if (!(code >= 0x20 && code < 0x7f) || code === backslash) return -1;
      hash = nextHash(hash, code);
      at += 1;
    }
    if (value === 'address') {
      found.address = bytes.toString('latin1', first, at);
      if (!isOrdinaryAddress(found.address, found.address.includes(':') ? 'ipv6' : 'ipv4')) return -1;
    } else if (value === 'nodeName') {
      found.node = nodes.of(bytes, first, at, hash);
      if (found.node === none) return -1;
    } else if (value === 'hostname') {
      if (dns1123LabelProblem(bytes.toString('latin1', first, at)) !== undefined) return -1;
    }
  }
  return holds(bytes, view, at, end) ? at + end.bytes.length : -1;
}

function holds(bytes: Buffer, view: DataView, at: number, text: ShapeText): boolean {
  const { length } = text.bytes;
  if (at + length > bytes.length) return false;
  const { words } = text;
  for (let index = 0; index < words.length; index += 1) {
    if (view.getInt32(at + 4 * index, true) !== words[index]) return false;
  }
  for (let index = 4 * words.length; index < length; index += 1) {
    if (bytes[at + index] !== text.bytes[index]) return false;
  }
  return true;
}
