import { Command, InvalidArgumentError, Option } from 'commander';
import type { ProxyMode } from '../../common/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import { formatKubeVersion, type KubeVersion, parseKubeVersion } from '../../dialect/version.ts';
import { type VersionRow, versionRows } from '../../dialect/versionRows.ts';
import { exitCodes } from '../exitCodes.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { writeOut } from '../writeOut.ts';

interface VersionsOptions {
  readonly mode: ProxyMode;
  readonly explainVersion?: KubeVersion;
  readonly detect?: string;
  readonly output: 'text' | 'json';
}

/** `k8snet versions`: what is known of each kube-proxy version, what changed in one, and which version wrote a dump. */
export function versionsCommand(setExitCode: SetExitCode): Command {
  return new Command('versions')
    .summary('list kube-proxy versions, or find out which one wrote a dump')
    .description(
      'Lists the versions of kube-proxy that changed what a mode writes: what changed, and whether our output is checked against recorded output of that version or follows its description.',
    )
    .addOption(
      new Option('--mode <mode>', "kube-proxy's mode")
        .choices(['iptables', 'ipvs', 'nftables', 'userspace'])
        .default('iptables'),
    )
    .option('--explain-version <version>', 'what differs from the version before', kubeVersion)
    .option('--detect <dump>', 'name the versions that could have written this dump (- for standard input)')
    .addOption(new Option('-o, --output <form>', 'text or json').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (options: VersionsOptions) => {
      setExitCode(await versionsAction(options));
    });
}

async function versionsAction(options: VersionsOptions): Promise<number> {
  if (options.detect !== undefined) {
    const { detectAction } = await import('./versionsDetect.ts');
    return detectAction(options.detect, options.output);
  }
  const { mode } = options;
  const all = versionRows(mode);
  const rows = options.explainVersion === undefined ? all : rowsOf(all, options.explainVersion);
  if (options.output === 'json') {
    const versions = rows.map((row) => ({ ...row, version: formatKubeVersion(row.version) }));
    writeOut([`${JSON.stringify({ schema: 'k8snet.versions/v1', mode, versions }, null, 2)}\n`]);
  } else if (options.explainVersion === undefined) {
    writeOut([table(mode, rows)]);
  } else {
    writeOut([explain(mode, options.explainVersion, rows)]);
  }
  return exitCodes.ok;
}

function table(mode: ProxyMode, rows: readonly VersionRow[]): string {
  const lines = rows.map((row) => `${formatKubeVersion(row.version).padEnd(8)}${row.evidence.padEnd(11)}${row.origin}`);
  return `${'since'.padEnd(8)}${'evidence'.padEnd(11)}what changed in ${mode} mode\n${lines.join('\n')}\n`;
}

/** The rows that make the difference between a version and the one before it. */
function rowsOf(rows: readonly VersionRow[], version: KubeVersion): readonly VersionRow[] {
  return rows.filter(({ version: from }) => {
    if (from.minor !== version.minor) return false;
    return version.patch === undefined ? from.patch === undefined : (from.patch ?? 0) <= version.patch;
  });
}

function explain(mode: ProxyMode, version: KubeVersion, rows: readonly VersionRow[]): string {
  const name = formatKubeVersion(version);
  if (rows.length === 0) return `${name} writes what the version before it writes.\n`;
  const { plan, spelling } = dialectOf(mode, { minor: version.minor - 1, patch: undefined });
  const before: Readonly<Record<string, unknown>> = { ...plan, ...spelling };
  return rows
    .map((row) => {
      const changes = Object.entries(row.changes).map(
        ([axis, value]) => `  ${axis}: ${short(before[axis])} -> ${short(value)}\n`,
      );
      return `${formatKubeVersion(row.version)} (${row.evidence}): ${row.origin}\n${changes.join('')}`;
    })
    .join('');
}

function short(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  if (value.every((item) => typeof item === 'string')) return `[${value.join(' ')}]`;
  return `[${value.map((jump) => `${jump.table} ${jump.from}>${jump.to}${jump.onlyNew ? ' (new)' : ''}`).join(', ')}]`;
}

function kubeVersion(text: string): KubeVersion {
  const version = parseKubeVersion(text);
  if (version === undefined) throw new InvalidArgumentError('A version looks like 1.30 or 1.18.6.');
  return version;
}

const examples = `
Examples:
  k8snet versions
  k8snet versions --explain-version 1.24
  iptables-save | k8snet versions --detect -
`;
