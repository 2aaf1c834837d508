import { existsSync } from 'node:fs';
import { isNodeWord } from '../dumps/nodeWords.ts';

/**
 * What to type if a dump is in the place of the name in question, or is the only word; undefined: the words are in
 * order.
 */
export function nameComesFirst(
  command: string,
  name: string,
  paths: readonly string[],
  isWithManifests: boolean,
): string | undefined {
  const [other] = paths;
  if (other === undefined && !isWithManifests && existsSync(name))
    return `say what to look for: k8snet ${command} ${command === 'split' ? 'WHERE' : 'NAME'} ${name}`;
  if (other === undefined || other === '-' || existsSync(other) || isNodeWord(other)) return undefined;
  if (isNodeWord(name)) return `the name comes first, then the node: k8snet ${command} ${other} ${name}`;
  if (!existsSync(name)) return undefined;
  return `the name comes first, then the dump: k8snet ${command} ${other} ${name}`;
}
