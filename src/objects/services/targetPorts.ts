import type { Protocol } from '../../common/addresses/protocol.ts';
import { servingContainers } from '../../resolve/endpoints/portOfPod.ts';
import type { ContainerObject, PodSpecObject } from '../../validate/kinds/manifests.ts';
import { type LintContext, type LintedPodSpec, type LintedService, selectedSpecs } from '../lintContext.ts';

/** Target ports against what the containers of the selected Pods say they listen on. */
export function targetPorts(context: LintContext): void {
  for (const [linted, specs] of selectedSpecs(context)) {
    if (specs.length === 0) continue;
    const reached = linted.service.ports.map((port, index) => checkPort(context, linted, specs, port, index));
    checkContainers(context, linted, reached);
  }
}

type Port = LintedService['service']['ports'][number];

/** Gives the name of the container that the port reaches in the first Pod, if that can be told. */
function checkPort(
  { complain, sources }: LintContext,
  { service, manifest }: LintedService,
  specs: readonly LintedPodSpec[],
  { targetPort, protocol }: Port,
  index: number,
): string | undefined {
  const path = ['spec', 'ports', index, 'targetPort'];
  const named = typeof targetPort === 'string';
  // For Pods the compiler says it, where it makes endpoints of them.
  const isGiven = sources.slices().has(service.id) || sources.endpoints().has(service.id);
  const missing = specs.filter(
    (spec) =>
      (!named || isGiven || spec.workload !== undefined) &&
      containerWith(spec.spec, targetPort, protocol) === undefined &&
      (named || declares(spec, protocol)),
  );
  const [first] = missing;
  if (first !== undefined && missing.length === specs.length) {
    complain(manifest, {
      code: named ? 'named-port-missing' : 'target-port-not-declared',
      path,
      message: named
        ? `no container of ${first.title} has a port named "${targetPort}": Service ${service.id} has no endpoints for it`
        : `no container of ${first.title} declares port ${targetPort}/${protocol.toLowerCase()}, only ${declaredPorts(first, protocol).join(', ')}`,
      also: [first.manifest.origin],
      hint: 'targetPort is the port that the container listens on; port is the one of the Service',
    });
    return undefined;
  }
  const [spec] = specs;
  return spec && containerWith(spec.spec, targetPort, protocol)?.name?.toString();
}

function checkContainers(
  { complain }: LintContext,
  { service, manifest }: LintedService,
  reached: readonly (string | undefined)[],
): void {
  const names = [...new Set(reached.filter((name) => name !== undefined))];
  if (names.length < 2) return;
  complain(manifest, {
    code: 'ports-of-different-containers',
    path: ['spec', 'ports'],
    message: `the ports of Service ${service.id} reach different containers of its Pods: ${names.join(', ')}`,
  });
}

function containerWith(spec: PodSpecObject, target: number | string, protocol: Protocol): ContainerObject | undefined {
  return servingContainers(spec).find(({ ports }) =>
    ports?.some(
      (port) =>
        (port.protocol ?? 'TCP') === protocol &&
        (typeof target === 'string' ? port.name === target : port.containerPort === target),
    ),
  );
}

/** A container that declares no port may listen on any. */
function declares(spec: LintedPodSpec, protocol: Protocol): boolean {
  return (
    declaredPorts(spec, protocol).length > 0 && spec.containers.every(({ ports }) => ports != null && ports.length > 0)
  );
}

function declaredPorts({ containers }: LintedPodSpec, protocol: Protocol): readonly string[] {
  return containers.flatMap(({ ports }) =>
    (ports ?? [])
      .filter((port) => (port.protocol ?? 'TCP') === protocol)
      .map(({ containerPort }) => `${containerPort}/${protocol.toLowerCase()}`),
  );
}
