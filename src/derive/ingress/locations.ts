import { compareBytes } from '../../common/compareBytes.ts';
import type { IngressTarget, Location } from './ingressPlan.ts';

/** A path of an Ingress and where its requests go. */
export interface PathRule {
  readonly type: PathType;
  /** Begins with `/`; of a Prefix without the slash at its end, `/` alone aside. */
  readonly path: string;
  readonly target: IngressTarget;
}

export type PathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/**
 * Path rules as exact and prefix locations that give every path the same target. Exact rules win, then the longest path,
 * then Prefix over ImplementationSpecific. A Prefix goes by whole elements, so it is an exact location, and a prefix
 * location with a slash. Nginx redirects `/foo` where a location `/foo/` is proxied: each such path gets a location too.
 */
export function locations(rules: readonly PathRule[], otherwise: IngressTarget): readonly Location[] {
  const lookup = ruleLookup(rules);
  const prefixes = new Set<string>(['/']);
  const exacts = new Set<string>();
  for (const { type, path } of rules) {
    if (type !== 'ImplementationSpecific') exacts.add(path);
    if (type !== 'Exact') prefixes.add(type === 'Prefix' ? elementPrefix(path) : path);
  }
  for (const path of [...exacts, ...prefixes]) {
    for (let at = path; at.length > 1 && at.endsWith('/'); at = at.slice(0, -1)) exacts.add(at.slice(0, -1) || '/');
  }
  const found: Location[] = [];
  for (const path of exacts) found.push({ path, isExact: true, target: lookup.exact(path) ?? otherwise });
  for (const path of prefixes) found.push({ path, isExact: false, target: lookup.below(path) ?? otherwise });
  return found.sort(
    (a, b) => b.path.length - a.path.length || Number(b.isExact) - Number(a.isExact) || compareBytes(a.path, b.path),
  );
}

/** The text that everything below a Prefix begins with. */
function elementPrefix(path: string): string {
  return path === '/' ? path : `${path}/`;
}

interface RuleLookup {
  /** The target of the path itself. */
  readonly exact: (path: string) => IngressTarget | undefined;
  /** The target of whatever begins with the text and meets no rule that is longer. */
  readonly below: (text: string) => IngressTarget | undefined;
}

function ruleLookup(rules: readonly PathRule[]): RuleLookup {
  const byType: Record<PathType, Map<string, IngressTarget>> = {
    Exact: new Map(),
    Prefix: new Map(),
    ImplementationSpecific: new Map(),
  };
  for (const { type, path, target } of rules) byType[type].set(path, target);

  const below = (text: string): IngressTarget | undefined => {
    for (let length = text.length; length > 0; length--) {
      const path = text.slice(0, length);
      const isElement = length === 1 || text.charAt(length) === '/';
      const target = (isElement ? byType.Prefix.get(path) : undefined) ?? byType.ImplementationSpecific.get(path);
      if (target !== undefined) return target;
    }
    return undefined;
  };
  return {
    // A slash behind the path lets a Prefix match that is the whole of it.
    exact: (path) => byType.Exact.get(path) ?? byType.Prefix.get(path) ?? below(path),
    below,
  };
}
