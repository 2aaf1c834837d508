import { familyNames } from '../../common/addresses/family.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import type { AidCause } from '../aidCause.ts';
import { knowsEndpoints } from '../endpointCauses.ts';
import type { NodeSeen } from './nodeSeen.ts';
import { isWalked, type Walked } from './nodeWalks.ts';

/** Packets to ports that nobody serves, as the rules have it. */
export interface UnservedPorts {
  readonly walks: ReadonlySet<Walked>;
  readonly cause: AidCause | undefined;
}

/**
 * Where the objects lack endpoints, the rules show whether there are any: kube-proxy refuses what is sent to a port without
 * one. A port that a packet of either family gets through to has some.
 */
export function unservedPorts({
  node,
  dump,
  question,
  walks,
}: Pick<NodeSeen, 'node' | 'dump' | 'question' | 'walks'>): UnservedPorts {
  const { objects, service } = question;
  if (objects !== undefined && knowsEndpoints(objects.asked)) return none;
  const walked = walks.filter(isWalked);
  const served = new Set(walked.filter(isServed).map(({ servicePort }) => servicePort));
  const refused = walked.filter((walk) => isRefused(walk) && !served.has(walk.servicePort));
  if (refused.length === 0) return none;
  const families = new Set(refused.map(({ result }) => result.packet.family));
  const [family] = families;
  const ports = [...new Set(refused.map(({ servicePort }) => servicePort.split(':')[1] ?? ''))];
  const which = served.size === 0 ? '' : ` for ${ports.length === 1 ? 'port' : 'ports'} ${firstFew(ports, mostShown)}`;
  const isDoubt = leavesOutOthers(dump);
  const elsewhere = isDoubt
    ? ' It may have some on other nodes: this version refuses so, too, where internalTrafficPolicy is Local and none is on this node.'
    : '';
  return {
    walks: new Set(refused),
    cause: {
      code: 'no-endpoints',
      detail: 'no-endpoints',
      what: `Service ${service} has no ${families.size === 1 && family ? `${familyNames[family]} ` : ''}endpoints${which}, as the rules have it: kube-proxy refuses its connections.${elsewhere}`,
      evidence: evidenceOf(refused),
      fix: fixFor(service),
      nodes: [node],
      ...(isDoubt && { isDoubt }),
    },
  };
}

/** The versions that may have written the rules take no endpoint of another node where internalTrafficPolicy is Local (1.22, 1.23). */
function leavesOutOthers(dump: NodeRules): boolean {
  const { of } = proxySeen(dump);
  const policies = (['iptables', 'ipvs'] as const).flatMap((mode) =>
    (of(mode).versions?.versions ?? []).map((version) => dialectOf(mode, version).plan.internalPolicy),
  );
  return policies.length > 0 && policies.every((policy) => policy === 'cut' || policy === 'cutUnlessExternalLocal');
}

const none: UnservedPorts = { walks: new Set(), cause: undefined };
const mostShown = 3;

/** An endpoint of another node is one, too. */
function isServed({ why: { verdict, causes } }: Walked): boolean {
  return verdict === 'arrives' || causes[0]?.code === 'no-local-endpoint';
}

/** Packets of one port end in one rule. */
function evidenceOf(refused: readonly Walked[]): AidCause['evidence'] {
  const all = refused.flatMap(({ why }) => why.causes[0]?.evidence ?? []);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()].slice(0, mostShown);
}

function fixFor(service: string): string {
  const [namespace, name] = service.split('/');
  const get = `kubectl -n ${namespace} get`;
  return `See what it selects and what its endpoints are: \`kubectl -n ${namespace} describe service ${name}\`, \`${get} endpointslices -l kubernetes.io/service-name=${name}\`, \`${get} pods -o wide --show-labels\`. With these objects (\`-o yaml\`, with -f) the reason is named here.`;
}

function isRefused({ why: { verdict, causes } }: Walked): boolean {
  return verdict === 'fails' && causes[0]?.code === 'no-endpoints';
}
