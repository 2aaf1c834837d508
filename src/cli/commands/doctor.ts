import { Command } from 'commander';
import { diagnose } from '../../core.ts';
import { noSources } from '../../load/noSources.ts';
import { addMessageOptions, dumpFamilyOption, type MessageOptions } from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import { addFactOptions, type FactFlags, factFiles } from '../factOptions.ts';
import { collectMessages } from '../messages.ts';
import { readNodeDump } from '../readNodeDump.ts';
import { addReportOptions, printReport, type ReportFlags } from '../reportOptions.ts';
import type { SetExitCode } from '../setExitCode.ts';

type DoctorOptions = FactFlags & ReportFlags & MessageOptions & { readonly family: 'ipv4' | 'ipv6' | 'both' };

/** `k8snet doctor`: what a dump says by itself. */
export function doctorCommand(setExitCode: SetExitCode): Command {
  const command = new Command('doctor')
    .summary('find what is wrong with a dump, without manifests')
    .description(
      'Reads all dumps of one node and reports what is wrong whatever the Services are: jumps to missing chains, missing jumps, balancing chains that lose traffic, marks that do not match, rules of other programs that come first, two back ends, misleading dumps.',
    )
    .argument('<dump...>', 'files or folders of one node, also one that collect filled, or - for standard input')
    .addOption(dumpFamilyOption());
  addFactOptions(command);
  addReportOptions(command);
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: DoctorOptions) => {
    setExitCode(await doctorAction(dumps, options));
  });
}

async function doctorAction(paths: readonly string[], options: DoctorOptions): Promise<number> {
  const messages = collectMessages(options);
  const dump = await readNodeDump(paths, options.family, messages.report, factFiles(options), false);
  if (dump === undefined) {
    await messages.flush();
    return exitCodes.badInput;
  }
  const code = await printReport(await diagnose(dump), options, messages, noSources);
  await messages.flush();
  return code;
}

const examples = `
Examples:
  k8snet doctor node1.save
  sudo iptables-save | k8snet doctor -
  k8snet doctor node1.save --conntrack udp.txt         UDP flows to endpoints that the rules do not have
  k8snet doctor node1/                                 iptables-save, ip6tables-save, nft list ruleset …

What --conntrack, --routes and --bridge name is compared with what the dump itself has: rules of iptables (whole tables) or
of nftables mode, ipset save, ipvsadm -Sn.

Exit status: 0 nothing found, 1 something is wrong, 2 bad usage or input, 70 a bug of k8snet.
`;
