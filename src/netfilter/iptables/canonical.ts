import type { Family } from '../../common/family.ts';
import { canonicalAddress } from './addresses.ts';
import type { HeaderWord, Match, Rule, Word } from './ast.ts';
import { canonicalMatch } from './matches.ts';
import { canonicalProtocol } from './protocols.ts';
import { canonicalTarget } from './targets.ts';

/**
 * The one form of all rules that load as the same rule: what iptables-save prints, as data. Header words first and in
 * the tools' order, every value as the kernel keeps it, defaults spelt out, what says nothing left out. Counters are
 * dropped, the line number is kept. A canonical rule is its own canonical form.
 */
export function canonicalRule(rule: Rule, family: Family): Rule {
  const headers: HeaderWord[] = [];
  const matches: Match[] = [];
  for (const word of rule.words) {
    switch (word.kind) {
      case 'source':
      case 'destination':
        addAddress(headers, word, family);
        break;
      case 'inInterface':
      case 'outInterface':
        // `+` is any interface.
        if (word.name !== '+' || word.negated) {
          headers.push(word);
        }
        break;
      case 'protocol':
        addProtocol(headers, word);
        break;
      case 'fragment':
        headers.push(word);
        break;
      default:
        matches.push(canonicalMatch(word, family));
    }
  }
  if (headers.length > 1) {
    headers.sort((one, other) => headerOrder[one.kind] - headerOrder[other.kind]);
  }
  const words: readonly Word[] = headers.length === 0 ? matches : [...headers, ...matches];
  return {
    chain: rule.chain,
    words,
    ...(rule.target && { target: canonicalTarget(rule.target, family) }),
    ...(rule.line !== undefined && { line: rule.line }),
  };
}

/**
 * The rules that iptables makes of one with lists of addresses (`-s 10.0.0.1,10.0.0.2`): one for each pair. The rule
 * itself if there are absurdly many.
 */
export function expandAddresses(rule: Rule): readonly Rule[] {
  const sources = alternatives(rule, 'source');
  const destinations = alternatives(rule, 'destination');
  if ((sources.length < 2 && destinations.length < 2) || sources.length * destinations.length > maximalExpansion) {
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

/** The addresses of the header word of this kind; one undefined if there is no such word. */
function alternatives(rule: Rule, kind: AddressWord['kind']): readonly (string | undefined)[] {
  for (const word of rule.words) {
    if (word.kind === kind) {
      return word.address.split(',');
    }
  }
  return [undefined];
}

function addAddress(headers: HeaderWord[], word: AddressWord, family: Family): void {
  const address = word.address.includes(',')
    ? word.address
        .split(',')
        .map((part) => canonicalAddress(part, family))
        .join(',')
    : canonicalAddress(word.address, family);
  // Everything is no condition; its opposite, which matches nothing, is kept.
  if (!word.negated && (address === '0.0.0.0/0' || address === '::/0')) {
    return;
  }
  headers.push(address === word.address ? word : { ...word, address });
}

function addProtocol(headers: HeaderWord[], word: Extract<HeaderWord, { kind: 'protocol' }>): void {
  const protocol = canonicalProtocol(word.protocol);
  if (protocol !== undefined) {
    headers.push(protocol === word.protocol ? word : { ...word, protocol });
  } else if (word.negated) {
    headers.push(word);
  }
}
