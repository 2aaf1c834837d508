import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { NftablesDialect } from '../dialect/nftables/nftablesDialect.ts';
import { emitNftables } from '../emit/nftables/emitNftables.ts';
import { reportUnloadable } from '../emit/nftables/reportUnloadable.ts';
import { applyTransaction } from '../netfilter/nft/applyTransaction.ts';
import { writeListing } from '../netfilter/nft/write/writeListing.ts';
import { writeTransaction } from '../netfilter/nft/write/writeTransaction.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { conntrackSysctls } from '../plan/sysctls.ts';
import { nftablesScript } from '../script/nftablesScript.ts';
import type { Artefact } from './artefact.ts';
import { shortFamily } from './shortFamily.ts';
import { stateArtefacts } from './stateArtefacts.ts';

/** The files of nftables mode: the first transaction, the table as `nft list table` shows it, the script, the state. */
export function nftablesArtefacts(compiled: Compiled, dialect: NftablesDialect, report: Report): readonly Artefact[] {
  const { plans, model, written } = compiled;
  for (const plan of plans) reportUnloadable(plan, dialect, report, written?.nftables.claims(plan, dialect));
  if (dialect.dropsUnallocated && model.serviceCIDRs.length === 0) report(rangesUnknown);
  const sysctls = conntrackSysctls(model.config.conntrack, model.cpus, compiled.dialect.plan);
  return [
    ...plans.flatMap((plan): Artefact[] => {
      const name = `nft.${shortFamily(plan.family)}`;
      const save = () => writeListing(applyTransaction(emitNftables(plan, dialect)));
      const restore = () =>
        written?.nftables.transaction(plan, dialect) ?? writeTransaction(emitNftables(plan, dialect));
      return [
        { name: `${name}.save`, family: plan.family, form: 'save', text: save },
        { name: `${name}.restore`, family: plan.family, form: 'restore', text: restore },
      ];
    }),
    ...stateArtefacts(plans, sysctls),
    {
      name: 'apply.sh',
      family: undefined,
      form: 'script',
      text: () =>
        nftablesScript({
          transactions: plans.map((plan) => emitNftables(plan, dialect)),
          sysctls: sysctls.map(({ name, value }) => [name, value]),
        }),
    },
  ];
}

/** Every cluster since 1.33 has a ServiceCIDR, called `kubernetes`. */
const rangesUnknown: Diagnostic = {
  code: 'service-cidr-unknown',
  severity: 'note',
  message: 'the rule that drops traffic to unallocated cluster IPs is left out: the input has no ServiceCIDR',
  at: [],
  hint: 'add what `kubectl get servicecidrs -o yaml` prints, or give --service-cidr',
};
