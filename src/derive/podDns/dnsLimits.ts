import type { Origin, Report } from '../../diagnostics/diagnostic.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { ResolvConf } from './parseResolvConf.ts';

/** glibc reads no more servers. */
const mostServers = 3;

/** Longer names made some versions of glibc abort. */
const longestName = 253;

/** ExpandedDNSConfig: on since 1.26. */
function searchLimits({ minor }: KubeVersion): { readonly names: number; readonly characters: number } {
  return minor >= 26 ? { names: 32, characters: 2048 } : { names: 6, characters: 256 };
}

/** The API server takes these names for a Pod's dnsConfig. */
export function isWithinSearchLimits(searches: readonly string[], version: KubeVersion): boolean {
  const { names, characters } = searchLimits(version);
  return searches.length <= names && searches.join(' ').length <= characters;
}

/** Cuts what the kubelet would cut, each with a warning. */
export function fitLimits(conf: ResolvConf, version: KubeVersion, pod: Origin, report: Report): ResolvConf {
  const { names, characters } = searchLimits(version);
  const warn = (message: string) => report({ code: 'dns-limits', severity: 'warning', message, at: [pod] });
  const nameservers = conf.nameservers.slice(0, mostServers);
  if (nameservers.length < conf.nameservers.length) {
    warn(
      `${conf.nameservers.length} servers are more than ${mostServers}: ${conf.nameservers.slice(mostServers).join(', ')} left out`,
    );
  }
  let searches = conf.searches.slice(0, names);
  if (searches.length < conf.searches.length) {
    warn(
      `${conf.searches.length} search names are more than ${names}: ${conf.searches.slice(names).join(', ')} left out`,
    );
  }
  const short = searches.filter((name) => name.length <= longestName);
  if (short.length < searches.length) warn(`a search name of more than ${longestName} characters is left out`);
  searches = short;
  while (searches.join(' ').length > characters) {
    warn(`the search list has more than ${characters} characters: ${searches.at(-1)} left out`);
    searches = searches.slice(0, -1);
  }
  return { nameservers, searches, options: conf.options };
}
