import type { NftKey } from '../ast.ts';
import { asRecord, only } from './jsonValue.ts';

/** A key or value of the JSON listing as words: `{"concat": ["10.0.0.1", "tcp", 80]}`, a prefix, a range. */
export function keyFromJson(value: unknown, types: readonly string[]): NftKey | undefined {
  const [kind, body] = only(value) ?? [];
  if (kind === 'concat' && Array.isArray(body)) {
    const parts = body.map((part, index) => wordFromJson(part, types[index]));
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }
  const word = wordFromJson(value, types[0]);
  return word === undefined ? undefined : [word];
}

function wordFromJson(value: unknown, type: string | undefined): string | undefined {
  const [kind, body] = only(value) ?? [];
  if (kind === 'range' && Array.isArray(body)) {
    const [first, last] = body.map((end) => plainWord(end, type));
    return first === undefined || last === undefined ? undefined : `${first}-${last}`;
  }
  if (kind === 'prefix') {
    const prefix = asRecord(body) ?? {};
    const address = plainWord(prefix.addr, type);
    return address === undefined || typeof prefix.len !== 'number' ? undefined : `${address}/${prefix.len}`;
  }
  return plainWord(value, type);
}

function plainWord(value: unknown, type: string | undefined): string | undefined {
  if (typeof value === 'number') {
    return type === 'mark' ? hexadecimal(value) : String(value);
  }
  return typeof value === 'string' ? value : undefined;
}

function hexadecimal(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
