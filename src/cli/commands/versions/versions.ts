import { Command, InvalidArgumentError, Option } from 'commander';
import { type ProxyMode, proxyModes } from '../../../common/proxy/proxyMode.ts';
import { type KubeVersion, parseKubeVersion } from '../../../dialect/version.ts';
import { formOption } from '../../options/commonOptions.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

interface VersionsOptions {
  readonly mode?: ProxyMode;
  readonly explainVersion?: KubeVersion;
  readonly between?: readonly KubeVersion[];
  readonly detect?: readonly string[];
  readonly output: 'text' | 'json';
}

/**
 * `k8snet versions`: what is known about each kube-proxy version, what changed in one, and which version wrote a dump.
 */
export function versionsCommand(setExitCode: SetExitCode): Command {
  return new Command('versions')
    .summary('list kube-proxy versions, compare them, or find out which one wrote a dump')
    .description(
      'Lists the versions of kube-proxy that changed what a mode writes: what changed, and whether our output is checked against recorded output of that version or follows its description.',
    )
    .addOption(new Option('--mode <mode>', 'this mode of kube-proxy only').choices(proxyModes))
    .addOption(
      new Option('--explain-version <version>', 'what differs from the version before')
        .argParser(kubeVersion)
        .conflicts(['between', 'detect']),
    )
    .addOption(
      new Option('--between <versions...>', 'what an upgrade from one version to another changes: two versions')
        .argParser((text, before: readonly KubeVersion[] | undefined) => [
          ...(before ?? []),
          ...text.split(/\.\.+|,/).map(kubeVersion),
        ])
        .conflicts('detect'),
    )
    .option(
      '--detect <dump...>',
      'name the versions that could have written these dumps of one node (- for standard input)',
    )
    .addOption(formOption('text', 'json'))
    .addHelpText('after', examples)
    .action(async (options: VersionsOptions) => {
      setExitCode(await versionsAction(options));
    });
}

async function versionsAction({ mode, explainVersion, between, detect, output }: VersionsOptions): Promise<number> {
  if (detect !== undefined) {
    const { detectAction } = await import('./versionsDetect.ts');
    return detectAction(detect, mode, output);
  }
  const modes = mode === undefined ? proxyModes : [mode];
  if (explainVersion !== undefined || between !== undefined) {
    const { versionsBetween } = await import('./versionsBetween.ts');
    return versionsBetween(modes, between ?? (explainVersion as KubeVersion), output);
  }
  const { versionList } = await import('./versionList.ts');
  writeOut([versionList(modes, output)]);
  return exitCodes.ok;
}

function kubeVersion(text: string): KubeVersion {
  const version = parseKubeVersion(text);
  if (version === undefined) throw new InvalidArgumentError('A version looks like 1.36 or 1.18.6.');
  return version;
}

const examples = `
Examples:
  k8snet versions
  k8snet versions --mode nftables
  k8snet versions --explain-version 1.36
  k8snet versions --between 1.29 1.36 --mode nftables
  iptables-save | k8snet versions --detect -
  k8snet versions --detect node1.save node1.ipset

Exit status: 0 done, 1 no version writes such a dump, 2 bad usage or input, 70 a bug of k8snet.
`;
