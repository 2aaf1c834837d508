import { familyNames } from '../../common/addresses/family.ts';
import { parseIp } from '../../common/addresses/ip.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { checkAddress } from '../fields/addresses.ts';
import type { Complain } from '../fields/complain.ts';
import { dns1123LabelProblem, dns1123SubdomainProblem, portNameProblem } from '../fields/names.ts';
import { quote } from '../fields/quote.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { ContainerObject, Manifests, PodObject, PodSpecObject } from '../kinds/manifests.ts';

/** Pods and pod templates: addresses, the node's name, their own names and aliases, names of container ports. */
export function pods(manifests: Manifests, complain: Complain): void {
  for (const pod of manifests.pods) {
    if (!pod.value.spec?.containers?.length) {
      const message = 'is required: a Pod has at least one container';
      complain(pod, { code: 'missing-field', path: ['spec', 'containers'], message });
    }
    checkSpec(pod, ['spec'], pod.value.spec, complain);
    checkStatus(pod, complain);
  }
  for (const workload of manifests.workloads) {
    checkSpec(workload, ['spec', 'template', 'spec'], workload.value.spec.template?.spec, complain);
  }
}

function checkSpec(
  manifest: Manifest<unknown>,
  path: JsonPath,
  spec: PodSpecObject | null | undefined,
  complain: Complain,
): void {
  const nodeProblem = spec?.nodeName ? dns1123SubdomainProblem(spec.nodeName) : undefined;
  if (nodeProblem !== undefined) {
    const message = `${quote(spec?.nodeName)} ${nodeProblem}`;
    complain(manifest, { code: 'bad-name', path: [...path, 'nodeName'], message });
  }
  checkNames(manifest, path, spec, complain);
  checkHostAliases(manifest, path, spec, complain);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec?.[list] ?? []).entries()) {
      checkPorts(manifest, [...path, list, index, 'ports'], container, complain);
    }
  }
}

function checkNames(
  manifest: Manifest<unknown>,
  path: JsonPath,
  spec: PodSpecObject | null | undefined,
  complain: Complain,
): void {
  const problems = {
    hostname: spec?.hostname ? dns1123LabelProblem(spec.hostname) : undefined,
    subdomain: spec?.subdomain ? dns1123LabelProblem(spec.subdomain) : undefined,
    hostnameOverride: spec?.hostnameOverride ? dns1123SubdomainProblem(spec.hostnameOverride) : undefined,
  };
  for (const field of ['hostname', 'subdomain', 'hostnameOverride'] as const) {
    if (problems[field] === undefined) continue;
    const message = `${quote(spec?.[field])} ${problems[field]}`;
    complain(manifest, { code: 'bad-name', path: [...path, field], message });
  }
}

function checkHostAliases(
  manifest: Manifest<unknown>,
  path: JsonPath,
  spec: PodSpecObject | null | undefined,
  complain: Complain,
): void {
  for (const [index, { ip, hostnames }] of (spec?.hostAliases ?? []).entries()) {
    const place = [...path, 'hostAliases', index];
    checkAddress(manifest, [...place, 'ip'], ip, complain);
    for (const [position, hostname] of (hostnames ?? []).entries()) {
      const problem = dns1123SubdomainProblem(hostname);
      if (problem === undefined) continue;
      const message = `${quote(hostname)} ${problem}`;
      complain(manifest, { code: 'bad-name', path: [...place, 'hostnames', position], message });
    }
  }
}

function checkPorts(manifest: Manifest<unknown>, path: JsonPath, container: ContainerObject, complain: Complain): void {
  const names = new Set<string>();
  for (const [index, { name }] of (container.ports ?? []).entries()) {
    if (!name) continue;
    const problem = portNameProblem(name);
    if (problem !== undefined) {
      complain(manifest, {
        code: 'bad-name',
        path: [...path, index, 'name'],
        message: `${quote(name)} is not the name of a port: it ${problem}`,
      });
    }
    if (names.has(name)) {
      const message = `another port of the container has the name ${quote(name)}`;
      complain(manifest, { code: 'duplicate-port', path: [...path, index, 'name'], message });
    }
    names.add(name);
  }
}

function checkStatus(pod: Manifest<PodObject>, complain: Complain): void {
  const { podIP, podIPs } = pod.value.status ?? {};
  if (podIP) checkAddress(pod, ['status', 'podIP'], podIP, complain);
  const several = podIPs ?? [];
  for (const [index, { ip }] of several.entries()) {
    if (ip !== podIP) checkAddress(pod, ['status', 'podIPs', index, 'ip'], ip, complain);
  }
  const families = several.map(({ ip }) => parseIp(ip)?.family).filter((family) => family !== undefined);
  const repeated = families.find((family, index) => families.indexOf(family) !== index);
  if (repeated !== undefined) {
    const message = `has two ${familyNames[repeated]} addresses, at most one of each IP family is allowed`;
    complain(pod, { code: 'wrong-item-count', path: ['status', 'podIPs'], message });
  }
  if (podIP && several.length > 0 && several[0]?.ip !== podIP) {
    const message = `the first value must be that of podIP, ${quote(podIP)}`;
    complain(pod, { code: 'fields-disagree', path: ['status', 'podIPs'], message });
  }
}
