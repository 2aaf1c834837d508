import type { MatchOption } from '../ast.ts';
import { canonicalRate, rateUnit } from '../values/rates.ts';
import { grammarOf, hasOption, type OptionGrammar } from './optionGrammar.ts';
import { bits, decimal, unless, value } from './optionValues.ts';

const flag = { words: 0 } as const;

/** Options of the matches that limit how many packets or connections there are. */
export const rateOptions: readonly (readonly [name: string, grammar: OptionGrammar])[] = [
  [
    'limit',
    grammarOf(
      [
        { name: 'limit', canonical: value((rate) => canonicalRate(rate, 10_000)) },
        { name: 'limit-burst', canonical: unless('5', decimal) },
      ],
      (options) => (hasOption(options, 'limit') ? options : [...options, { name: 'limit', values: ['3/hour'] }]),
    ),
  ],
  [
    'hashlimit',
    grammarOf(
      [
        { name: 'hashlimit-upto', aliases: ['hashlimit'] },
        { name: 'hashlimit-above' },
        { name: 'hashlimit-burst' },
        { name: 'hashlimit-mode', canonical: value(bits('srcip', 'srcport', 'dstip', 'dstport')) },
        { name: 'hashlimit-name' },
        { name: 'hashlimit-htable-size' },
        { name: 'hashlimit-htable-max' },
        { name: 'hashlimit-htable-gcinterval', canonical: unless('1000') },
        { name: 'hashlimit-htable-expire' },
        {
          name: 'hashlimit-srcmask',
          canonical: (values, family) => (values[0] === fullLength(family) ? undefined : values),
        },
        {
          name: 'hashlimit-dstmask',
          canonical: (values, family) => (values[0] === fullLength(family) ? undefined : values),
        },
        { name: 'hashlimit-rate-match', ...flag },
        { name: 'hashlimit-rate-interval' },
      ],
      completeHashlimit,
    ),
  ],
  [
    'connlimit',
    grammarOf(
      [
        { name: 'connlimit-upto' },
        { name: 'connlimit-above' },
        { name: 'connlimit-mask' },
        { name: 'connlimit-saddr', ...flag },
        { name: 'connlimit-daddr', ...flag },
      ],
      (options, family) => [
        ...options.map(withoutNegatedLimit),
        ...(hasOption(options, 'connlimit-mask') ? [] : [{ name: 'connlimit-mask', values: [fullLength(family)] }]),
        ...(hasOption(options, 'connlimit-saddr') || hasOption(options, 'connlimit-daddr')
          ? []
          : [{ name: 'connlimit-saddr', values: [] }]),
      ],
    ),
  ],
];

function fullLength(family: 'ipv4' | 'ipv6'): string {
  return family === 'ipv4' ? '32' : '128';
}

/**
 * Rates of packets have a default burst. Entries expire after one unit of the rate as it was written; iptables-save
 * tells the time if it is not one unit of the rate as it is printed.
 */
function completeHashlimit(options: readonly MatchOption[]): readonly MatchOption[] {
  const limit = options.find(({ name }) => name === 'hashlimit-upto' || name === 'hashlimit-above');
  const written = limit?.values[0] ?? '';
  const rate = canonicalRate(written, 1_000_000);
  const unit = rateUnit(written);
  if (!limit || unit === undefined) {
    return options;
  }
  const given = options.find(({ name }) => name === 'hashlimit-htable-expire')?.values[0];
  const expire = given ?? String(unit * 1000);
  const others = options.filter((option) => option !== limit && option.name !== 'hashlimit-htable-expire');
  return [
    { ...limit, values: [rate] },
    ...others,
    ...(hasOption(options, 'hashlimit-burst') ? [] : [{ name: 'hashlimit-burst', values: ['5'] }]),
    ...(expire === String((rateUnit(rate) ?? 0) * 1000) ? [] : [{ name: 'hashlimit-htable-expire', values: [expire] }]),
  ];
}

/** The kernel knows no negated limit, only its opposite. */
function withoutNegatedLimit(option: MatchOption): MatchOption {
  if (!option.negated || (option.name !== 'connlimit-upto' && option.name !== 'connlimit-above')) {
    return option;
  }
  return { name: option.name === 'connlimit-upto' ? 'connlimit-above' : 'connlimit-upto', values: option.values };
}
