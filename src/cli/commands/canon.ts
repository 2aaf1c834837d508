import { Command } from 'commander';
import { canonicalText } from '../../public/core.ts';
import { readNodeDump } from '../dumps/readNodeDump.ts';
import { reportReading } from '../dumps/reportReading.ts';
import { annotateNeedsService } from '../options/annotateNeedsService.ts';
import { addMessageOptions, dumpFamilyOption, type MessageOptions } from '../options/commonOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { addLiveOptions, addNodeOptions } from '../options/liveOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

type CanonOptions = LiveFlags &
  MessageOptions & {
    readonly family: 'ipv4' | 'ipv6' | 'both';
    readonly service?: string;
    readonly annotate: boolean;
  };

/** `k8snet canon`: a dump in canonical form. */
export function canonCommand(setExitCode: SetExitCode): Command {
  const command = new Command('canon')
    .summary('print a dump in canonical form')
    .description(
      'Prints a dump without details that make no difference: counters, dates, spelling, the order of tables and chains. Equivalent dumps from different tools and versions give the same output.',
    )
    .argument('<dump...>', 'files or folders of one node, also one that collect filled, or - for standard input')
    .addOption(dumpFamilyOption())
    .option('--service <service>', "print one Service's rules (namespace/name[:port]) in the order a packet meets them")
    .option('--annotate', 'with --service: comment each rule with what it does', false);
  addNodeOptions(addLiveOptions(command, false));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: CanonOptions) => {
    setExitCode(await canonAction(dumps, options));
  });
}

async function canonAction(paths: readonly string[], options: CanonOptions): Promise<number> {
  const messages = collectMessages(options);
  if (options.annotate && options.service === undefined) messages.report(annotateNeedsService);
  const dump = messages.hasErrors() ? undefined : await readNodeDump(paths, { ...options, isCompared: true }, messages);
  if (dump !== undefined) {
    reportReading(dump, messages.report);
    if (options.service === undefined) {
      const { escapedLines } = await import('../write/escapedLines.ts');
      writeOut(escapedLines(await canonicalText(dump)));
    } else {
      const { writeServiceRules } = await import('../write/writeServiceRules.ts');
      writeServiceRules(dump, options.service, options.annotate, [], messages);
    }
  }
  await messages.flush();
  return dump === undefined || messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

const examples = `
Examples:
  k8snet canon node1.save
  iptables -S -t nat | k8snet canon -
  k8snet canon node1.save --service shop/web:http --annotate
  diff <(k8snet canon old.save) <(k8snet canon new.save)

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
