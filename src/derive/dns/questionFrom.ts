import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import { findPod } from '../findPod.ts';
import { clusterSearches, type PodDnsSettings, podDns } from '../podDns/podDns.ts';
import type { Question } from './resolveName.ts';

/** The client: a Pod, with its own resolv.conf, or any Pod of a namespace. */
export type Asker =
  | { readonly kind: 'pod'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'namespace'; readonly namespace: string };

/** What the resolver of the asker knows; undefined: an error was reported. */
export function questionFrom(
  cluster: Cluster,
  asker: Asker,
  asked: Pick<Question, 'name' | 'type' | 'resolver'>,
  settings: PodDnsSettings,
  report: Report,
): Question | undefined {
  if (!isName(asked.name)) {
    report({
      code: 'bad-value',
      severity: 'error',
      message: `${JSON.stringify(asked.name)} is not a name that DNS could be asked for`,
      at: [],
    });
    return undefined;
  }
  if (asker.kind === 'namespace') {
    return { ...asked, search: clusterSearches(asker.namespace, settings.clusterDomain), ndots: 5 };
  }
  const pod = findPod(cluster, asker, report);
  const conf = pod && podDns(cluster, pod, settings, report);
  return conf && { ...asked, search: conf.searches, ndots: ndotsOf(conf.options) };
}

/** Both resolvers take 1 where nothing is said, and 15 at most. */
function ndotsOf(options: readonly string[]): number {
  const option = options.find((each) => each.startsWith('ndots:'));
  if (option === undefined) return 1;
  return Math.min(Number.parseInt(option.slice('ndots:'.length), 10) || 0, 15);
}

function isName(name: string): boolean {
  if (name === '.') return true;
  return /^[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/.test(name) && name.replace(/\.$/, '').length <= 253;
}
