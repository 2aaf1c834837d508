import type { Family } from '../../../common/addresses/family.ts';
import type { MatchOption, TransportMatch } from '../ast.ts';
import type { IptablesSpelling, KindOf } from '../matchKind.ts';
import { transportMeaning } from '../meaning/matchMeaning.ts';
import { bareWord } from '../print/quote.ts';
import { canonicalPortRange } from '../values/ports.ts';
import { matchGrammar } from './matchOptions.ts';
import { canonicalOptions, printOptions } from './optionGrammar.ts';

/** `-m tcp`, `-m udp`, `-m sctp`, `-m dccp`, `-m udplite`. */
export const transportMatch: KindOf<'transport'> = {
  read: readTransport,
  print: (match, spelling) => ` -m ${match.protocol}${printTransportOptions(match, spelling)}`,
  canonical: canonicalTransport,
  evaluate: transportMeaning,
};

function readTransport(options: readonly MatchOption[], protocol: string): TransportMatch | undefined {
  if (options.length === 0) {
    return { kind: 'transport', protocol };
  }
  let source: MatchOption | undefined;
  let destination: MatchOption | undefined;
  let others: MatchOption[] | undefined;
  for (const option of options) {
    if (option.name === 'dport' && !destination) {
      destination = option;
    } else if (option.name === 'sport' && !source) {
      source = option;
    } else if (option.name === 'dport' || option.name === 'sport') {
      return undefined;
    } else {
      others = others ? [...others, option] : [option];
    }
  }
  if (destination && options.length === 1 && !destination.negated) {
    return { kind: 'transport', protocol, destinationPort: destination.values[0] ?? '' };
  }
  return {
    kind: 'transport',
    protocol,
    ...(destination && { destinationPort: destination.values[0] ?? '' }),
    ...(destination?.negated && { destinationPortNegated: true }),
    ...(source && { sourcePort: source.values[0] ?? '' }),
    ...(source?.negated && { sourcePortNegated: true }),
    ...(others && { options: others }),
  };
}

function canonicalTransport(match: TransportMatch, family: Family): TransportMatch {
  const destinationPort = keptRange(match.destinationPort, match.destinationPortNegated);
  const sourcePort = keptRange(match.sourcePort, match.sourcePortNegated);
  const grammar = matchGrammar(match.protocol);
  const options = match.options && grammar ? canonicalOptions(match.options, grammar, family) : match.options;
  if (
    destinationPort === match.destinationPort &&
    sourcePort === match.sourcePort &&
    options === undefined &&
    match.optionsFollow === undefined
  ) {
    return match;
  }
  return {
    kind: 'transport',
    protocol: match.protocol,
    ...(destinationPort !== undefined && { destinationPort }),
    ...(match.destinationPortNegated && { destinationPortNegated: true }),
    ...(sourcePort !== undefined && { sourcePort }),
    ...(match.sourcePortNegated && { sourcePortNegated: true }),
    ...(options && options.length > 0 && { options }),
  };
}

/** iptables-save leaves `! --dport 0:65535` out too, though it matches nothing; dropping it would turn the rule around. */
function keptRange(range: string | undefined, negated: boolean | undefined): string | undefined {
  if (range === undefined) {
    return undefined;
  }
  return canonicalPortRange(range) ?? (negated ? '0:65535' : undefined);
}

/** ` --sport … --dport …`: kube-proxy writes them apart from their `-m tcp`. */
export function printTransportOptions(match: TransportMatch, spelling: IptablesSpelling): string {
  let text = '';
  if (match.sourcePort !== undefined) {
    text += `${match.sourcePortNegated ? ' ! --sport ' : ' --sport '}${bareWord(match.sourcePort)}`;
  }
  if (match.destinationPort !== undefined) {
    text += `${match.destinationPortNegated ? ' ! --dport ' : ' --dport '}${bareWord(match.destinationPort)}`;
  }
  return match.options ? text + printOptions(match.options, matchGrammar(match.protocol), spelling) : text;
}
