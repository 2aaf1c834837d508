import { InvalidArgumentError } from 'commander';
import { partyWords } from '../../common/text/partyWords.ts';
import type { NamespacedName } from '../options/emitPodOptions.ts';

/** Reads the name of a Pod or Service, also with its kind: `pod/shop/web-0`. */
export function namespacedName(text: string): NamespacedName {
  const [first = '', second, ...rest] = partyWords(text)
    .replace(/^(?:pod|svc)\//, '')
    .split('/');
  const [namespace, name] = second === undefined ? ['default', first] : [first, second];
  if (rest.length > 0 || namespace === '' || name === '') {
    throw new InvalidArgumentError('Give NAMESPACE/NAME, or NAME for one in "default".');
  }
  return { namespace, name };
}
