import { rowLength } from '../chains/chainTable.ts';
import { keepChain, kindWord, natRow } from '../chains/natChains.ts';
import { eachLine, targetAt } from '../targetsInBytes.ts';
import { viewOf } from '../viewOf.ts';
import type { LeftOutChains } from './excerptOf.ts';

/**
 * Chains that lead to one that stays are kept, too: on a large node most rules do not name their Service, but those that lead
 * to their chains do.
 */
export function keepCallers(text: Uint8Array, leftOut: LeftOutChains): void {
  const {
    isLeftOut,
    chains: { names },
  } = leftOut;
  const chains = Array.from({ length: names.count() }, (_, chain) => chain);
  if (chains.every(isLeftOut)) return;
  const calls = chains.flatMap((chain) => (isLeftOut(chain) ? callsOf(chain, text, leftOut) : []));
  for (let isDone = false; !isDone; ) {
    const callers = calls.filter(({ chain, target }) => isLeftOut(chain) && !isLeftOut(target));
    for (const { chain } of callers) keepChain(names, chain);
    isDone = callers.length === 0;
  }
}

interface Call {
  readonly chain: number;
  readonly target: number;
}

/** The chains that one leads to, without those of endpoints that are left out: nobody asks who calls them. */
function callsOf(chain: number, text: Uint8Array, { chains: { names }, isLeftOut }: LeftOutChains): readonly Call[] {
  const { rows } = names;
  const isEndpoint = (one: number) => rows[rowLength * one + natRow.kind] === endpoint;
  if (isEndpoint(chain)) return [];
  const calls: Call[] = [];
  const view = viewOf(text);
  eachLine(text, names, chain, (stop) => {
    const name = targetAt(text, view, stop);
    const target = name === -1 ? -1 : names.find(view, name, stop - name);
    if (target !== -1 && !(isEndpoint(target) && isLeftOut(target))) calls.push({ chain, target });
  });
  return calls;
}

const endpoint = kindWord('endpoint');
