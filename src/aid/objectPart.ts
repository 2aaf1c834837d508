import { familyOf } from '../common/addresses/ip.ts';
import { count } from '../common/text/count.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Diagnostic, Origin } from '../diagnostics/diagnostic.ts';
import type { Evidence } from '../diagnostics/problem.ts';
import { hasSelector } from '../objects/services/hasSelector.ts';
import type { AidCause } from './aidCause.ts';
import type { AskedService } from './askedService.ts';
import { countEndpoints, endpointCauses, hasUsable, knowsEndpoints } from './endpointCauses.ts';
import { leftToOther } from './leftToOther.ts';
import { whyNotReady } from './podState.ts';
import type { AidGap, AidPart, AidRemark } from './serviceCheck.ts';

/** What the objects show about the Service: its endpoints, the Pods behind it, and lint's results. */
export function objectPart(asked: AskedService): AidPart {
  const own = asked.diagnostics.filter((diagnostic) => isAbout(diagnostic, asked));
  return {
    causes: [
      ...externalName(asked, own),
      ...endpointCauses(asked),
      ...(knowsEndpoints(asked) ? [] : own.flatMap((one) => ofWorkloads(one, asked))),
      ...own.filter(({ code }) => code === 'target-port-not-declared').map((one) => undeclared(one, asked)),
      ...deadDns(asked),
    ],
    remarks: [
      ...left(asked),
      ...withoutBalancer(asked),
      ...untranslated(asked),
      ...own.flatMap(({ code, severity, message, hint, at: [origin] }): readonly AidRemark[] =>
        severity === 'note' || judgedHere.has(code)
          ? []
          : [{ text: hint === undefined ? message : `${message} (${hint})`, code, ...(origin && { origin }) }],
      ),
    ],
    looked: [{ what: 'objects', seen: seenOf(asked) }],
    notLooked: gapsOf(asked),
  };
}

/** Some network plug-ins serve Services in the place of kube-proxy. */
function left({ service, hidingLabel }: AskedService): readonly AidRemark[] {
  if (hidingLabel === undefined) return [];
  const { namespace, name } = service;
  return [
    {
      text: `the label ${hidingLabel} leaves the Service to another proxy: ${leftToOther}. If there is no other proxy, remove the label: \`kubectl -n ${namespace} label service ${name} ${hidingLabel}-\``,
      origin: { ...service.origin, path: [...service.origin.path, 'metadata', 'labels'] },
    },
  ];
}

/** kubectl shows `<pending>`. Plain manifests have no status. */
function withoutBalancer({ service, manifest, hasAllSlices }: AskedService): readonly AidRemark[] {
  const { type, namespace, name } = service;
  const { status } = manifest.value;
  if (type !== 'LoadBalancer' || !(hasAllSlices || status)) return [];
  if ((status?.loadBalancer?.ingress ?? []).length > 0) return [];
  return [
    {
      text: `no load balancer has given it an address yet, so from outside only its node ports answer: \`kubectl -n ${namespace} describe service ${name}\` shows the events of whoever should`,
      origin: service.origin,
    },
  ];
}

/** Clients who take the Service's port find nobody there. */
function untranslated({ service, ports }: AskedService): readonly AidRemark[] {
  if (service.kind !== 'headless') return [];
  return ports.flatMap((port): readonly AidRemark[] => {
    const { name, protocol, targetPort } = port;
    const own =
      typeof targetPort === 'number'
        ? [targetPort]
        : service.endpoints.flatMap(({ ports }) =>
            ports.flatMap((one) => (one.name === name && one.protocol === protocol ? (one.port ?? []) : [])),
          );
    const numbers = [...new Set(own)];
    if (numbers.length === 0 || numbers.includes(port.port)) return [];
    return [
      {
        text: `a headless Service translates no ports: clients connect to its Pods, at ${firstFew(numbers, 3)} and not at ${port.port}`,
        origin: { ...service.origin, path: [...service.origin.path, 'spec', 'ports', service.ports.indexOf(port)] },
      },
    ];
  });
}

/** What this page says itself, with more. */
const judgedHere: ReadonlySet<Diagnostic['code']> = new Set<Diagnostic['code']>([
  'no-endpoints',
  'no-ready-pods',
  'selector-matches-nothing',
  'named-port-missing',
  'target-port-not-declared',
  'external-name-is-address',
  'service-without-rules',
]);

/** Of its own object, its EndpointSlices or Endpoints, and of one of the ports that were asked for. */
function isAbout({ at }: Diagnostic, { service, ports, sources }: AskedService): boolean {
  const objects = [
    service.origin,
    ...(sources.slices().get(service.id) ?? []).map(({ origin }) => origin),
    ...(sources.endpoints().has(service.id) ? [sources.endpoints().get(service.id)?.origin] : []),
  ];
  return at.slice(0, 1).some((place) => {
    if (!objects.some((origin) => origin !== undefined && isIn(place, origin))) return false;
    const [spec, list, index] = place.path.slice(service.origin.path.length);
    if (!isIn(place, service.origin) || spec !== 'spec' || list !== 'ports' || typeof index !== 'number') return true;
    return ports.some((port) => service.ports.indexOf(port) === index);
  });
}

function isIn(place: Origin, object: Origin): boolean {
  return (
    place.file === object.file &&
    place.document === object.document &&
    object.path.every((part, at) => place.path[at] === part)
  );
}

function externalName({ service }: AskedService, own: readonly Diagnostic[]): readonly AidCause[] {
  const said = own.find(({ code }) => code === 'external-name-is-address');
  if (said === undefined) return [];
  return [
    {
      code: 'external-name',
      what: `Service ${service.id} is an ExternalName with an address in the place of a name: ${said.message}.`,
      evidence: evidenceAt(said),
      fix: said.hint ?? '',
      nodes: [],
      detail: said.code,
    },
  ];
}

/** Manifests of a repository show what starts Pods: no Pod of theirs can be behind the Service. */
function ofWorkloads(said: Diagnostic, { service }: AskedService): readonly AidCause[] {
  const id = ({ 'selector-matches-nothing': 'selector', 'named-port-missing': 'target-port-name' } as const)[
    said.code as 'selector-matches-nothing' | 'named-port-missing'
  ];
  if (id === undefined) return [];
  const sentence = `${said.message}${id === 'selector' ? `: Service ${service.id} finds nobody` : ''}.`;
  return [
    {
      code: id,
      what: `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`,
      evidence: evidenceAt(said),
      fix: said.hint ?? 'Make the Service and what starts its Pods agree.',
      nodes: [],
      detail: said.code,
    },
  ];
}

/** Containers may listen on ports that they do not declare: nothing here shows whether they do. */
function undeclared(said: Diagnostic, { service, pods = [] }: AskedService): AidCause {
  const [pod] = pods;
  const name = pod?.value.metadata.name ?? 'POD';
  return {
    code: 'target-port',
    what: `Perhaps nothing listens behind Service ${service.id}: ${said.message}.`,
    evidence: evidenceAt(said),
    fix: `See what the Pods listen on: \`kubectl -n ${service.namespace} exec ${name} -- ss -lntu\`; then set targetPort to it: \`kubectl -n ${service.namespace} edit service ${service.name}\`.`,
    nodes: [],
    detail: said.code,
    isDoubt: true,
  };
}

function evidenceAt({ message, at: [origin] }: Diagnostic): readonly Evidence[] {
  return origin === undefined ? [{ kind: 'fact', text: message }] : [{ kind: 'object', text: message, origin }];
}

/** Who calls the Service by its name asks the cluster's DNS first. */
function deadDns({ cluster, service, sources }: AskedService): readonly AidCause[] {
  const dns = cluster.services.find(({ id }) => id === 'kube-system/kube-dns');
  if (dns === undefined || dns === service || dns.endpoints.some(({ isReady }) => isReady)) return [];
  if (!sources.slices().has(dns.id) && !sources.endpoints().has(dns.id)) return [];
  return [
    {
      code: 'dns',
      what: `Who calls Service ${service.id} by its name gets no answer: Service ${dns.id} has no ready endpoint.`,
      evidence: [{ kind: 'object', text: `Service ${dns.id}`, origin: dns.origin }],
      fix: 'Look at the Pods of the DNS: `kubectl -n kube-system get pods -l k8s-app=kube-dns`; `k8snet check-service kube-system/kube-dns` says why.',
      nodes: [],
      isDoubt: true,
    },
  ];
}

function seenOf(asked: AskedService): readonly string[] {
  const { service, pods, ports } = asked;
  const addresses =
    service.kind === 'externalName'
      ? service.externalName
      : service.clusterIPs.length > 0
        ? service.clusterIPs.join(', ')
        : service.kind;
  const names = ports.map(
    ({ name, port, protocol }) => `${name === '' ? '' : `${name} `}${port}/${protocol.toLowerCase()}`,
  );
  const ready = (pods ?? []).filter(({ value }) => whyNotReady(value) === undefined);
  const usable = ports.filter((port) => hasUsable(asked, port));
  const endpoints = countEndpoints(service);
  return [
    `Service ${service.id}: ${service.type}, ${addresses}, ${names.join(', ') || 'no ports'}; its name is ${service.name}.${service.namespace}.svc`,
    ...(service.kind === 'externalName' || !knowsEndpoints(asked)
      ? []
      : [
          `${count(endpoints.all, 'endpoint')}, ${endpoints.ready} ready; ${usable.length} of ${count(ports.length, 'port')} ${usable.length === 1 || ports.length === 1 ? 'has' : 'have'} some`,
        ]),
    ...(pods === undefined ? [] : [`${count(pods.length, 'Pod')} that it selects, ${ready.length} ready`]),
  ];
}

function gapsOf(asked: AskedService): readonly AidGap[] {
  const { service, manifest, pods } = asked;
  if (service.kind === 'externalName') return behindName(service.externalName);
  return [
    ...(knowsEndpoints(asked)
      ? []
      : [{ what: 'endpoints', how: `\`kubectl -n ${service.namespace} get endpointslices -o yaml\`, with -f` }]),
    ...(pods === undefined && hasSelector(manifest) && !asked.hasAllSlices
      ? [{ what: 'the Pods behind', how: `\`kubectl get pods -A -o yaml\`, with -f` }]
      : []),
  ];
}

/** No name server is asked. An address in the place of a name is a cause. */
function behindName(name: string): readonly AidGap[] {
  if (familyOf(name) !== undefined) return [];
  return [{ what: `whether ${name} has an address, and answers`, how: `ask from a Pod: \`nslookup ${name}\`` }];
}
