import { absenceFinding } from '../findings/checks/absenceFinding.ts';
import { reportSteps } from '../findings/triage/reportSteps.ts';
import { triage } from '../findings/triage/triage.ts';
import { isProxyTable } from '../netfilter/proxyChains.ts';
import { staleChainsOf } from '../node/chains/chainUses.ts';
import { unledTo } from '../node/ledTo.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { everyTool } from '../node/ruleKinds.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { compareAsDeducedVersion } from './compare/compareAsDeducedVersion.ts';
import { compareAsDetectedVersion } from './compare/compareAsDetectedVersion.ts';
import { type Compared, compareManifests } from './compare/compareManifests.ts';
import { countServices } from './compare/countServices.ts';
import { countUnseen } from './compare/unseenByService.ts';
import type { DiffOptions } from './diffOptions.ts';
import { fixNamesOf } from './fixNamesOf.ts';
import { detectedVersion } from './settle/detectedVersion.ts';

/**
 * Compares what should be on a node with a dump of it. The default version is the one that wrote the dump, as far as
 * that can be detected. If another version than the requested one wrote the dump, and that alone makes most of the
 * differences, the findings are those for the version that wrote it.
 */
export function diffManifests(compiled: Compiled, dump: NodeRules, options: DiffOptions): DiffReport {
  const absence = absenceFinding(dump, compiled);
  if (absence !== undefined) {
    const families = everyTool(dump);
    const compared = {
      findings: [absence],
      changes: [],
      notes: dump.notes,
      notCompared: [],
      foreignRules: 0,
      unseen: new Map(),
      families,
      diffs: [],
    };
    return reportOf(compiled, dump, options, compared);
  }
  if (!compiled.isVersionKnown) {
    const deduced = compareAsDeducedVersion(compiled, dump, options);
    if (deduced !== undefined) return reportOf(deduced.compiled, dump, options, deduced.compared);
  }
  const asked = compareManifests(compiled, dump, options);
  const told = asked.diffs.length > 0 ? detectedVersion(compiled, asked.families) : undefined;
  switch (told?.kind) {
    case undefined:
      return reportOf(compiled, dump, options, asked);
    case 'several': {
      const note = 'the dump bears fingerprints of several versions of kube-proxy';
      return reportOf(compiled, dump, options, { ...asked, notes: [...asked.notes, note] });
    }
    case 'other': {
      const parts = compareAsDetectedVersion(compiled, dump, options, asked, told);
      const plain = { ...asked, findings: [told.finding, ...asked.findings] };
      return reportOf(compiled, dump, options, parts ?? plain);
    }
  }
}

function reportOf(compiled: Compiled, dump: NodeRules, options: DiffOptions, compared: Compared): DiffReport {
  const { diffs } = compared;
  const { findings, changes, notes, notCompared } = triage(compared, reportSteps, {
    plans: compiled.plans,
    diffs,
    isNodeUnknown: options.isNodeUnknown === true,
    nodeAddresses: () =>
      compiled.policyManifests.nodes.flatMap(({ value: { status } }) =>
        (status?.addresses ?? []).map(({ address }) => address),
      ),
    changing: options.changing ?? new Set(),
    service: options.service,
  });
  const notShown = countUnseen(compared.unseen, options.service);
  const stale = findings.filter(({ code }) => code === 'K8N206');
  return {
    kind: 'diffReport',
    comparison: 'manifests',
    expectedName: 'manifests',
    foundName: dump.name,
    summary: {
      ...countServices(compiled, findings, {
        only: options.service,
        families: compared.families,
        notCompared,
      }),
      staleChains: stale.length === 0 ? 0 : staleChains(dump),
      foreignRules: compared.foreignRules,
      ...(notShown > 0 && { notShown }),
    },
    findings,
    names: fixNamesOf(dump, compiled),
    changes,
    chains: diffs,
    unread: dump.unread,
    notes,
  };
}

function staleChains(dump: NodeRules): number {
  let count = 0;
  for (const { tables } of dump.iptables) {
    const nat = tables.get('nat');
    if (nat?.isWhole) count += staleChainsOf(nat).length;
  }
  for (const { tables } of dump.nft) {
    for (const table of tables.values()) if (isProxyTable(table.name)) count += unledTo(table).length;
  }
  return count;
}
