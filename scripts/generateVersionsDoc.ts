import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProxyMode } from '../src/common/proxy/proxyMode.ts';
import { compareKubeVersions, formatKubeVersion, type KubeVersion, parseKubeVersion } from '../src/dialect/version.ts';
import { versionRows } from '../src/dialect/versionRows.ts';
import { readDumps } from '../src/dump/readDumps.ts';
import { everyTool } from '../src/node/ruleKinds.ts';
import { detectedIn } from '../src/seen/versions/detectedIn.ts';
import { recordedDumps } from '../test/support/recordedDumps.ts';

/** Writes docs/versions.md: what each version changed, and how well dumps show their version. `--check` compares. */
const root = join(import.meta.dirname, '..');
const file = join(root, 'docs/versions.md');
const text = page();
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/versions.md is out of date: npm run generate');
  process.exitCode = 1;
}

function page(): string {
  const sections = (['iptables', 'ipvs', 'nftables', 'userspace'] as const).map(
    (mode) => `## ${mode} mode

| since | evidence | what changed |
| --- | --- | --- |
${rows(mode).join('\n')}
`,
  );
  return `# kube-proxy versions

<!-- Written by scripts/generateVersionsDoc.ts from the tables in src/dialect and the recorded dumps. -->

These versions changed what kube-proxy writes. *Recorded* versions are checked against recorded output of that version;
*described* ones follow a description of the change. \`k8snet versions --explain-version 1.36\` explains in sentences what a
version changed, \`k8snet versions --between 1.29 1.36 --mode nftables\` what an upgrade changes.

A version without a patch level stands for its newest patch release, except 1.16 to 1.18: those stand for their first
releases, and 1.16.13, 1.17.9 and 1.18.6 for the changes of July 2020. Suffixes of distributions (\`v1.33.6-eks-1\`,
\`1.30.2+k3s1\`) are accepted. Without \`--kube-version\` the default is the version of the Node (\`status.nodeInfo\`), in
\`diff\` the version that wrote the dump, else the newest known version.

${sections.join('\n')}
## Telling the version from a dump

\`k8snet versions --detect DUMP…\` names the versions that could have written the dumps of a node. Over all recorded dumps of
each version (\`1.33.0\` stands for 1.33.0 to 1.33.5, \`1.34.0\` for 1.34.0 and 1.34.1):

| mode | written by | dumps | versions named, at most |
| --- | --- | --- | --- |
${confusion().join('\n')}

In iptables mode nothing shows from 1.27 on that would tell one version from the next, unless nfacct counts; in IPVS mode
nothing from 1.30 on. What differs there shows only against manifests, as in \`diff\`: source ranges, ipMode, hints.
`;
}

function rows(mode: ProxyMode): readonly string[] {
  return versionRows(mode).map(({ version, isBranch, evidence, origin }) => {
    const name = `${formatKubeVersion(version)}${isBranch ? ' (this minor version only)' : ''}`;
    return `| ${name} | ${evidence} | ${origin} |`;
  });
}

function confusion(): readonly string[] {
  const named = new Map<string, { count: number; versions: Map<string, KubeVersion> }>();
  for (const { mode, version, files } of recordedDumps()) {
    const key = `| ${mode} | ${version}`;
    const entry = named.get(key) ?? { count: 0, versions: new Map() };
    const found = detectedIn(mode, everyTool(readDumps(files, { name: 'node' })))?.versions ?? [];
    for (const one of found) entry.versions.set(formatKubeVersion(one), one);
    named.set(key, { ...entry, count: entry.count + 1 });
  }
  const modes = ['iptables', 'ipvs', 'nftables'];
  const order = (key: string) => {
    const [, mode = '', version = ''] = key.split(/ *\| */);
    return { mode: modes.indexOf(mode), version: parseKubeVersion(version) as KubeVersion };
  };
  return [...named]
    .sort(([a], [b]) => order(a).mode - order(b).mode || compareKubeVersions(order(a).version, order(b).version))
    .map(([key, { count, versions }]) => {
      const sorted = [...versions.values()].sort(compareKubeVersions).map(formatKubeVersion);
      return `${key} | ${count} | ${sorted.join(' ')} |`;
    });
}
