import type { Report } from '../diagnostics/diagnostic.ts';
import type { IpvsDialect } from '../dialect/ipvs/ipvsDialect.ts';
import { emitIpvs } from '../emit/ipvs/emitIpvs.ts';
import { ipvsSysctls } from '../emit/ipvs/sysctls.ts';
import { printIpset } from '../netfilter/ipset/printIpset.ts';
import { printRuleset } from '../netfilter/iptables/print.ts';
import { printIpvs } from '../netfilter/ipvs/printIpvs.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { conntrackSysctls } from '../plan/sysctls.ts';
import { ipvsScript } from '../script/ipvsScript.ts';
import type { Artefact } from './artefact.ts';
import { shortFamily } from './shortFamily.ts';
import { stateArtefacts } from './stateArtefacts.ts';

/** The files of IPVS mode: rules, sets, virtual services, addresses of kube-ipvs0, the script, the state. */
export function ipvsArtefacts(compiled: Compiled, dialect: IpvsDialect, report: Report): readonly Artefact[] {
  const { plans, model } = compiled;
  const { config } = model;
  const nodes = plans.map((plan) => emitIpvs(plan, dialect, config.ipvs, model.node.namedLoopback ?? [], report));
  const sysctls = [...conntrackSysctls(config.conntrack, model.cpus), ...ipvsSysctls(config.ipvs)];
  return [
    ...nodes.flatMap(({ family, saved, restore, sets, ipvs, addresses }): Artefact[] => {
      const short = shortFamily(family);
      return [
        { name: `iptables.${short}.save`, family, form: 'save', text: () => printRuleset(saved, 'save') },
        { name: `iptables.${short}.restore`, family, form: 'restore', text: () => printRuleset(restore, 'restore') },
        { name: `ipset.${short}.save`, family, form: 'save', text: () => printIpset(sets) },
        { name: `ipvsadm.${short}.save`, family, form: 'save', text: () => printIpvs(ipvs) },
        { name: `addresses.${short}`, family, form: 'save', text: () => addresses.map((address) => `${address}\n`) },
      ];
    }),
    ...stateArtefacts(plans, sysctls),
    {
      name: 'apply.sh',
      family: undefined,
      form: 'script',
      text: () => ipvsScript(nodes, { config: config.ipvs, sysctls }),
    },
  ];
}
