import { parseIp } from '../../common/addresses/ip.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Complain } from '../fields/complain.ts';
import { quote } from '../fields/quote.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { DnsConfigObject, Manifests, PodSpecObject } from '../kinds/manifests.ts';

/** dnsPolicy and dnsConfig of Pods and pod templates. */
export function podDns(manifests: Manifests, complain: Complain): void {
  for (const pod of manifests.pods) check(pod, ['spec'], pod.value.spec, complain);
  for (const workload of manifests.workloads) {
    check(workload, ['spec', 'template', 'spec'], workload.value.spec.template?.spec, complain);
  }
}

const policies: readonly string[] = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];

/** Of every version since 1.26; older ones take less, which is said where the version counts. */
const most = { servers: 3, searches: 32, characters: 2048 };

function check(
  manifest: Manifest<unknown>,
  path: JsonPath,
  spec: PodSpecObject | null | undefined,
  complain: Complain,
): void {
  if (!spec) return;
  const { dnsPolicy, dnsConfig } = spec;
  if (dnsPolicy && !policies.includes(dnsPolicy)) {
    const message = `unsupported value ${quote(dnsPolicy)}: supported values are ${policies.join(', ')}`;
    complain(manifest, { code: 'bad-value', path: [...path, 'dnsPolicy'], message });
  }
  if (dnsPolicy === 'None' && !dnsConfig?.nameservers?.length) {
    const message = 'must have at least one server with dnsPolicy None';
    complain(manifest, { code: 'dns-config-invalid', path: [...path, 'dnsConfig', 'nameservers'], message });
  }
  if (dnsConfig) checkConfig(manifest, [...path, 'dnsConfig'], dnsConfig, complain);
}

function checkConfig(manifest: Manifest<unknown>, path: JsonPath, config: DnsConfigObject, complain: Complain): void {
  const refuse = (place: JsonPath, message: string) =>
    complain(manifest, { code: 'dns-config-invalid', path: [...path, ...place], message });
  const [servers, searches] = [config.nameservers ?? [], config.searches ?? []];
  if (servers.length > most.servers) refuse(['nameservers'], `must not have more than ${most.servers} servers`);
  for (const [index, server] of servers.entries()) {
    if (parseIp(server) === undefined) refuse(['nameservers', index], `${quote(server)} is not an IP address`);
  }
  if (searches.length > most.searches) refuse(['searches'], `must not have more than ${most.searches} names`);
  if (searches.join(' ').length > most.characters) {
    refuse(['searches'], `must not have more than ${most.characters} characters, blanks included`);
  }
  for (const [index, name] of searches.entries()) {
    if (!searchName.test(name)) refuse(['searches', index], `${quote(name)} is not a domain name`);
  }
  for (const [index, { name, value }] of (config.options ?? []).entries()) {
    if (!name) refuse(['options', index, 'name'], 'is required');
    // The API server takes any text; one with a blank or an end of line would be another option or line.
    else if (!/^[!-9;-~]+$/.test(name))
      refuse(['options', index, 'name'], `${quote(name)} is not the name of an option`);
    if (value && !/^[!-~]+$/.test(value))
      refuse(['options', index, 'value'], `${quote(value)} is not the value of an option`);
  }
}

/** With the underscores, and the root, that the API server takes since 1.34. */
const searchName = /^(?:\.|[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?)$/;
