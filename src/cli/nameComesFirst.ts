import { existsSync } from 'node:fs';

/** What to type where a dump stands in the place of the name that is asked about; undefined: they are in order. */
export function nameComesFirst(command: string, name: string, paths: readonly string[]): string | undefined {
  const [other] = paths;
  if (other === undefined || other === '-' || existsSync(other) || !existsSync(name)) return undefined;
  return `the name comes first, then the dump: k8snet ${command} ${other} ${name}`;
}
