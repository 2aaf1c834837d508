import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectVersions } from '../src/dialect/detectVersions.ts';
import { formatKubeVersion } from '../src/dialect/version.ts';
import { versionRows } from '../src/dialect/versionRows.ts';
import { parseDumps } from '../src/netfilter/iptables/parse.ts';

/** Writes docs/versions.md: what each version changed, and how well versions are told from dumps. `--check` compares. */
const root = join(import.meta.dirname, '..');
const file = join(root, 'docs/versions.md');
const text = page();
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/versions.md is out of date: npm run generate');
  process.exitCode = 1;
}

function page(): string {
  return `# kube-proxy versions

<!-- Written by scripts/generateVersionsDoc.ts from the tables in src/dialect and the recorded dumps. -->

What iptables mode writes changed in these versions. *Recorded* versions are checked byte for byte against output of that
version; *described* ones follow what was read of it. A version without a patch level is the build that was recorded.

| since | evidence | what changed |
| --- | --- | --- |
${versionRows('iptables')
  .map(
    (row) =>
      `| ${formatKubeVersion(row.version)}${row.isBranch ? ' (this minor version only)' : ''} | ${row.evidence} | ${row.origin} |`,
  )
  .join('\n')}

## Telling the version from a dump

\`k8snet versions --detect DUMP\` names the versions that could have written a dump. Over all recorded dumps of each version:

| written by | dumps | versions named, at most | minor versions named (median) |
| --- | --- | --- | --- |
${confusion().join('\n')}

From 1.27 on nothing shows in a dump that would tell one version from the next, unless nfacct counts, or a source range or an
ipMode of the manifests is compared.
`;
}

function confusion(): string[] {
  const golden = join(root, 'golden/recorded/dialects');
  const named = new Map<string, { all: Set<string>; minors: number[] }>();
  for (const name of readdirSync(golden)) {
    for (const version of readdirSync(join(golden, name)).filter((one) => /^1\.\d/.test(one))) {
      const save = join(golden, name, version, 'iptables.v4.save');
      if (!existsSync(save)) continue;
      const versions = detectVersions(parseDumps(readFileSync(save, 'utf8'), {}, () => {})).versions.map(
        formatKubeVersion,
      );
      const entry = named.get(version) ?? { all: new Set<string>(), minors: [] };
      for (const one of versions) entry.all.add(one);
      entry.minors.push(new Set(versions.map((one) => one.split('.')[1])).size);
      named.set(version, entry);
    }
  }
  const order = (version: string) => Number(version.split('.')[1]) * 100 + Number(version.split('.')[2] ?? 0);
  return [...named]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([version, { all, minors }]) => {
      const sorted = [...all].sort((a, b) => order(a) - order(b));
      const median = [...minors].sort((a, b) => a - b)[minors.length >> 1];
      return `| ${version} | ${minors.length} | ${sorted.join(' ')} | ${median} |`;
    });
}
