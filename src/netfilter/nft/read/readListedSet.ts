import type { NftElement, NftSet } from '../ast.ts';
import { readElements } from '../element.ts';
import { readSetProperty, type SetHeader } from '../setHeader.ts';
import { endsBlock, handleOf, problem, type State, trimmed } from './listingState.ts';
import { tokenize } from './tokenizer.ts';

/** A set or map, to the line that ends it. */
export function readSet(state: State, opened: RegExpExecArray): NftSet {
  const elements: NftElement[] = [];
  let header: SetHeader = { type: [], flags: [] };
  for (state.at += 1; state.at < state.lines.length && !endsBlock(trimmed(state)); state.at += 1) {
    const line = trimmed(state);
    if (line.startsWith('elements = {')) {
      // One by one: loops over what may be a hundred thousand.
      for (const element of readElementLines(state)) {
        elements.push(element);
      }
    } else if (line !== '') {
      const words = tokenize(line, true);
      const next = readSetProperty(words, header);
      if (next === undefined || words.at < words.words.length) {
        problem(state, `not a property of a set that is known: ${line}`);
      } else {
        header = next;
      }
    }
  }
  return { kind: opened[1] === 'map' ? 'map' : 'set', name: opened[2] ?? '', ...header, ...handleOf(opened), elements };
}

/** Elements run over lines to the closing brace, which ends the last line. */
function readElementLines(state: State): readonly NftElement[] {
  const first = state.at;
  let text = trimmed(state).slice('elements = '.length);
  const pieces = [text];
  while (!text.endsWith('}') && state.at + 1 < state.lines.length) {
    state.at += 1;
    text = trimmed(state);
    pieces.push(text);
  }
  const words = tokenize(pieces.join(' '), true);
  const elements = readElements(words);
  if (elements === undefined || !isAtEnd(words)) {
    state.problems.push({ line: first + 1, message: 'the elements cannot be read' });
    return [];
  }
  return elements;
}

function isAtEnd(words: { readonly words: readonly string[]; readonly at: number }): boolean {
  return words.at === words.words.length;
}
