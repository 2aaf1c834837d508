import type { Family } from '../../../common/addresses/family.ts';
import { hexMark, readMark } from '../values/marks.ts';
import { canonicalPortRange, portNumber } from '../values/ports.ts';
import type { OptionRule } from './optionGrammar.ts';

type Canonical = NonNullable<OptionRule['canonical']>;

/** Rewrites the one word of an option. */
export function value(rewrite: (text: string, family: Family) => string): Canonical {
  return (values, family) => {
    const text = values[0] ?? '';
    const canonical = rewrite(text, family);
    return canonical === text ? values : [canonical];
  };
}

/** A default that iptables-save does not print. */
export function unless(silent: string, rewrite: (text: string, family: Family) => string = same): Canonical {
  return (values, family, isNegated) => {
    const text = rewrite(values[0] ?? '', family);
    if (text === silent && !isNegated) {
      return undefined;
    }
    return text === values[0] ? values : [text];
  };
}

/** A list of words in iptables' own order, for it keeps them as bits. */
export function bits(...names: readonly string[]): (text: string) => string {
  const order = new Map(names.map((name, at) => [name, at]));
  return (text) => {
    if (!text.includes(',')) {
      return order.has(text) ? text : upperIfKnown(text, order);
    }
    const items = text.split(',').map((item) => upperIfKnown(item, order));
    const known = new Set(items.filter((item) => order.has(item)));
    const foreign = items.filter((item) => !order.has(item));
    return [...names.filter((name) => known.has(name)), ...foreign].join(',');
  };
}

/** `a-a` is `a`. */
export function range(separator: '-' | ':'): (text: string) => string {
  return (text) => {
    const at = text.indexOf(separator);
    return at !== -1 && text.slice(0, at) === text.slice(at + 1) ? text.slice(0, at) : text;
  };
}

export function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** `8` or `0x8`, read as C does, printed as lower-case hexadecimal of at least `digits` digits. */
export function hexNumber(digits: number): (text: string) => string {
  return (text) => {
    const number = readMark(text);
    return number === undefined ? text : `0x${number.toString(16).padStart(digits, '0')}`;
  };
}

/** Value and mask; an omitted mask is `mask`, and `silent` says when iptables-save leaves it out. */
export function masked(mask: number, silent: boolean, digits = 1): (text: string) => string {
  const hex = hexNumber(digits);
  return (text) => {
    const at = text.indexOf('/');
    const number = readMark(at === -1 ? text : text.slice(0, at));
    const maskNumber = at === -1 ? mask : readMark(text.slice(at + 1));
    if (number === undefined || maskNumber === undefined) {
      return text;
    }
    const value = digits === 1 ? hexMark(number) : hex(String(number));
    return silent && maskNumber === mask
      ? value
      : `${value}/${digits === 1 ? hexMark(maskNumber) : hex(String(maskNumber))}`;
  };
}

export const mark: (text: string) => string = masked(0xffffffff, true);
export const markAndMask: (text: string) => string = masked(0xffffffff, false);

export function decimal(text: string): string {
  const number = readMark(text);
  return number === undefined ? text : String(number);
}

export function named(names: Readonly<Record<string, string>>): (text: string) => string {
  const byName = new Map(Object.entries(names));
  return (text) => byName.get(text.toLowerCase()) ?? text;
}

/** `22,http,1:5`: numbers for names, each range by itself, order kept. */
export function portList(text: string): string {
  return text
    .split(',')
    .map((item) => item.split(':').map(portNumber).join(':'))
    .join(',');
}

export function portRange(text: string): string {
  return canonicalPortRange(text) ?? '0:65535';
}

/** `80-80` is `80`, `http` is `80`: the ports of a NAT target. */
export function natPortRange(text: string): string {
  return range('-')(text.split('-').map(portNumber).join('-'));
}

function same(text: string): string {
  return text;
}

function upperIfKnown(text: string, order: ReadonlyMap<string, number>): string {
  if (order.has(text)) {
    return text;
  }
  const upper = text.toUpperCase();
  return order.has(upper) ? upper : order.has(text.toLowerCase()) ? text.toLowerCase() : text;
}
