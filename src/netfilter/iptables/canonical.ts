import type { Family } from '../../common/addresses/family.ts';
import type { HeaderWord, Rule, Word } from './ast.ts';
import { canonicalMatch } from './matches.ts';
import { canonicalTarget } from './targets.ts';
import { canonicalAddress } from './values/addresses.ts';
import { canonicalProtocol } from './values/protocols.ts';

/**
 * The one form of all rules that load as the same rule: what iptables-save prints, as data. Header words first and in
 * the tools' order, every value as the kernel keeps it, defaults spelt out, what says nothing left out. Counters are
 * dropped, the line number is kept. A canonical rule is its own canonical form.
 */
export function canonicalIptablesRule(rule: Rule, family: Family): Rule {
  const words: Word[] = [];
  let headers = 0;
  for (const word of rule.words) {
    const header = canonicalHeader(word, family);
    if (header) {
      insertInOrder(words, header);
      headers += 1;
    }
  }
  if (headers < rule.words.length) {
    for (const word of rule.words) {
      if (!isHeader(word)) {
        words.push(canonicalMatch(word, family));
      }
    }
  }
  const { chain, target, line } = rule;
  if (line === undefined) {
    return target ? { chain, words, target: canonicalTarget(target, family) } : { chain, words };
  }
  return target ? { chain, words, target: canonicalTarget(target, family), line } : { chain, words, line };
}

export function isHeader(word: Word): word is HeaderWord {
  switch (word.kind) {
    case 'source':
    case 'destination':
    case 'inInterface':
    case 'outInterface':
    case 'protocol':
    case 'fragment':
      return true;
    default:
      return false;
  }
}

/**
 * The rules that iptables makes of one with lists of addresses (`-s 10.0.0.1,10.0.0.2`): one for each pair. The rule
 * itself if there are absurdly many.
 */
export function expandAddresses(rule: Rule): readonly Rule[] {
  if (!rule.words.some(hasList)) {
    return [rule];
  }
  const sources = alternatives(rule, 'source');
  const destinations = alternatives(rule, 'destination');
  if (sources.length * destinations.length > maximalExpansion) {
    return [rule];
  }
  return sources.flatMap((source) =>
    destinations.map((destination) => ({
      ...rule,
      words: rule.words.map((word) => {
        const address = word.kind === 'source' ? source : word.kind === 'destination' ? destination : undefined;
        return address === undefined ? word : { ...word, address };
      }) as readonly Word[],
    })),
  );
}

/** Two long lists on one line would make millions of rules; no tool writes such lists. */
const maximalExpansion = 4096;

const headerOrder: Readonly<Record<HeaderWord['kind'], number>> = {
  source: 0,
  destination: 1,
  inInterface: 2,
  outInterface: 3,
  protocol: 4,
  fragment: 5,
};

type AddressWord = Extract<HeaderWord, { kind: 'source' | 'destination' }>;

function hasList(word: Word): boolean {
  return (word.kind === 'source' || word.kind === 'destination') && word.address.includes(',');
}

/** The addresses of the header word of this kind; one undefined if there is no such word. */
function alternatives(rule: Rule, kind: AddressWord['kind']): readonly (string | undefined)[] {
  for (const word of rule.words) {
    if (word.kind === kind) {
      return word.address.split(',');
    }
  }
  return [undefined];
}

/** Undefined: a match, or a header word that says nothing. */
function canonicalHeader(word: Word, family: Family): HeaderWord | undefined {
  switch (word.kind) {
    case 'source':
    case 'destination':
      return canonicalAddressWord(word, family);
    case 'inInterface':
    case 'outInterface':
      // `+` is any interface.
      return word.name !== '+' || word.negated ? word : undefined;
    case 'protocol': {
      const protocol = canonicalProtocol(word.protocol);
      if (protocol === undefined) {
        return word.negated ? word : undefined;
      }
      return protocol === word.protocol ? word : { ...word, protocol };
    }
    case 'fragment':
      return word;
    default:
      return undefined;
  }
}

function canonicalAddressWord(word: AddressWord, family: Family): AddressWord | undefined {
  const address = word.address.includes(',')
    ? word.address
        .split(',')
        .map((part) => canonicalAddress(part, family))
        .join(',')
    : canonicalAddress(word.address, family);
  // Everything is no condition; its opposite, which matches nothing, is kept.
  if (!word.negated && (address === '0.0.0.0/0' || address === '::/0')) {
    return undefined;
  }
  return address === word.address ? word : { ...word, address };
}

/** The words so far are headers in order; two of one kind stay as they were written. */
function insertInOrder(words: Word[], header: HeaderWord): void {
  const place = headerOrder[header.kind];
  let at = words.length;
  while (at > 0 && headerOrder[(words[at - 1] as HeaderWord).kind] > place) {
    at -= 1;
  }
  if (at === words.length) {
    words.push(header);
  } else {
    words.splice(at, 0, header);
  }
}
