import type { NatStatement } from '../ast.ts';
import { asRecord, asText, defined } from '../jsonValue.ts';
import { keyFromJson } from '../keyFromJson.ts';
import type { StatementSyntax } from '../statementSyntax.ts';
import { accept, takeList, takeWord, type Words } from '../words.ts';

const actions = ['dnat', 'snat', 'masquerade', 'redirect'] as const;

/** `dnat to 10.0.0.1:80`, `masquerade fully-random`, `redirect to :8080`. */
export const natStatement: StatementSyntax<NatStatement> = {
  starts: actions,
  read: (words) => {
    const action = actionOf(takeWord(words));
    if (action === undefined) {
      return undefined;
    }
    const next = words.words[words.at];
    // Else the word begins the next statement.
    const hasFamily = (next === 'ip' || next === 'ip6') && words.words[words.at + 1] === 'to';
    const family = hasFamily ? takeWord(words) : undefined;
    const target = accept(words, 'to') ? readTarget(words) : {};
    const flags = flagWords.has(words.words[words.at] ?? '') ? takeList(words) : [];
    return target === undefined || flags === undefined
      ? undefined
      : { kind: 'nat', action, ...defined({ family }), ...target, flags };
  },
  write: ({ action, family, address, port, flags }) => {
    let text: string = family === undefined ? action : `${action} ${family}`;
    if (address !== undefined || port !== undefined) {
      text += ` to ${writeTarget(address, port)}`;
    }
    return flags.length === 0 ? text : `${text} ${flags.join(',')}`;
  },
  jsonNames: actions,
  fromJson: (body, name) => {
    const action = actionOf(name);
    const record = asRecord(body) ?? {};
    const address = 'addr' in record ? keyFromJson(record.addr, [])?.[0] : undefined;
    const port = 'port' in record ? keyFromJson(record.port, [])?.[0] : undefined;
    // A map of targets (`dnat to numgen … map …`) is not read.
    if (
      action === undefined ||
      (address === undefined && 'addr' in record) ||
      (port === undefined && 'port' in record)
    ) {
      return undefined;
    }
    const flags = [record.flags].flat().filter((flag) => typeof flag === 'string');
    return { kind: 'nat', action, ...defined({ family: asText(record.family), address, port }), flags };
  },
};

const flagWords = new Set(['random', 'fully-random', 'persistent']);

function actionOf(text: string | undefined): NatStatement['action'] | undefined {
  return actions.find((action) => action === text);
}

/** `10.0.0.1:80`, `[fd00::1]:80`, `fd00::1`, `:80`, ranges of both. */
function readTarget(words: Words): Pick<NatStatement, 'address' | 'port'> | undefined {
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
