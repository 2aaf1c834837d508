import { type Cidr, isWithin, parseCidr } from '../../common/addresses/cidr.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { type Direction, type NetPolicy, readNetPolicy } from '../../model/netPolicy.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { NetworkPolicyObject } from '../../validate/kinds/networkPolicyObjects.ts';
import type { LintContext } from '../lintContext.ts';

/** Policies that deny nothing, speak of addresses that packets do not have, or are enforced by nobody. */
export function policies(context: LintContext): void {
  const inside = clusterRanges(context);
  for (const manifest of context.cluster.manifests.networkPolicies) {
    checkName(context, manifest, readNetPolicy(manifest));
    for (const [text, path] of ipBlocks(manifest.value)) checkBlock(context, manifest, text, path, inside);
  }
  checkPlugin(context);
}

/** What the name says is denied. */
function checkName({ complain }: LintContext, manifest: Manifest<NetworkPolicyObject>, policy: NetPolicy): void {
  const { name } = policy;
  if (!/(?:^|[-.])(?:deny|block|isolate)/.test(name) || /allow/.test(name)) return;
  const named = (['ingress', 'egress'] as const).filter((direction) => name.includes(direction));
  const meant: readonly Direction[] = named.length > 0 ? named : ['ingress', 'egress'];
  // Without a direction in its name, a policy that denies one of them does what it says.
  const open = meant.filter((direction) => allowsAll(policy, direction));
  if (named.length === 0 ? open.length < 2 : open.length === 0) return;
  const [direction] = open as [Direction];
  const rules = policy[direction];
  complain(manifest, {
    code: 'policy-denies-nothing',
    path: rules === undefined ? ['spec', 'policyTypes'] : ['spec', direction],
    message:
      rules === undefined
        ? `policy ${policy.id} does not isolate Pods for ${direction}, so it denies none of it`
        : `policy ${policy.id} has an empty rule for ${direction}, which allows everything`,
    hint: `to deny all ${direction}, write policyTypes: [${direction === 'egress' ? 'Egress' : 'Ingress'}] and no rule: ${direction}: []`,
  });
}

function allowsAll(policy: NetPolicy, direction: Direction): boolean {
  const rules = policy[direction];
  return rules === undefined || rules.some(({ peers, ports }) => peers === undefined && ports === undefined);
}

function ipBlocks({ spec }: NetworkPolicyObject): readonly (readonly [string, JsonPath])[] {
  const found: [string, JsonPath][] = [];
  for (const [direction, side] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of (spec?.[direction] ?? []).entries()) {
      const peers = (rule as { from?: Peers; to?: Peers } | null)?.[side] ?? [];
      for (const [at, { ipBlock }] of peers.entries()) {
        if (ipBlock) found.push([ipBlock.cidr, ['spec', direction, index, side, at, 'ipBlock', 'cidr']]);
      }
    }
  }
  return found;
}

type Peers = readonly { readonly ipBlock?: { readonly cidr: string } | null }[] | null;

interface ClusterRange {
  readonly what: 'Pods' | 'cluster IPs';
  readonly cidr: Cidr;
}

/** Ranges that are known: given ones, and those of Nodes. */
function clusterRanges({ cluster, settings }: LintContext): readonly ClusterRange[] {
  const ofNodes = cluster.manifests.nodes.flatMap(({ value: { spec } }) =>
    [spec?.podCIDR, ...(spec?.podCIDRs ?? [])].map((text) => (text ? parseCidr(text) : undefined)),
  );
  const pods = [...settings.clusterCIDRs, ...ofNodes.filter((cidr) => cidr !== undefined)];
  return [
    ...pods.map((cidr) => ({ what: 'Pods', cidr }) as const),
    ...settings.serviceCIDRs.map((cidr) => ({ what: 'cluster IPs', cidr }) as const),
  ];
}

function checkBlock(
  { complain }: LintContext,
  manifest: Manifest<NetworkPolicyObject>,
  text: string,
  path: JsonPath,
  ranges: readonly ClusterRange[],
): void {
  const block = parseCidr(text);
  const range = block && ranges.find(({ cidr }) => isWithin(block, cidr));
  if (range === undefined) return;
  complain(manifest, {
    code: 'ip-block-in-cluster',
    path,
    message:
      range.what === 'Pods'
        ? `${text} lies in the range of Pods, ${range.cidr.text}: their addresses change, and blocks are meant for addresses outside the cluster`
        : `${text} lies in the range of cluster IPs, ${range.cidr.text}: kube-proxy translates these, and most plugins look at packets after that`,
    hint: 'select the Pods by labels: podSelector, namespaceSelector',
  });
}

/** Those that are known to enforce no policies. */
const pluginsWithoutPolicies: ReadonlySet<string> = new Set([
  'flannel',
  'bridge',
  'ptp',
  'host-local',
  'kubenet',
  'macvlan',
  'ipvlan',
]);

function checkPlugin({ cluster, settings, complain }: LintContext): void {
  const [first, ...others] = cluster.manifests.networkPolicies;
  if (first === undefined || settings.cni === undefined || !pluginsWithoutPolicies.has(settings.cni)) return;
  complain(first, {
    code: 'policy-not-enforced',
    path: ['kind'],
    message: `the network plugin ${settings.cni} enforces no policies: ${others.length === 0 ? 'this one has' : `this one and ${others.length} more have`} no effect`,
    hint: 'Calico, Cilium, kube-router and others enforce them, some beside another plugin; k8snet compile --policy writes rules for a node',
  });
}
