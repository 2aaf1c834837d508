import type { Family } from '../../common/addresses/family.ts';
import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { NftElement, NftSet, Selector, Statement, Verdict } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import { writeVerdict } from '../../netfilter/nft/verdict.ts';

/** The words of one family and version, and the commands on its `kube-proxy` table. */
export interface ProxyTable {
  readonly dialect: NftablesDialect;
  readonly family: 'ip' | 'ip6';
  readonly addressType: 'ipv4_addr' | 'ipv6_addr';
  readonly source: Selector;
  readonly destination: Selector;
  /** Destination, protocol and port, by which elements are found. */
  readonly serviceKey: Selector;
  /** Local destinations that are never node ports. */
  readonly loopback: string;
  addTable(comment: string): NftCommand;
  addChain(name: string, details?: ChainDetails): NftCommand;
  deleteChain(name: string): NftCommand;
  flushChain(name: string): NftCommand;
  /** It exists and is empty, whatever an earlier transaction left. */
  ensureChain(name: string): readonly NftCommand[];
  addRule(chain: string, statements: readonly Statement[], comment?: string): NftCommand;
  addSet(set: NftSet): NftCommand;
  flushSet(setKind: 'set' | 'map', name: string): NftCommand;
  deleteSet(name: string, setKind?: 'set' | 'map'): NftCommand;
  addCounter(name: string): NftCommand;
  deleteCounter(name: string): NftCommand;
  /** Empty, or also a deletion if this transaction has an element with the key already. */
  addElement(set: string, element: NftElement): readonly NftCommand[];
}

type ChainDetails = Pick<Extract<NftCommand, { object: 'chain' }>, 'base' | 'comment'>;

const tableName = 'kube-proxy';

export function proxyTable(ipFamily: Family, dialect: NftablesDialect): ProxyTable {
  const family = ipFamily === 'ipv4' ? 'ip' : 'ip6';
  const place = { family, table: tableName } as const;
  const destination: Selector = { kind: 'payload', protocol: family, field: 'daddr' };
  return {
    dialect,
    family,
    addressType: ipFamily === 'ipv4' ? 'ipv4_addr' : 'ipv6_addr',
    source: { kind: 'payload', protocol: family, field: 'saddr' },
    destination,
    serviceKey: { kind: 'concat', parts: [destination, l4proto, destinationPort] },
    loopback: ipFamily === 'ipv4' ? '127.0.0.0/8' : '::1',
    addTable: (comment) => ({ object: 'table', verb: 'add', ...place, comment }),
    addChain: (name, details = {}) => ({ object: 'chain', verb: 'add', ...place, name, ...details }),
    deleteChain: (name) => ({ object: 'chain', verb: 'delete', ...place, name }),
    flushChain: (name) => ({ object: 'chain', verb: 'flush', ...place, name }),
    ensureChain: (name) => [
      { object: 'chain', verb: 'add', ...place, name },
      { object: 'chain', verb: 'flush', ...place, name },
    ],
    addRule: (chain, statements, comment) => ({
      object: 'rule',
      verb: 'add',
      ...place,
      chain,
      rule: comment === undefined ? { statements } : { statements, comment },
    }),
    addSet: (set) => ({ object: 'set', verb: 'add', ...place, set }),
    flushSet: (setKind, name) => ({ object: 'set', verb: 'flush', ...place, setKind, name }),
    deleteSet: (name, setKind = 'set') => ({ object: 'set', verb: 'delete', ...place, setKind, name }),
    addCounter: (name) => ({ object: 'counter', verb: 'add', ...place, name }),
    deleteCounter: (name) => ({ object: 'counter', verb: 'delete', ...place, name }),
    addElement: withCutComments(
      dialect,
      dialect.repeatsElements
        ? (set, element) => [{ object: 'element', verb: 'add', ...place, set, elements: [element] }]
        : elementsOnce(place),
    ),
  };
}

/** nft's limit for a comment, in bytes; names of Services are ASCII. */
export const longestComment = 128;

function withCutComments({ cutsComments }: NftablesDialect, add: ProxyTable['addElement']): ProxyTable['addElement'] {
  if (!cutsComments) return add;
  return (set, element) => {
    const { comment = '' } = element;
    return add(
      set,
      comment.length > longestComment ? { ...element, comment: comment.slice(0, longestComment) } : element,
    );
  };
}

/** Since 1.31 kube-proxy remembers its elements: by key, with the verdict but without the comment. */
function elementsOnce(place: { readonly family: string; readonly table: string }): ProxyTable['addElement'] {
  const written = new Map<string, string>();
  return (set, element) => {
    const key = `${set} ${element.key.join(' . ')}`;
    const verdict = element.verdict === undefined ? '' : writeVerdict(element.verdict);
    const present = written.get(key);
    if (present === verdict) {
      return [];
    }
    written.set(key, verdict);
    const added: NftCommand = { object: 'element', verb: 'add', ...place, set, elements: [element] };
    return present === undefined
      ? [added]
      : [{ object: 'element', verb: 'delete', ...place, set, elements: [{ key: element.key }] }, added];
  };
}

export function matches(left: Selector, value: string, operator: '==' | '!=' = '=='): Statement {
  return { kind: 'match', left, operator, right: { kind: 'value', key: [value] } };
}

export function inSet(left: Selector, name: string): Statement {
  return { kind: 'match', left, operator: '==', right: { kind: 'namedSet', name } };
}

export function lookUp(key: Selector, name: string): Statement {
  return { kind: 'vmap', key, map: { kind: 'namedMap', name } };
}

export function verdict(value: Verdict): Statement {
  return { kind: 'verdict', verdict: value };
}

export function jump(chain: string): Statement {
  return verdict({ kind: 'jump', chain });
}

export function goTo(chain: string): Statement {
  return verdict({ kind: 'goto', chain });
}

export const l4proto: Selector = { kind: 'meta', key: 'l4proto' };
export const destinationPort: Selector = { kind: 'payload', protocol: 'th', field: 'dport' };

/** Protocol and port, by which the elements of node ports are found. */
export const portKey = { kind: 'concat', parts: [l4proto, destinationPort] } as const;
export const portTypes = ['inet_proto', 'inet_service'] as const;

export function verdictMap(name: string, type: readonly string[], comment: string): NftSet {
  return { kind: 'map', name, type, valueType: ['verdict'], flags: [], comment, elements: [] };
}
