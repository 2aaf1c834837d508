import type { Family } from '../../common/addresses/family.ts';
import type { Step } from '../meaning.ts';
import type { MatchOption, Target } from './ast.ts';
import type { IptablesSpelling } from './matchKind.ts';
import {
  jumpMeaning,
  markTargetMeaning,
  masqueradeMeaning,
  natMeaning,
  otherTargetMeaning,
  rejectMeaning,
} from './meaning/targetMeaning.ts';
import { canonicalOptions, printOptions } from './options/optionGrammar.ts';
import { targetGrammar } from './options/targetOptions.ts';
import { bareWord } from './print/quote.ts';
import { canonicalNatAddress } from './values/addresses.ts';
import { asXmark } from './values/asXmark.ts';
import { hexMark, paddedMark, readMark } from './values/marks.ts';
import { canonicalRejection } from './values/rejections.ts';

/** All there is to know of one kind of target. */
interface TargetKind<T extends Target> {
  /** Undefined: iptables would not take these options; the target is then kept word by word. */
  read(options: readonly MatchOption[]): T | undefined;
  /** ` -j NAME …`; of a target that is canonical the text that iptables-save prints. */
  print(target: T, spelling: IptablesSpelling): string;
  /** The form in which iptables-save prints the target; the target itself if it is that already. */
  canonical(target: T, family: Family): T;
  /** What it does with a packet. */
  evaluate(target: T, family: Family): Step;
}

/** Reads what stands behind `-j name`. A name that is no known target and has no options is a chain. */
export function readTarget(name: string, options: readonly MatchOption[], isGoto: boolean): Target {
  if (isGoto) {
    return { kind: 'jump', chain: name, isGoto };
  }
  if (options.length === 0 && !targetGrammar(name)) {
    return { kind: 'jump', chain: name };
  }
  const kind = kindByName.get(name);
  return (kind && kinds[kind].read(options)) ?? { kind: 'other', name, options };
}

export function printTarget(target: Target, spelling: IptablesSpelling): string {
  return (kinds[target.kind] as TargetKind<Target>).print(target, spelling);
}

export function canonicalTarget(target: Target, family: Family): Target {
  return (kinds[target.kind] as TargetKind<Target>).canonical(target, family);
}

export function evaluateTarget(target: Target, family: Family): Step {
  return (kinds[target.kind] as TargetKind<Target>).evaluate(target, family);
}

const kinds: { readonly [K in Target['kind']]: TargetKind<Extract<Target, { kind: K }>> } = {
  jump: {
    read: () => undefined,
    print: (target) => (target.isGoto ? ` -g ${bareWord(target.chain)}` : ` -j ${bareWord(target.chain)}`),
    canonical: (target) => target,
    evaluate: jumpMeaning,
  },
  reject: {
    read: (options) => {
      if (options.length === 0) {
        return { kind: 'reject' };
      }
      const answer = options.length === 1 ? plainOption(options, 'reject-with') : undefined;
      return answer === undefined ? undefined : { kind: 'reject', with: answer };
    },
    print: (target) => (target.with === undefined ? ' -j REJECT' : ` -j REJECT --reject-with ${bareWord(target.with)}`),
    canonical: (target, family) => {
      const answer = canonicalRejection(target.with, family);
      return answer === target.with ? target : { kind: 'reject', with: answer };
    },
    evaluate: rejectMeaning,
  },
  mark: {
    read: (options) => {
      const name = options[0]?.name ?? '';
      const operation = name === 'set-xmark' ? name : operations.get(name);
      const [valueText = '', maskText, ...rest] = plainOption(options, name)?.split('/') ?? [];
      const value = readMark(valueText);
      const mask = maskText === undefined ? undefined : readMark(maskText);
      if (!operation || options.length > 1 || value === undefined || rest.length > 0) {
        return undefined;
      }
      if (maskText === undefined) {
        return { kind: 'mark', operation, value };
      }
      // Only these two take a mask.
      return mask !== undefined && (operation === 'set' || operation === 'set-xmark')
        ? { kind: 'mark', operation, value, mask }
        : undefined;
    },
    print: (target, spelling) => {
      const hex = spelling === 'save' ? hexMark : paddedMark;
      const name = target.operation === 'set-xmark' ? 'set-xmark' : `${target.operation}-mark`;
      const mask = target.mask === undefined ? '' : `/${hex(target.mask)}`;
      return ` -j MARK --${name} ${hex(target.value)}${mask}`;
    },
    canonical: (target) =>
      target.operation === 'set-xmark' && target.mask !== undefined
        ? target
        : { kind: 'mark', operation: 'set-xmark', ...asXmark(target.operation, target.value, target.mask) },
    evaluate: markTargetMeaning,
  },
  masquerade: {
    read: (options) => {
      const flags = options.filter((option) => option.name === 'random-fully');
      if (flags.length > 1 || flags[0]?.negated) {
        return undefined;
      }
      const isRandomFully = flags.length > 0;
      const others = options.filter((option) => option.name !== 'random-fully');
      return {
        kind: 'masquerade',
        ...(isRandomFully && { isRandomFully }),
        ...(others.length > 0 && { options: others }),
      };
    },
    print: (target, spelling) => {
      const head = ` -j MASQUERADE${optionText(target.options, 'MASQUERADE', spelling)}`;
      return target.isRandomFully ? `${head} --random-fully` : head;
    },
    canonical: (target, family) => withCanonicalOptions(target, 'MASQUERADE', family),
    evaluate: masqueradeMeaning,
  },
  dnat: {
    read: (options) => {
      const { to, options: others } = addressOption(options, 'to-destination') ?? {};
      return to === undefined ? undefined : { kind: 'dnat', to, ...(others && { options: others }) };
    },
    print: (target, spelling) =>
      ` -j DNAT --to-destination ${bareWord(target.to)}${optionText(target.options, 'DNAT', spelling)}`,
    canonical: (target, family) => withCanonicalAddress(withCanonicalOptions(target, 'DNAT', family), family),
    evaluate: ({ to, options }) => natMeaning('destination', to, options),
  },
  snat: {
    read: (options) => {
      const { to, options: others } = addressOption(options, 'to-source') ?? {};
      return to === undefined ? undefined : { kind: 'snat', to, ...(others && { options: others }) };
    },
    print: (target, spelling) =>
      ` -j SNAT --to-source ${bareWord(target.to)}${optionText(target.options, 'SNAT', spelling)}`,
    canonical: (target, family) => withCanonicalAddress(withCanonicalOptions(target, 'SNAT', family), family),
    evaluate: ({ to, options }) => natMeaning('source', to, options),
  },
  other: {
    read: () => undefined,
    print: (target, spelling) => ` -j ${bareWord(target.name)}${optionText(target.options, target.name, spelling)}`,
    canonical: (target, family) => {
      const grammar = targetGrammar(target.name);
      return grammar ? { ...target, options: canonicalOptions(target.options, grammar, family) } : target;
    },
    evaluate: otherTargetMeaning,
  },
};

const kindByName: ReadonlyMap<string, Target['kind']> = new Map<string, Target['kind']>([
  ['REJECT', 'reject'],
  ['MARK', 'mark'],
  ['MASQUERADE', 'masquerade'],
  ['DNAT', 'dnat'],
  ['SNAT', 'snat'],
]);

const operations: ReadonlyMap<string, 'set' | 'or' | 'and' | 'xor'> = new Map([
  ['set-mark', 'set'],
  ['or-mark', 'or'],
  ['and-mark', 'and'],
  ['xor-mark', 'xor'],
]);

function optionText(options: readonly MatchOption[] | undefined, name: string, spelling: IptablesSpelling): string {
  return options ? printOptions(options, targetGrammar(name), spelling) : '';
}

function plainOption(options: readonly MatchOption[], name: string): string | undefined {
  const option = options.find((candidate) => candidate.name === name);
  return option?.negated ? undefined : option?.values[0];
}

/** The option that says where to, and the others if there are any. */
function addressOption(
  options: readonly MatchOption[],
  name: string,
): { readonly to: string; readonly options?: readonly MatchOption[] } | undefined {
  const to = plainOption(options, name);
  const others = options.filter((option) => option.name !== name);
  if (to === undefined || others.length !== options.length - 1) {
    return undefined;
  }
  return others.length > 0 ? { to, options: others } : { to };
}

function withCanonicalAddress<T extends { readonly to: string }>(target: T, family: Family): T {
  const to = canonicalNatAddress(target.to, family);
  return to === target.to ? target : { ...target, to };
}

function withCanonicalOptions<T extends { readonly options?: readonly MatchOption[] }>(
  target: T,
  name: string,
  family: Family,
): T {
  const grammar = targetGrammar(name);
  return grammar && target.options ? { ...target, options: canonicalOptions(target.options, grammar, family) } : target;
}
