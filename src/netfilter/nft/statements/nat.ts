import type { MapOperand, NatLookup, NatStatement, NftSpelling } from '../ast.ts';
import { mapFromJson, readMap, writeMap } from '../map.ts';
import { natMeaning } from '../meaning/statementMeaning.ts';
import { asRecord, asText, defined, only } from '../read/jsonValue.ts';
import { keyFromJson } from '../read/keyFromJson.ts';
import { selectorFromJson } from '../read/selectorFromJson.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, type Tokens, takeList, takeWord } from '../read/tokenizer.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';

const actions = ['dnat', 'snat', 'masquerade', 'redirect'] as const;

/**
 * `dnat to 10.0.0.1:80`, `masquerade fully-random`, `redirect to :8080`, and targets out of a map, which are written
 * `dnat ip addr . port to numgen random mod 1 map { 0 : 10.0.0.1 . 80 }` and listed by nft 1.0.6 without `addr . port`.
 */
export const natStatement: StatementSyntax<NatStatement> = {
  starts: actions,
  read: (words) => {
    const action = actionOf(takeWord(words));
    if (action === undefined) {
      return undefined;
    }
    const next = words.words[words.at];
    const following = words.words[words.at + 1];
    // Else the word begins the next statement.
    const hasFamily = (next === 'ip' || next === 'ip6') && (following === 'to' || following === 'addr');
    const family = hasFamily ? takeWord(words) : undefined;
    if (accept(words, 'addr') && !(accept(words, '.') && accept(words, 'port'))) {
      return undefined;
    }
    const target = accept(words, 'to') ? readTarget(words) : {};
    const flags = flagWords.has(words.words[words.at] ?? '') ? takeList(words) : [];
    return target === undefined || flags === undefined
      ? undefined
      : { kind: 'nat', action, ...defined({ family }), ...target, flags };
  },
  write: ({ action, family, address, port, lookup, flags }, spelling) => {
    let text: string = family === undefined ? action : `${action} ${family}`;
    if (lookup !== undefined) {
      const target = spelling === 'transaction' && givesPort(lookup.map) ? ' addr . port to' : ' to';
      text += `${target} ${writeLookup(lookup, spelling)}`;
    } else if (address !== undefined || port !== undefined) {
      text += ` to ${writeTarget(address, port)}`;
    }
    return flags.length === 0 ? text : `${text} ${flags.join(',')}`;
  },
  jsonNames: actions,
  fromJson: (body, name) => {
    const action = actionOf(name);
    const record = asRecord(body) ?? {};
    const target = targetFromJson(record);
    if (action === undefined || target === undefined) {
      return undefined;
    }
    const flags = [record.flags].flat().filter((flag) => typeof flag === 'string');
    return { kind: 'nat', action, ...defined({ family: asText(record.family) }), ...target, flags };
  },
  evaluate: natMeaning,
};

const flagWords = new Set(['random', 'fully-random', 'persistent']);

function actionOf(text: string | undefined): NatStatement['action'] | undefined {
  return actions.find((action) => action === text);
}

type Target = Pick<NatStatement, 'address' | 'port' | 'lookup'>;

/** `10.0.0.1:80`, `[fd00::1]:80`, `fd00::1`, `:80`, ranges of both; or a key and a map. */
function readTarget(words: Tokens): Target | undefined {
  const start = words.at;
  const key = readSelector(words);
  if (key !== undefined) {
    const map = accept(words, 'map') ? readMap(words) : undefined;
    const port = /^:(\d\S*)$/.exec(words.words[words.at] ?? '')?.[1];
    words.at += port === undefined ? 0 : 1;
    return map === undefined ? undefined : { lookup: { key, map, ...defined({ port }) } };
  }
  words.at = start;
  const text = takeWord(words);
  if (text === undefined || !/^[\d:[]|^[0-9a-f]+:/.test(text)) {
    return undefined;
  }
  const bracketed = /^\[([^\]]*)\](?::(.+))?$/.exec(text);
  if (bracketed !== null) {
    return defined({ address: bracketed[1], port: bracketed[2] });
  }
  const colon = text.indexOf(':');
  if (colon < 0 || colon !== text.lastIndexOf(':')) {
    return { address: text };
  }
  const port = text.slice(colon + 1);
  return colon === 0 ? { port } : { address: text.slice(0, colon), port };
}

function writeTarget(address: string | undefined, port: string | undefined): string {
  if (address === undefined) {
    return `:${port}`;
  }
  if (port === undefined) {
    return address;
  }
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function writeLookup({ key, map, port }: NatLookup, spelling: NftSpelling): string {
  const behind = port === undefined ? '' : `${spelling === 'transaction' ? ' ' : ''}:${port}`;
  return `${writeSelector(key, spelling)} map ${writeMap(map, selectorTypes(key), spelling)}${behind}`;
}

/** Only the map itself tells, and a named one stands elsewhere: nft needs no word for that. */
function givesPort(map: MapOperand): boolean {
  return map.kind === 'anonymousMap' && map.elements.some(({ value }) => value !== undefined && value.length > 1);
}

function targetFromJson(record: Readonly<Record<string, unknown>>): Target | undefined {
  const [kind, body] = only(record.addr) ?? [];
  if (kind === 'map') {
    const { key: keyed, data } = asRecord(body) ?? {};
    const key = selectorFromJson(keyed);
    const map = key === undefined ? undefined : mapFromJson(data, selectorTypes(key), targetTypes);
    const port = 'port' in record ? keyFromJson(record.port, [])?.[0] : undefined;
    const isRead = port !== undefined || !('port' in record);
    return key === undefined || map === undefined || !isRead
      ? undefined
      : { lookup: { key, map, ...defined({ port }) } };
  }
  const address = 'addr' in record ? keyFromJson(record.addr, [])?.[0] : undefined;
  const port = 'port' in record ? keyFromJson(record.port, [])?.[0] : undefined;
  const isRead = (address !== undefined || !('addr' in record)) && (port !== undefined || !('port' in record));
  return isRead ? defined({ address, port }) : undefined;
}

const targetTypes = ['', 'inet_service'];
