import { type Protocol, protocolsByWord } from '../../../common/addresses/protocol.ts';
import type { RecentMatch, Rule, Target } from '../ast.ts';

/** What a rule of kube-proxy says, by name. */
export interface RuleView {
  readonly comment: string;
  /** Networks with their length; single addresses without. */
  readonly source: string | undefined;
  readonly notSource: string | undefined;
  readonly destination: string | undefined;
  readonly notDestination: string | undefined;
  readonly inInterface: string | undefined;
  readonly notInInterface: string | undefined;
  readonly protocol: Protocol | undefined;
  readonly port: number | undefined;
  /** Only to, or only from, an address of the node. */
  readonly isToNode: boolean;
  readonly isFromNode: boolean;
  readonly recent: RecentMatch | undefined;
  /** The first set that it asks, and for which side of a packet: `dst,dst`. */
  readonly set: { readonly name: string; readonly sides: string } | undefined;
  /** The mark that it looks for. */
  readonly mark: number | undefined;
  readonly hasConntrack: boolean;
  readonly hasNfacct: boolean;
  /** The chain or verdict that it leads to; empty: none. */
  readonly jump: string;
  readonly target: Target | undefined;
}

export function ruleView({ words, target }: Rule): RuleView {
  const view: { -readonly [K in keyof RuleView]: RuleView[K] } = { ...empty, jump: jumpOf(target), target };
  for (const word of words) {
    switch (word.kind) {
      case 'comment':
        if (view.comment === '') view.comment = word.text;
        break;
      case 'source':
        view[word.negated ? 'notSource' : 'source'] = withoutHostLength(word.address);
        break;
      case 'destination':
        view[word.negated ? 'notDestination' : 'destination'] = withoutHostLength(word.address);
        break;
      case 'inInterface':
        view[word.negated ? 'notInInterface' : 'inInterface'] = word.name;
        break;
      case 'protocol':
        if (!word.negated) view.protocol = protocolsByWord.get(word.protocol);
        break;
      case 'transport':
        if (!word.destinationPortNegated) view.port = portNumber(word.destinationPort);
        break;
      case 'addrtype':
        for (const option of word.options) {
          if ((option.name !== 'dst-type' && option.name !== 'src-type') || option.negated) continue;
          if (option.types.length !== 1 || option.types[0] !== 'LOCAL') continue;
          view[option.name === 'dst-type' ? 'isToNode' : 'isFromNode'] = true;
        }
        break;
      case 'recent':
        view.recent = word;
        break;
      case 'set':
        if (!word.negated) view.set ??= { name: word.set, sides: word.sides.join(',') };
        break;
      case 'mark':
        view.mark = word.value;
        break;
      case 'conntrack':
        view.hasConntrack = true;
        break;
      case 'nfacct':
        view.hasNfacct = true;
        break;
      default:
        break;
    }
  }
  return view;
}

const empty: Omit<RuleView, 'jump' | 'target'> = {
  comment: '',
  source: undefined,
  notSource: undefined,
  destination: undefined,
  notDestination: undefined,
  inInterface: undefined,
  notInInterface: undefined,
  protocol: undefined,
  port: undefined,
  isToNode: false,
  isFromNode: false,
  recent: undefined,
  set: undefined,
  mark: undefined,
  hasConntrack: false,
  hasNfacct: false,
};

function jumpOf(target: Target | undefined): string {
  return target?.kind === 'jump' ? target.chain : '';
}

function withoutHostLength(address: string): string {
  return address.endsWith(address.includes(':') ? '/128' : '/32')
    ? address.slice(0, address.lastIndexOf('/'))
    : address;
}

/** A single port; undefined for a range. */
function portNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number < 65_536 ? number : undefined;
}
