import type { Finding } from '../findings/finding.ts';
import { staleChainsOf } from '../node/chainUses.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { serviceOfPort } from '../node/serviceOfPort.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { compareAsDeducedVersion } from './compareAsDeducedVersion.ts';
import { compareAsDetectedVersion } from './compareAsDetectedVersion.ts';
import { type Compared, compareManifests } from './compareManifests.ts';
import { detectedVersion } from './detectedVersion.ts';
import type { DiffOptions } from './diffOptions.ts';
import { servicesInFragment } from './servicesInFragment.ts';
import { unknownServices } from './unknownServices.ts';
import { withoutNodeMatters } from './withoutNodeMatters.ts';

/**
 * What should be on a node against what was dumped there. Without a version asked for it is that which wrote the dump, as
 * far as it can be told. Where another version of kube-proxy wrote the dump than the one
 * that was asked for, and that alone makes most of the differences, findings are those of the version that wrote it.
 */
export function diffManifests(compiled: Compiled, dump: NodeRules, options: DiffOptions): DiffReport {
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
  const parts = options.isNodeUnknown ? withoutNodeMatters(compared, compiled) : compared;
  const isAbout = (service: string | undefined) =>
    options.service === undefined || service === options.service || service?.startsWith(`${options.service}:`) === true;
  const findings = parts.findings.filter(({ service }) => isAbout(service));
  const changes = options.service === undefined ? parts.changes : [];
  const plans = compiled.plans.filter(({ family }) => parts.families.some((set) => set.family === family));
  const stale = findings.filter(({ id }) => id === 'K8N206');
  return {
    kind: 'diffReport',
    comparison: 'manifests',
    expectedName: 'manifests',
    foundName: dump.name,
    summary: {
      ...countServices(plans, findings, options.service, servicesInFragment(parts.families)),
      staleChains: stale.length === 0 ? 0 : staleChains(dump),
      foreignRules: parts.foreignRules,
    },
    findings,
    changes,
    chains: parts.diffs,
    unread: dump.unread,
    notes: parts.notes,
  };
}

function staleChains(dump: NodeRules): number {
  let count = 0;
  for (const { tables } of dump.iptables) {
    const nat = tables.get('nat');
    if (nat?.isWhole) count += staleChainsOf(nat).length;
  }
  return count;
}

function countServices(
  plans: Compiled['plans'],
  findings: readonly Finding[],
  only: string | undefined,
  spoken: ReadonlySet<string> | undefined,
) {
  const known = new Set(plans.flatMap(({ services }) => services.map(({ port }) => `${port.namespace}/${port.name}`)));
  const names = new Set(known);
  for (const name of known) {
    if ((only !== undefined && name !== only) || spoken?.has(name) === false) names.delete(name);
  }
  const about = findings.filter(({ isAdvice, severity }) => !isAdvice && severity !== 'info');
  const missing = new Set<string>();
  const differ = new Set<string>();
  for (const { service, isServiceMissing } of about) {
    const name = service && serviceOfPort(service);
    if (name !== undefined && names.has(name)) (isServiceMissing ? missing : differ).add(name);
  }
  for (const name of missing) differ.delete(name);
  return {
    services: names.size,
    same: names.size - missing.size - differ.size,
    missing: missing.size,
    differ: differ.size,
    extra: unknownServices(findings, known),
  };
}
