import type {
  AddressType,
  AddrtypeOption,
  ConntrackOption,
  ConntrackState,
  ConntrackStatus,
  MatchOption,
  PhysdevOption,
  SetOption,
} from '../ast.ts';

/** Options as words, and as what they mean. */
export interface OptionTyping<O> {
  /** Undefined: not an option that iptables takes. */
  read(option: MatchOption): O | undefined;
  write(option: O): MatchOption;
}

export const conntrackOptions: OptionTyping<ConntrackOption> = {
  read: (option) => {
    const { name } = option;
    const text = onlyWord(option);
    if (text === undefined) return undefined;
    switch (name) {
      case 'ctstate':
        return withItems(option, text, states, (items) => ({ name, states: items }));
      case 'ctstatus':
        return withItems(option, text, statuses, (items) => ({ name, statuses: items }));
      case 'ctproto':
        return { name, ...negation(option), protocol: text };
      case 'ctorigsrc':
      case 'ctorigdst':
      case 'ctreplsrc':
      case 'ctrepldst':
        return { name, ...negation(option), address: text };
      case 'ctorigsrcport':
      case 'ctorigdstport':
      case 'ctreplsrcport':
      case 'ctrepldstport':
        return { name, ...negation(option), ports: text };
      case 'ctexpire':
        return { name, ...negation(option), seconds: text };
      case 'ctdir': {
        const direction = text.toUpperCase();
        return direction === 'ORIGINAL' || direction === 'REPLY' ? { name, ...negation(option), direction } : undefined;
      }
      default:
        return undefined;
    }
  },
  write: (option) => {
    switch (option.name) {
      case 'ctstate':
        return words(option, option.states.join(','));
      case 'ctstatus':
        return words(option, option.statuses.join(','));
      case 'ctproto':
        return words(option, option.protocol);
      case 'ctexpire':
        return words(option, option.seconds);
      case 'ctdir':
        return words(option, option.direction);
      default:
        return words(option, 'address' in option ? option.address : option.ports);
    }
  },
};

export const addrtypeOptions: OptionTyping<AddrtypeOption> = {
  read: (option) => {
    const { name } = option;
    if (name === 'limit-iface-in' || name === 'limit-iface-out') {
      return option.values.length === 0 ? { name, ...negation(option) } : undefined;
    }
    const text = onlyWord(option);
    return text !== undefined && (name === 'src-type' || name === 'dst-type')
      ? withItems(option, text, knownAddressTypes, (types) => ({ name, types }))
      : undefined;
  },
  write: (option) => ('types' in option ? words(option, option.types.join(',')) : words(option)),
};

export const physdevOptions: OptionTyping<PhysdevOption> = {
  read: (option) => {
    const { name } = option;
    if (name === 'physdev-is-in' || name === 'physdev-is-out' || name === 'physdev-is-bridged') {
      return option.values.length === 0 ? { name, ...negation(option) } : undefined;
    }
    const port = onlyWord(option);
    return port !== undefined && (name === 'physdev-in' || name === 'physdev-out')
      ? { name, ...negation(option), port }
      : undefined;
  },
  write: (option) => ('port' in option ? words(option, option.port) : words(option)),
};

export const setOptions: OptionTyping<SetOption> = {
  read: (option) => {
    const { name } = option;
    switch (name) {
      case 'return-nomatch':
      case 'update-counters':
      case 'update-subcounters':
        return option.values.length === 0 ? { name, ...negation(option) } : undefined;
      case 'packets-eq':
      case 'packets-lt':
      case 'packets-gt':
      case 'bytes-eq':
      case 'bytes-lt':
      case 'bytes-gt': {
        const count = onlyWord(option);
        return count === undefined ? undefined : { name, ...negation(option), count };
      }
      default:
        return undefined;
    }
  },
  write: (option) => ('count' in option ? words(option, option.count) : words(option)),
};

const states: ReadonlySet<ConntrackState> = new Set([
  'INVALID',
  'NEW',
  'RELATED',
  'ESTABLISHED',
  'UNTRACKED',
  'SNAT',
  'DNAT',
]);
const statuses: ReadonlySet<ConntrackStatus> = new Set(['NONE', 'EXPECTED', 'SEEN_REPLY', 'ASSURED', 'CONFIRMED']);
/** In the order of the kernel's bits. */
export const addressTypeNames = [
  'UNSPEC',
  'UNICAST',
  'LOCAL',
  'BROADCAST',
  'ANYCAST',
  'MULTICAST',
  'BLACKHOLE',
  'UNREACHABLE',
  'PROHIBIT',
  'THROW',
  'NAT',
  'XRESOLVE',
] as const satisfies readonly AddressType[];
const knownAddressTypes: ReadonlySet<AddressType> = new Set(addressTypeNames);

function onlyWord({ values }: MatchOption): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}

function negation({ negated }: MatchOption): { readonly negated?: true } {
  return negated === true ? { negated } : {};
}

/** iptables takes such words in any case. */
function withItems<T extends string, O extends object>(
  option: MatchOption,
  text: string,
  known: ReadonlySet<T>,
  build: (items: readonly T[]) => O,
): (O & { readonly negated?: true }) | undefined {
  const items = text.split(',').map((item) => item.toUpperCase() as T);
  return items.every((item) => known.has(item)) ? { ...build(items), ...negation(option) } : undefined;
}

function words(
  { name, negated }: { readonly name: string; readonly negated?: boolean },
  ...values: string[]
): MatchOption {
  return negated ? { name, negated, values } : { name, values };
}
