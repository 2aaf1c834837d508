import { didYouMean } from '../../common/text/didYouMean.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { ValueRule } from './valueRule.ts';

/** What each option of a function takes. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: ValueRule };

/**
 * Looks at options as a caller gave them, who need not have types: each unknown name and each wrong value is reported as
 * an error. Options that are undefined count as left out. True: they are as their types say.
 */
export function areOptions<Options>(given: Options, rules: OptionRules<Options>, report: Report): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('options must be an object', undefined, report);
  let isFine = true;
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Options] : undefined;
    if (rule === undefined) {
      const meant = didYouMean(name, Object.keys(rules));
      const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
      isFine = refuse(`unknown option ${JSON.stringify(name)}`, hint, report);
    } else if (value !== undefined) {
      const wanted = rule(value);
      if (wanted !== undefined) isFine = refuse(`${name} must be ${wanted}, and is ${shown(value)}`, undefined, report);
    }
  }
  return isFine;
}

function refuse(message: string, hint: string | undefined, report: Report): false {
  report({ code: 'bad-option', severity: 'error', message, at: [], ...(hint !== undefined && { hint }) });
  return false;
}

/** A value as a message shows it: short, and never what it would run. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value).slice(0, longest);
  if (typeof value === 'number') return String(value);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) return `a value of the type ${typeof value}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const longest = 60;
