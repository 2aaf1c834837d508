import type { Family } from '../../common/addresses/family.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { virtualAddresses } from '../../emit/policy/iptables/virtualAddresses.ts';
import { policyHook } from '../../emit/policy/policyHook.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import { type PolicyModel, type PolicyPod, readPolicyModel } from '../../model/policyModel.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { Artefact } from '../artefact.ts';
import { compilePolicies, type PolicySize, type Texts } from './compilePolicies.ts';
import { policyBackend } from './policyBackend.ts';
import type { PolicySettings } from './policySettings.ts';

export interface PolicyFiles {
  readonly backend: 'nftables' | 'iptables';
  /** Of the node's Pods. */
  readonly families: readonly Family[];
  readonly policies: number;
  /** Counted when it is asked for. */
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
  const texts = compilePolicies(
    model,
    {
      hook: policyHook(mode),
      isHardened: settings.layout === 'kube-router',
      ...(modeFacts[mode].usesIpvs && backend === 'iptables' ? { virtualAddresses: virtual(compiled, report) } : {}),
      ...settings,
      ...(node === undefined ? {} : { node }),
      backends: [backend],
      families: plans.map(({ family }) => family),
    },
    report,
  );
  const ofAll = (of: () => Texts | undefined) => ofFamilies(texts.families, of);
  const ofSets = (of: () => Texts | undefined) => ofFamilies(texts.familiesWithSets, of);
  const isNft = backend === 'nftables';
  return {
    backend,
    families: familiesOf(local),
    policies: policiesGiven(policyManifests),
    get size() {
      return texts.size;
    },
    artefacts: [
      ...(isNft ? ofAll(() => texts.nftables)('nft', 'restore') : []),
      ...(isNft ? ofAll(() => texts.nftablesSave)('list', 'save') : []),
      ...(isNft ? [] : ofSets(() => texts.ipsetSave)('ipset', 'save')),
      ...(isNft ? [] : ofAll(() => texts.iptablesSave)('save', 'save')),
      ...(isNft ? [] : ofSets(() => texts.ipset)('ipset.restore', 'restore')),
      ...(isNft ? [] : ofAll(() => texts.iptables)('restore', 'restore')),
      {
        name: 'policy.sh',
        family: undefined,
        form: 'script',
        text: () => [texts.nftablesScript ?? texts.iptablesScript ?? ''],
      },
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

/** Files of the families that have something to say, IPv4 first; their texts are made when they are asked for. */
function ofFamilies(families: readonly Family[], texts: () => Texts | undefined) {
  return (ending: string, form: Artefact['form']): readonly Artefact[] =>
    (['ipv4', 'ipv6'] as const)
      .filter((family) => families.includes(family))
      .map((family) => {
        const short = family === 'ipv4' ? 'v4' : 'v6';
        return { name: `policy.${short}.${ending}`, family, form, text: () => texts()?.pieces(family) ?? [] };
      });
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
