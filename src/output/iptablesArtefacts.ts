import type { Report } from '../diagnostics/diagnostic.ts';
import type { IptablesDialect } from '../dialect/iptables/iptablesDialect.ts';
import { emitIptables, iptablesEmission } from '../emit/iptables/emitIptables.ts';
import { restoreText } from '../emit/iptables/restoreText.ts';
import { saveSink } from '../emit/iptables/saveSink.ts';
import { restoreTextAgain } from '../emit/iptables/written/restoreTextAgain.ts';
import { savedTextAgain } from '../emit/iptables/written/savedTextAgain.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { conntrackSysctls, type Sysctl } from '../plan/sysctls.ts';
import { iptablesScript } from '../script/iptables/iptablesScript.ts';
import type { Artefact } from './artefact.ts';
import type { OutputOptions } from './outputOptions.ts';
import { podMasqueradeRules } from './podMasqueradeRules.ts';
import { shortFamily } from './shortFamily.ts';
import { stateArtefacts } from './stateArtefacts.ts';

/** The files of iptables mode: what is handed to iptables-restore, what iptables-save shows, the script, the state. */
export function iptablesArtefacts(
  compiled: Compiled,
  dialect: IptablesDialect,
  options: OutputOptions,
  report: Report,
): readonly Artefact[] {
  const { plans, written } = compiled;
  const restore = (plan: Plan) => () => {
    const known = written?.iptables.of(plan, dialect, { hasNfacct: options.hasNfacct });
    return known === undefined
      ? restoreText(iptablesEmission(plan, dialect, options), plan.family)
      : restoreTextAgain(plan, dialect, options, known);
  };
  const save = (plan: Plan) => () => {
    const behind = podMasqueradeRules(options, plan.family);
    const known = written?.iptables.of(plan, dialect, { hasNfacct: options.hasNfacct });
    const again = known && savedTextAgain(plan, dialect, options, known, behind);
    if (again !== undefined) return again;
    const sink = saveSink(plan.family, dialect, behind);
    emitIptables(plan, dialect, options, sink);
    return sink.text();
  };
  for (const plan of plans) reportUnloadable(plan, dialect, options, report);

  const sysctls = iptablesSysctls(compiled);
  const families = plans.map((plan) => ({ family: plan.family, restore: restore(plan) }));
  return [
    ...plans.flatMap((plan): Artefact[] => {
      const name = `iptables.${shortFamily(plan.family)}`;
      return [
        { name: `${name}.save`, family: plan.family, form: 'save', text: save(plan) },
        { name: `${name}.restore`, family: plan.family, form: 'restore', text: restore(plan) },
      ];
    }),
    ...stateArtefacts(plans, sysctls),
    {
      name: 'apply.sh',
      family: undefined,
      form: 'script',
      text: () => iptablesScript(families, dialect, sysctls),
    },
  ];
}

/** conntrack's settings, then route_localnet, which makes node ports answer on 127.0.0.1. */
function iptablesSysctls(compiled: Compiled): readonly Sysctl[] {
  const sysctls = [...conntrackSysctls(compiled.model.config.conntrack, compiled.model.cpus, compiled.dialect.plan)];
  if (compiled.plans.some((plan) => plan.node.usesLocalhostNodePorts)) {
    sysctls.push({ name: 'net.ipv4.conf.all.route_localnet', value: '1' });
  }
  return sysctls;
}

/** kube-proxy writes `! -s 0.0.0.0/0` for a cluster CIDR of everything, and iptables-nft refuses the whole load. */
function reportUnloadable(plan: Plan, dialect: IptablesDialect, options: OutputOptions, report: Report): void {
  const { localDetector } = plan.node;
  if (localDetector?.kind !== 'cidr' || !localDetector.cidr.endsWith('/0')) return;
  if (!excludesSource(localDetector.cidr, plan, dialect, options)) return;
  report({
    code: 'rules-not-loadable',
    severity: 'warning',
    message: `cluster CIDR ${localDetector.cidr}: kube-proxy writes "! -s ${localDetector.cidr}", which iptables-nft refuses together with all other rules`,
    at: [],
    hint: 'give the CIDR of the Pods, or use iptables-legacy',
  });
}

/** Whether any rule is for everybody but these: the rules themselves tell, as versions mark in several places. */
function excludesSource(cidr: string, plan: Plan, dialect: IptablesDialect, options: OutputOptions): boolean {
  let isExcluded = false;
  emitIptables(plan, dialect, options, {
    chain: () => {},
    rule: (_, { words }) => {
      isExcluded ||= words.some((word) => word.kind === 'source' && word.negated === true && word.address === cidr);
    },
  });
  return isExcluded;
}
