import { familyNames } from '../common/addresses/family.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { IpvsDialect } from '../dialect/ipvs/ipvsDialect.ts';
import { emitIpvs, type IpvsNode } from '../emit/ipvs/emitIpvs.ts';
import { ipvsSysctls } from '../emit/ipvs/sysctls.ts';
import { printIpset } from '../netfilter/ipset/printIpset.ts';
import { printRuleset } from '../netfilter/iptables/print/print.ts';
import { printListing } from '../netfilter/ipvs/listing.ts';
import { printIpvs } from '../netfilter/ipvs/printIpvs.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { conntrackSysctls } from '../plan/sysctls.ts';
import { ipvsScript } from '../script/ipvs/ipvsScript.ts';
import type { Artefact } from './artefact.ts';
import type { OutputOptions } from './outputOptions.ts';
import { withPodMasqueradeRules } from './podMasqueradeRules.ts';
import { shortFamily } from './shortFamily.ts';
import { stateArtefacts } from './stateArtefacts.ts';

/** The files of IPVS mode: rules, sets, virtual services, addresses of kube-ipvs0, the script, the state. */
export function ipvsArtefacts(
  compiled: Compiled,
  dialect: IpvsDialect,
  options: OutputOptions,
  report: Report,
): readonly Artefact[] {
  const { plans, model } = compiled;
  const { config } = model;
  const nodes = plans.map((plan) => emitIpvs(plan, dialect, config.ipvs, model.node.namedLoopback ?? [], report));
  const sysctls = [
    ...conntrackSysctls(config.conntrack, model.cpus, compiled.dialect.plan),
    ...ipvsSysctls(config.ipvs, dialect),
  ];
  const scripted = dialect.namesIPv6Sets ? nodes : oneFamily(compiled, nodes, report);
  return [
    ...nodes.flatMap(({ family, saved, restore, sets, ipvs, addresses }): Artefact[] => {
      const short = shortFamily(family);
      return [
        {
          name: `iptables.${short}.save`,
          family,
          form: 'save',
          text: () => printRuleset(withPodMasqueradeRules(saved, options), 'save'),
        },
        { name: `iptables.${short}.restore`, family, form: 'restore', text: () => printRuleset(restore, 'restore') },
        { name: `ipset.${short}.save`, family, form: 'save', text: () => printIpset(sets) },
        { name: `ipvsadm.${short}.save`, family, form: 'save', text: () => printIpvs(ipvs) },
        { name: `addresses.${short}`, family, form: 'save', text: () => addresses.map((address) => `${address}\n`) },
      ];
    }),
    {
      name: 'ipvsadm.list',
      family: undefined,
      form: 'list',
      text: () => printListing({ kind: 'ipvs', services: nodes.flatMap(({ ipvs }) => ipvs.services) }),
    },
    ...stateArtefacts(plans, sysctls),
    {
      name: 'apply.sh',
      family: undefined,
      form: 'script',
      text: () => ipvsScript(scripted, { dialect, config: config.ipvs, sysctls }),
    },
  ];
}

/**
 * Sets of both families with one name cannot be on one node: versions that name them so serve one family, that of the
 * Services, or the node's primary one where both have some.
 */
function oneFamily({ plans, model }: Compiled, nodes: readonly IpvsNode[], report: Report): readonly IpvsNode[] {
  if (nodes.length < 2) return nodes;
  const used = plans.filter(({ services }) => services.length > 0).map(({ family }) => family);
  const chosen = (used.length === 1 ? used[0] : undefined) ?? model.node.primaryFamily;
  if (used.length > 1) {
    report({
      code: 'family-left-out',
      severity: 'note',
      message: `this version of kube-proxy serves one family; the script sets up ${familyNames[chosen]} alone`,
      at: [],
      hint: `--family ${chosen === 'ipv4' ? 'ipv6' : 'ipv4'} prints the script of the other`,
    });
  }
  return nodes.filter(({ family }) => family === chosen);
}
