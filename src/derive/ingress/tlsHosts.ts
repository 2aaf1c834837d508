import type { Report } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import { dns1123SubdomainProblem } from '../../validate/fields/names.ts';
import { quote } from '../../validate/fields/quote.ts';
import { coveringHost } from './coveringHost.ts';
import type { TlsSecret } from './ingressPlan.ts';
import { readHost } from './readIngressRules.ts';
import type { SelectedIngress } from './selectIngresses.ts';

/** Which hosts have certificates. */
export interface TlsHosts {
  /** As written in `tls`, wildcards too. */
  readonly hosts: readonly string[];
  /** That of the host itself, or otherwise of the wildcard that covers it. */
  readonly secretOf: (host: string) => TlsSecret | undefined;
  /** The redirect settings of the Ingress with the certificate. */
  readonly redirectsOf: (host: string) => boolean | undefined;
}

interface Entry {
  readonly secret: TlsSecret;
  readonly redirects: boolean | undefined;
}

/** Reads `spec.tls` of all Ingresses; the first one that names a host counts. */
export function tlsHosts(ingresses: readonly SelectedIngress[], report: Report): TlsHosts {
  const entries = new Map<string, Entry>();
  const owners = new Map<string, string>();
  for (const { manifest, namespace, redirectsToTls } of ingresses) {
    for (const [index, { hosts, secretName }] of (manifest.value.spec?.tls ?? []).entries()) {
      const at = originIn(manifest.origin, ['spec', 'tls', index]);
      if (!secretName || !hosts || hosts.length === 0) {
        report({
          code: 'tls-ignored',
          severity: 'warning',
          message: `a TLS entry without ${secretName ? 'hosts' : 'secretName'} is ignored`,
          at: [at],
          hint: 'name the hosts and the Secret that holds their certificate',
        });
        continue;
      }
      const problem = dns1123SubdomainProblem(secretName);
      if (problem !== undefined) {
        const message = `the Secret name ${quote(secretName)} ${problem}`;
        report({ code: 'bad-name', severity: 'error', message, at: [originIn(at, ['secretName'])] });
        continue;
      }
      // Its files are named so, and `a-b/c` and `a/b-c` would share them.
      const id = `${namespace}/${secretName}`;
      const owner = owners.get(`${namespace}-${secretName}`) ?? id;
      owners.set(`${namespace}-${secretName}`, owner);
      if (owner !== id) {
        const message = `the Secrets ${owner} and ${id} would have files of one name`;
        report({ code: 'bad-value', severity: 'error', message, at: [originIn(at, ['secretName'])] });
        continue;
      }
      for (const [number, text] of hosts.entries()) {
        const host = readHost(text, originIn(at, ['hosts', number]), report);
        if (!host || entries.has(host)) continue;
        entries.set(host, { secret: { namespace, name: secretName }, redirects: redirectsToTls });
      }
    }
  }
  const find = (host: string) => entries.get(host) ?? entries.get(coveringHost(host));
  return {
    hosts: [...entries.keys()],
    secretOf: (host) => find(host)?.secret,
    redirectsOf: (host) => find(host)?.redirects,
  };
}
