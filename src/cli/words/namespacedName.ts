import { InvalidArgumentError } from 'commander';
import type { NamespacedName } from '../options/emitPodOptions.ts';

/** Reads the name of a Pod or Service. */
export function namespacedName(text: string): NamespacedName {
  const [first = '', second, ...rest] = text.split('/');
  const [namespace, name] = second === undefined ? ['default', first] : [first, second];
  if (rest.length > 0 || namespace === '' || name === '') {
    throw new InvalidArgumentError('Give NAMESPACE/NAME, or NAME for one in "default".');
  }
  return { namespace, name };
}
