import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** Where the name of a node is in a path: `{node}/iptables.save`, `dump-{node}-*.txt`. */
export function nodePattern(text: string): string {
  if (text.split('{node}').length === 2) return text;
  throw new InvalidArgumentError('write {node} once, where the name stands: dump-{node}.save');
}

/** The name that a pattern finds at the end of a path; undefined: it does not fit. */
export function nameByPattern(pattern: string, path: string): string | undefined {
  const [before = '', behind = ''] = pattern.split('{node}').map(plainPattern);
  const found = new RegExp(`(?:^|/)${before}([a-zA-Z0-9][a-zA-Z0-9.-]*?)${behind}(?:/|$)`).exec(
    path.replace(/\/+$/, ''),
  );
  return found?.[1]?.toLowerCase();
}

function plainPattern(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}/]/g, '\\$&').replaceAll('*', '[^/]*');
}

/** Possible names of a path's node, the longest first: `n1.example.save`, `n1.example`, `n1`. */
export function namesByPath(given: string): readonly string[] {
  const last = basename(given.replace(/\/+$/, '')).replace(/^.*:/, '');
  const names = [last];
  for (let dot = last.lastIndexOf('.'); dot > 0; dot = last.lastIndexOf('.', dot - 1)) names.push(last.slice(0, dot));
  return names.map((name) => name.toLowerCase());
}
