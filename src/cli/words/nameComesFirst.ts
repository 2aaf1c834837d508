import { existsSync } from 'node:fs';

/** What to type where a dump stands in the place of the name that is asked about, or alone; undefined: they are in order. */
export function nameComesFirst(
  command: string,
  name: string,
  paths: readonly string[],
  isWithManifests: boolean,
): string | undefined {
  const [other] = paths;
  if (other === undefined && !isWithManifests && existsSync(name))
    return `say what to look for: k8snet ${command} ${command === 'split' ? 'WHERE' : 'NAME'} ${name}`;
  if (other === undefined || other === '-' || existsSync(other) || !existsSync(name)) return undefined;
  return `the name comes first, then the dump: k8snet ${command} ${other} ${name}`;
}
