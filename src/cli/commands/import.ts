import { Command } from 'commander';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import { importRules, printImported } from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import { absenceOf } from '../dumps/absenceOf.ts';
import { readNodeDump } from '../dumps/readNodeDump.ts';
import { reportDumpNotes } from '../dumps/reportDumpNotes.ts';
import { addMessageOptions, formOption, type MessageOptions } from '../options/commonOptions.ts';
import { addImportOptions, type ImportFlags, importOptions } from '../options/importOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { addLiveOptions, addNodeOptions } from '../options/liveOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

type ImportCommandFlags = ImportFlags &
  LiveFlags &
  MessageOptions & { readonly mode?: ProxyMode; readonly kubeVersion?: KubeVersion; readonly output: 'yaml' | 'json' };

/** `k8snet import`: manifests back from rules. */
export function importCommand(setExitCode: SetExitCode): Command {
  const command = new Command('import')
    .summary('read Services, endpoints and settings back from the rules of a node')
    .description(
      "Reads the dump of a node in any mode of kube-proxy and prints the manifests that make these rules: Services, EndpointSlices, the Node and kube-proxy's configuration. What rules do not show is left out and named on standard error; a value that a manifest cannot do without is marked with a comment.",
    )
    .argument('<dump...>', 'files or folders of one node, also one that collect filled, or - for standard input');
  addImportOptions(command, { mode: '--mode', version: '--kube-version' });
  command.addOption(formOption('yaml', 'json'));
  addNodeOptions(addLiveOptions(command, false));
  addMessageOptions(command);
  return command
    .addHelpText('after', examples)
    .action(async (dumps: readonly string[], options: ImportCommandFlags) => {
      setExitCode(await importAction(dumps, options));
    });
}

async function importAction(paths: readonly string[], options: ImportCommandFlags): Promise<number> {
  const messages = collectMessages(options);
  const dump = await readNodeDump(paths, { ...options, isCompared: false }, messages);
  if (dump !== undefined) reportDumpNotes(dump, messages.report);
  messages.progress('dump read');
  const absence = dump && absenceOf(dump);
  if (absence !== undefined) {
    messages.report(absence);
    await messages.flush();
    return exitCodes.differs;
  }
  const asked = importOptions({ ...options, fromMode: options.mode, fromVersion: options.kubeVersion });
  const imported = dump && (await told(importRules(dump, asked), messages.report));
  if (imported !== undefined) {
    messages.progress(`${imported.services} Services read back`);
    writeOut(await orThrow(printImported(imported, { form: options.output })));
  }
  await messages.flush();
  return imported === undefined || messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

const examples = `
Examples:
  k8snet import node1.save > cluster.yaml
  sudo iptables-save | k8snet import -
  k8snet import node1.v4.save node1.v6.save            dual-stack Services out of both families
  k8snet import node1/ --node n1 --node-ip 10.0.0.5    a folder of dumps, and whose it is
  nft list ruleset | k8snet import - -o json
  k8snet import node1.save > c.yaml && k8snet compile -f c.yaml    the rules again

Compiled with the version that the rules show, what is printed gives kube-proxy's rules of the dump again. IPVS mode needs
all of it: iptables-save, ipset save, ipvsadm -Sn and the addresses of kube-ipvs0; its rules name no Services, so names are
made up.

Exit status: 0 done, 1 the dump has no rule of kube-proxy, 2 bad usage or input, 70 a bug of k8snet.
`;
