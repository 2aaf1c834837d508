import type { Family } from '../common/family.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { virtualAddresses } from '../emit/policy/iptables/virtualAddresses.ts';
import type { PolicyOptions } from '../emit/policy/policyOptions.ts';
import { type PolicyModel, type PolicyPod, readPolicyModel } from '../model/policyModel.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Artefact } from './artefact.ts';
import { compilePolicies, type PolicySize, type Texts } from './compilePolicies.ts';
import { policyBackend } from './policyBackend.ts';

/** How policies are compiled. */
export interface PolicySettings extends PolicyOptions {
  /** Undefined: nftables in kube-proxy's nftables mode, else iptables. */
  readonly backend: 'nftables' | 'iptables' | undefined;
}

export interface PolicyFiles {
  readonly backend: 'nftables' | 'iptables';
  /** Of the node's Pods. */
  readonly families: readonly Family[];
  readonly policies: number;
  readonly size: PolicySize;
  /** `policy.v4.nft`, or `policy.v4.save`, `policy.v4.ipset` and what loads them; `policy.sh` loads all. */
  readonly artefacts: readonly Artefact[];
}

/** The files that enforce the NetworkPolicies of the input on the node. */
export function policyArtefacts(compiled: Compiled, settings: PolicySettings, report: Report): PolicyFiles {
  const { policyManifests, plans } = compiled;
  const { mode } = compiled.model.config;
  const backend = policyBackend(compiled, settings);
  const model = readPolicyModel(policyManifests);
  const node = settings.node ?? onlyNode(compiled, model, report);
  const local = model.pods.filter(
    (pod) => !pod.isHostNetwork && (pod.node === undefined || node === undefined || pod.node === node),
  );
  if (local.length > 1) reportBridges(report);
  const { size, ...texts } = compilePolicies(
    model,
    {
      hook: mode === 'ipvs' ? 'postrouting' : 'forward',
      ...(mode === 'ipvs' && backend === 'iptables' ? { virtualAddresses: virtual(compiled, report) } : {}),
      ...settings,
      ...(node === undefined ? {} : { node }),
      backends: [backend],
      families: plans.map(({ family }) => family),
    },
    report,
  );
  const script = texts.nftablesScript ?? texts.iptablesScript ?? '';
  return {
    backend,
    families: familiesOf(local),
    policies: policyManifests.networkPolicies.length,
    size,
    artefacts: [
      ...both('nft', 'restore', texts.nftables),
      ...both('list', 'save', texts.nftablesSave),
      ...both('ipset', 'save', texts.ipsetSave),
      ...both('save', 'save', texts.iptablesSave),
      ...both('ipset.restore', 'restore', texts.ipset),
      ...both('restore', 'restore', texts.iptables),
      { name: 'policy.sh', family: undefined, form: 'script', text: () => [script] },
    ],
  };
}

/** IPVS translates behind the input hook: without the Services, what Pods send to them looks as if it were for the node. */
function virtual({ plans }: Compiled, report: Report): Readonly<Record<Family, readonly string[]>> {
  const served = new Map(plans.map((plan) => [plan.family, virtualAddresses(plan)]));
  if (plans.every(({ services }) => services.length === 0)) {
    report({
      code: 'policy-services-unknown',
      severity: 'warning',
      message: 'without Services in the input, isolated Pods reach none that IPVS serves',
      at: [],
      hint: 'give the Services too, or use --policy nftables, which asks behind IPVS',
    });
  }
  return { ipv4: served.get('ipv4') ?? [], ipv6: served.get('ipv6') ?? [] };
}

function both(ending: string, form: Artefact['form'], texts: Texts | undefined): readonly Artefact[] {
  const of = (family: Family, short: 'v4' | 'v6', text: string): readonly Artefact[] =>
    text === '' ? [] : [{ name: `policy.${short}.${ending}`, family, form, text: () => [text] }];
  return texts === undefined ? [] : [...of('ipv4', 'v4', texts.v4), ...of('ipv6', 'v6', texts.v6)];
}

function onlyNode({ policyManifests }: Compiled, model: PolicyModel, report: Report): string | undefined {
  const given = policyManifests.nodes.map(({ value }) => value.metadata.name);
  const names = given.length > 0 ? given : model.nodes.map(({ name }) => name);
  if (names.length === 1) return names[0];
  if (names.length > 1) {
    report({
      code: 'node-not-chosen',
      severity: 'warning',
      message: 'no node is chosen: the rules of policies are for the Pods of all nodes',
      at: [],
      hint: `--node ${names[0]}`,
    });
  }
  return undefined;
}

function familiesOf(pods: readonly PolicyPod[]): readonly Family[] {
  const isUsed = (hasColon: boolean) => pods.some(({ ips }) => ips.some((ip) => ip.includes(':') === hasColon));
  return [...(isUsed(false) ? (['ipv4'] as const) : []), ...(isUsed(true) ? (['ipv6'] as const) : [])];
}

function reportBridges(report: Report): void {
  report({
    code: 'policy-bridged-pods',
    severity: 'note',
    message: 'where Pods of a node share a bridge, policies between them need br_netfilter',
    at: [],
    hint: 'sysctl net.bridge.bridge-nf-call-iptables=1 net.bridge.bridge-nf-call-ip6tables=1',
  });
}
