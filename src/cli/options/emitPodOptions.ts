import { InvalidArgumentError } from 'commander';
import { dns1123SubdomainProblem } from '../../validate/fields/names.ts';

/** `NAMESPACE/NAME`; a name without a namespace is in `default`. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

export const defaultClusterDomain = 'cluster.local';

/** Reads `--cluster-domain`: lower case, without a final dot. */
export function clusterDomain(text: string): string {
  const domain = text.toLowerCase().replace(/\.$/, '');
  const problem = dns1123SubdomainProblem(domain);
  if (problem !== undefined) throw new InvalidArgumentError(`A domain ${problem}.`);
  if (domain.split('.').some((label) => label.length > 63)) {
    throw new InvalidArgumentError('A part of a domain has at most 63 characters.');
  }
  return domain;
}
