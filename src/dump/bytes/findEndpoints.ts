import { plainIpv4Number } from '../../common/addresses/ip.ts';
import { newBlock, writeText } from '../../common/text/textBytes.ts';
import { endpointChainLength, writeEndpointChain } from '../../netfilter/writeEndpointChain.ts';
import type { EndpointHole, EndpointShape, FoundEndpoints, WantedEndpoints } from '../../node/chains/endpointSearch.ts';
import { areSameBytes } from './areSameBytes.ts';
import { chainTable, rowLength } from './chains/chainTable.ts';
import { isPlainChain, natRow } from './chains/natChains.ts';
import type { LongDumpIndex } from './indexLongDump.ts';
import { viewOf } from './viewOf.ts';

/** Finds the names of the chains of endpoints, and those among a dump's bytes that have exactly the expected rules. */
export function findEndpoints(
  index: Pick<LongDumpIndex, 'text' | 'names'>,
  wanted: WantedEndpoints,
  { names, chains, progress }: FoundEndpoints,
): void {
  const { addresses } = wanted;
  const address = written(addresses);
  const words: Words = {
    name: written(wanted.names.reduce((longest, name) => (name.length > longest.length ? name : longest), '')),
    chain: { view: viewOf(names), at: 0, length: endpointChainLength },
    ip: { ...address },
    address,
  };
  const shapes = wanted.shapes.map((shape) => ({ ...shape, pieces: piecesOf(shape, words) }));
  const chainOf = finder(index, words.chain);
  let done = 0;
  let from = 0;
  for (const [at, name] of wanted.names.entries()) {
    const { protocol, pieces } = shapes[wanted.shapeOf[at] as number] as (typeof shapes)[number];
    words.name.length = writeText(words.name.bytes, name, 0);
    for (const end = done + (wanted.counts[at] as number); done < end; done += 1) {
      const stop = addresses.indexOf('\n', from);
      const ip = addresses.slice(from, addresses.lastIndexOf(':', stop));
      words.chain.at = done * endpointChainLength;
      words.address.at = from;
      words.address.length = stop - from;
      words.ip.at = from;
      words.ip.length = ip.length;
      writeEndpointChain(names, words.chain.at, name + protocol + addresses.slice(from, stop));
      // iptables-save has a single spelling for each address.
      chains[done] = pieces.length === 0 || plainIpv4Number(ip) < 0 ? -1 : chainOf(pieces);
      from = stop + 1;
    }
    if (at % portsAtOnce === 0) tell(progress, done);
  }
  tell(progress, done);
}

/** Waiting threads are woken now and then. */
const portsAtOnce = 32;

function tell(progress: Int32Array, done: number): void {
  Atomics.store(progress, 0, done);
  Atomics.notify(progress, 0);
}

/** Some bytes; those of a hole change from endpoint to endpoint. */
interface Piece {
  readonly view: DataView;
  at: number;
  length: number;
}

type Words = Readonly<Record<EndpointHole, Piece>> & { readonly name: WrittenPiece };

interface WrittenPiece extends Piece {
  readonly bytes: Uint8Array;
}

function written(text: string): WrittenPiece {
  const bytes = newBlock(bytesPerUnit * text.length);
  return { bytes, view: viewOf(bytes), at: 0, length: writeText(bytes, text, 0) };
}

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;

/** The consecutive pieces of an endpoint's rules. */
function piecesOf({ rules }: EndpointShape, words: Words): readonly Piece[] {
  return rules.flatMap(({ texts, holes }, rule) =>
    texts.flatMap((text, at) => {
      const hole = holes[at];
      return [written(at === 0 && rule > 0 ? `\n${text}` : text), ...(hole === undefined ? [] : [words[hole]])];
    }),
  );
}

/** Gives the number of the chain that has some name and whose rules consist of some pieces; -1: there is none. */
function finder({ text, names }: Pick<LongDumpIndex, 'text' | 'names'>, name: Piece) {
  const table = chainTable(text, names);
  const { rows } = table;
  const view = viewOf(text);
  return (pieces: readonly Piece[]): number => {
    const chain = table.find(name.view, name.at, name.length);
    if (chain === -1 || !isPlainChain(table, chain)) return -1;
    const row = rowLength * chain;
    let at = rows[row + natRow.start] as number;
    const end = at + (rows[row + natRow.bytes] as number) - 1;
    for (let index = 0; index < pieces.length; index += 1) {
      const piece = pieces[index] as Piece;
      if (at + piece.length > end || !areSameBytes(piece.view, piece.at, view, at, piece.length)) return -1;
      at += piece.length;
    }
    return at === end ? chain : -1;
  };
}
