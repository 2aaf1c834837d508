import type { Report } from '../diagnostics/diagnostic.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { savedUserspace } from '../emit/userspace/emitUserspace.ts';
import { printRuleset } from '../netfilter/iptables/print/print.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { planUserspace } from '../plan/planUserspace.ts';
import { userspaceScript } from '../script/iptables/userspaceScript.ts';
import type { Artefact } from './artefact.ts';
import type { OutputOptions } from './outputOptions.ts';
import { withPodMasqueradeRules } from './podMasqueradeRules.ts';
import { shortFamily } from './shortFamily.ts';

/** The files of userspace mode: rules and the script. kube-proxy never wrote a text for iptables-restore in it. */
export function userspaceArtefacts(
  { model }: Compiled,
  { plan: decisions, spelling }: Extract<Dialect, { mode: 'userspace' }>,
  options: OutputOptions,
  report: Report,
): readonly Artefact[] {
  const plan = planUserspace(model, decisions, report);
  const { family } = plan;
  return [
    {
      name: `iptables.${shortFamily(family)}.save`,
      family,
      form: 'save',
      text: () => printRuleset(withPodMasqueradeRules(savedUserspace(plan, spelling), options), 'save'),
    },
    { name: 'apply.sh', family: undefined, form: 'script', text: () => userspaceScript(plan, spelling) },
  ];
}
