import type { Selector } from '../ast.ts';
import { asNumber, asRecord, asText, defined, only } from './jsonValue.ts';

/** The selector of a JSON expression: `{"payload": {"protocol": "ip", "field": "saddr"}}`. */
export function selectorFromJson(value: unknown): Selector | undefined {
  const [kind, body] = only(value) ?? [];
  if (kind === 'concat') {
    const parts = Array.isArray(body) ? body.map((part) => singleFromJson(only(part))) : [];
    return parts.length > 0 && parts.every((part) => part !== undefined) ? { kind: 'concat', parts } : undefined;
  }
  return singleFromJson(kind === undefined ? undefined : [kind, body]);
}

function singleFromJson(tagged: readonly [string, unknown] | undefined): Selector | undefined {
  const [kind, body] = tagged ?? [];
  const record = asRecord(body) ?? {};
  switch (kind) {
    case 'payload': {
      const protocol = asText(record.protocol);
      const field = asText(record.field);
      return protocol === undefined || field === undefined ? undefined : { kind: 'payload', protocol, field };
    }
    case 'meta': {
      const key = asText(record.key);
      return key === undefined ? undefined : { kind: 'meta', key };
    }
    case 'ct':
      return ctFromJson(record);
    case 'rt': {
      const key = asText(record.key);
      const family = asText(record.family);
      return key === undefined ? undefined : { kind, key: family === undefined ? key : `${family} ${key}` };
    }
    case 'socket': {
      const key = asText(record.key);
      return key === undefined ? undefined : { kind, key };
    }
    case 'tcp option': {
      const option = asText(record.name);
      return option === undefined
        ? undefined
        : { kind: 'tcpOption', option, ...defined({ field: asText(record.field) }) };
    }
    case 'fib': {
      const result = asText(record.result);
      const flags = Array.isArray(record.flags) ? record.flags.filter((flag) => typeof flag === 'string') : [];
      return result === undefined || flags.length === 0 ? undefined : { kind: 'fib', flags, result };
    }
    case 'numgen': {
      const mode = asText(record.mode);
      const modulus = asNumber(record.mod);
      const offset = asNumber(record.offset) ?? 0;
      if (mode === undefined || modulus === undefined) {
        return undefined;
      }
      // The listing leaves an offset of zero out.
      return offset === 0 ? { kind: 'numgen', mode, modulus } : { kind: 'numgen', mode, modulus, offset };
    }
    case 'jhash':
    case 'symhash': {
      const key = kind === 'jhash' ? selectorFromJson(record.expr) : undefined;
      const modulus = asNumber(record.mod);
      const seed = asNumber(record.seed);
      const offset = asNumber(record.offset) || undefined;
      return modulus === undefined || (kind === 'jhash' && key === undefined)
        ? undefined
        : { kind: 'hash', method: kind, modulus, ...defined({ key, seed: seed?.toString(), offset }) };
    }
    default:
      return undefined;
  }
}

function ctFromJson(record: Readonly<Record<string, unknown>>): Selector | undefined {
  const key = asText(record.key);
  const direction = record.dir;
  if (key === undefined) {
    return undefined;
  }
  return direction === 'original' || direction === 'reply' ? { kind: 'ct', key, direction } : { kind: 'ct', key };
}
