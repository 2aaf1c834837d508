import { chunkTypes } from '../values/matchValues.ts';
import { grammarOf, type OptionGrammar } from './optionGrammar.ts';
import { bits, portRange, unless } from './optionValues.ts';

const flag = { words: 0 } as const;
const tcpFlags = bits('FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG');
const portOptions = [
  { name: 'sport', aliases: ['source-port'], canonical: unless('0:65535', portRange) },
  { name: 'dport', aliases: ['destination-port'], canonical: unless('0:65535', portRange) },
];

/** Options of the matches that are named after a transport protocol. */
export const transportOptions: readonly (readonly [name: string, grammar: OptionGrammar])[] = [
  [
    'tcp',
    grammarOf(
      [
        ...portOptions,
        { name: 'tcp-option' },
        {
          name: 'tcp-flags',
          words: 2,
          canonical: ([mask = '', set = '']) => [
            tcpFlags(mask === 'ALL' ? 'FIN,SYN,RST,PSH,ACK,URG' : mask),
            tcpFlags(set === 'ALL' ? 'FIN,SYN,RST,PSH,ACK,URG' : set),
          ],
        },
        { name: 'syn', ...flag },
      ],
      (options) =>
        options.map((option) =>
          option.name === 'syn' ? { ...option, name: 'tcp-flags', values: ['FIN,SYN,RST,ACK', 'SYN'] } : option,
        ),
    ),
  ],
  ['udp', grammarOf(portOptions)],
  ['udplite', grammarOf(portOptions)],
  ['sctp', grammarOf([...portOptions, { name: 'chunk-types', words: 2, canonical: chunkTypes }])],
  ['dccp', grammarOf([...portOptions, { name: 'dccp-types' }, { name: 'dccp-option' }])],
];
