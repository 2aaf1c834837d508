import type { MatchOption, RecentMatch } from '../ast.ts';
import type { KindOf } from '../matchKind.ts';
import { recentMeaning } from '../meaning/matchMeaning.ts';
import { bareWord } from '../print/quote.ts';
import { countOf } from './optionGrammar.ts';

/** `-m recent`, by which kube-proxy sends clients to one endpoint. */
export const recentMatch: KindOf<'recent'> = {
  read: readRecent,
  print: (match, spelling) => (spelling === 'save' ? printSavedRecent(match) : printWrittenRecent(match)),
  canonical: (match, family) => ({
    ...match,
    mask: match.mask ?? (family === 'ipv4' ? '255.255.255.255' : 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
    side: match.side ?? 'rsource',
  }),
  evaluate: recentMeaning,
};

function readRecent(options: readonly MatchOption[]): RecentMatch | undefined {
  if (new Set(options.map(({ name }) => name)).size < options.length) {
    return undefined;
  }
  const draft: { -readonly [K in keyof RecentMatch]?: RecentMatch[K] } = {};
  for (const option of options) {
    const { name, negated } = option;
    const value = option.values[0] ?? '';
    if (name === 'set' || name === 'rcheck' || name === 'update' || name === 'remove') {
      if (draft.action) {
        return undefined;
      }
      draft.action = name;
      if (negated) {
        draft.negated = true;
      }
      continue;
    }
    if (negated) {
      return undefined;
    }
    const number = countOf(value);
    if (name === 'name') {
      draft.name = value;
    } else if (name === 'seconds' && number !== undefined) {
      draft.seconds = number;
    } else if (name === 'hitcount' && number !== undefined) {
      draft.hitcount = number;
    } else if (name === 'reap') {
      draft.isReaping = true;
    } else if (name === 'rttl') {
      draft.hasTtl = true;
    } else if (name === 'mask') {
      draft.mask = value;
    } else if (name === 'rsource' || name === 'rdest') {
      draft.side = name;
    } else {
      return undefined;
    }
  }
  const { action, name = 'DEFAULT' } = draft;
  return action ? { kind: 'recent', ...draft, action, name } : undefined;
}

/** kube-proxy names the list first. */
function printWrittenRecent(match: RecentMatch): string {
  return ` -m recent --name ${bareWord(match.name)}${printRecentAction(match)}${printRecentSide(match)}`;
}

function printSavedRecent(match: RecentMatch): string {
  return ` -m recent${printRecentAction(match)} --name ${bareWord(match.name)}${printRecentSide(match)}`;
}

function printRecentAction(match: RecentMatch): string {
  let text = `${match.negated ? ' ! --' : ' --'}${match.action}`;
  if (match.seconds !== undefined) {
    text += ` --seconds ${match.seconds}`;
  }
  if (match.isReaping) {
    text += ' --reap';
  }
  if (match.hitcount !== undefined) {
    text += ` --hitcount ${match.hitcount}`;
  }
  return match.hasTtl ? `${text} --rttl` : text;
}

function printRecentSide(match: RecentMatch): string {
  const mask = match.mask === undefined ? '' : ` --mask ${bareWord(match.mask)}`;
  return match.side === undefined ? mask : `${mask} --${match.side}`;
}
