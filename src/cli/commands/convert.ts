import { Command, Option } from 'commander';
import { modeFacts, sharesChains } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { jsonText } from '../../common/text/jsonText.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { NodeFiles } from '../../output/nodeFiles.ts';
import { type ConversionCheck, type Converted, checkConversion, convert, toFiles } from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import { gapsText } from '../../seen/gaps/gapsText.ts';
import { readNodeDump } from '../dumps/readNodeDump.ts';
import { reportDumpNotes } from '../dumps/reportDumpNotes.ts';
import { refuseEmpty } from '../objects/refuseEmpty.ts';
import {
  addEmptyOption,
  addMessageOptions,
  type EmptyFlags,
  limitOption,
  type MessageOptions,
} from '../options/commonOptions.ts';
import { addFactOptions, type FactFlags, factFiles } from '../options/factOptions.ts';
import { addImportOptions, type ImportFlags, importOptions } from '../options/importOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { addLiveOptions, addNodeOptions } from '../options/liveOptions.ts';
import { refuseOption } from '../options/refuseOption.ts';
import { type RulesForm, rulesFormOption } from '../options/rulesForm.ts';
import { kubeVersion } from '../options/targetOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeArtefacts } from '../write/writeArtefacts.ts';
import { writeError, writeOut } from '../write/writeOut.ts';

interface ConvertFlags extends ImportFlags, FactFlags, LiveFlags, EmptyFlags, MessageOptions {
  readonly to?: 'iptables' | 'ipvs' | 'nftables';
  readonly kubeVersion?: KubeVersion;
  readonly fromMode?: ProxyMode;
  readonly fromVersion?: KubeVersion;
  readonly output: RulesForm;
  readonly outDir?: string;
  readonly check: boolean;
  readonly limit?: number;
  readonly allowPartial: boolean;
}

/** `k8snet convert`: the rules of a node rewritten for another mode or version. */
export function convertCommand(setExitCode: SetExitCode): Command {
  const command = new Command('convert')
    .summary('rewrite the rules of a node as those of another mode or version of kube-proxy')
    .description(
      'Reads Services, endpoints and settings back from the dump of a node in any mode of kube-proxy, and prints the rules that another mode or version writes for them. Rules of other programs are left where they are; what a dump does not show is named on standard error, and never dropped silently. With --check, packets of all senders are sent through both, and only the known differences of the modes may show.',
    )
    .argument('<dump...>', 'files or folders of one node, also one that collect filled, or - for standard input')
    .addOption(
      new Option('--to <mode>', 'mode to convert to (default: the mode stays)').choices([
        'iptables',
        'ipvs',
        'nftables',
      ]),
    )
    .addOption(
      new Option(
        '--kube-version <version>',
        'version of kube-proxy to convert to (default: the one that the rules show, where it has the mode)',
      ).argParser(kubeVersion),
    )
    .option('--check', 'send packets through both, and print the rules only if nothing else changes', false)
    .addOption(limitOption('with --check: packets to show of each kind (default: 3; in JSON all)'));
  addImportOptions(command, { mode: '--from-mode', version: '--from-version' });
  addFactOptions(command);
  command
    .addOption(rulesFormOption())
    .option('--out-dir <dir>', 'write all files of both families into this folder instead')
    .option('--allow-partial', 'write scripts and rules from a dump that does not show everything', false);
  addEmptyOption(command, 'write scripts and rules of a dump without Services, which empty the node');
  addNodeOptions(addLiveOptions(command, false));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: ConvertFlags) => {
    setExitCode(await convertAction(dumps, options));
  });
}

async function convertAction(paths: readonly string[], options: ConvertFlags): Promise<number> {
  const messages = collectMessages(options);
  const code = await converted(paths, options, messages);
  await messages.flush();
  return messages.hasErrors() && code === exitCodes.ok ? exitCodes.badInput : code;
}

async function converted(paths: readonly string[], options: ConvertFlags, messages: Messages): Promise<number> {
  const { to, family, check: isChecked } = options;
  const dump = await readNodeDump(paths, { ...options, facts: factFiles(options), isCompared: false }, messages);
  if (dump === undefined) return exitCodes.badInput;
  const wrong = wrongOptions(options);
  if (wrong !== undefined) return refuseOption(messages, 'convert', wrong);
  reportDumpNotes(dump, messages.report);
  messages.progress('dump read');
  const target = { mode: to, kubeVersion: options.kubeVersion };
  const result = await told(convert(dump, { ...importOptions(options), family, to: target }), messages.report);
  if (result === undefined || messages.hasErrors()) return exitCodes.badInput;
  messages.progress(`${result.imported.services} Services converted`);
  const { hasNfacct } = result.imported;
  const files = await orThrow(toFiles(result.to, { hasNfacct, policy: undefined }), messages.report);
  if (changesNode(options)) {
    if (!options.allowPartial) refusePartial(result, messages);
    sayOldStay(result, messages);
    if (!options.allowEmpty) refuseEmpty(result.to, files, messages.report);
  }
  if (messages.hasErrors()) return exitCodes.badInput;
  const check = isChecked ? await checkConversion(result, dump) : undefined;
  if (check !== undefined) messages.progress('checked');
  return written(result, files, check, options, messages);
}

/** Writes the requested output; after a failed check only its report. */
async function written(
  result: Converted,
  files: NodeFiles,
  check: ConversionCheck | undefined,
  options: ConvertFlags,
  messages: Messages,
): Promise<number> {
  const { output, outDir, family, limit, quiet } = options;
  const { isPassed } = await import('../../behaviour/convert/isPassed.ts');
  const isGood = check === undefined || isPassed(check);
  const most = limit ?? (output === 'json' ? Number.POSITIVE_INFINITY : usualPackets);
  await messages.flush();
  if (check !== undefined && (outDir !== undefined || output !== 'json') && !(quiet && isGood)) {
    const { conversionText } = await import('../../behaviour/convert/conversionText.ts');
    writeError(conversionText(check, most));
  }
  const code = isGood ? exitCodes.ok : exitCodes.differs;
  if (output === 'json' && outDir === undefined) {
    const { convertJson } = await import('../write/convertJson.ts');
    writeOut(jsonText(convertJson(result, files.all, check, most)));
  } else if (!isGood) {
    writeError('No rules are written, as the check failed; without --check they are.\n');
  } else if (outDir !== undefined) {
    const names = writeArtefacts(outDir, files.all, messages.report);
    if (names === undefined) return exitCodes.cannotWrite;
    messages.progress(`${names.length} files written`);
  } else {
    const { chooseForStdout } = await import('../../output/chooseForStdout.ts');
    const form = output === 'ipvsadm-list' ? 'list' : (output as Exclude<typeof output, 'json'>);
    writeOut(chooseForStdout(result.to, files.printed, form, family, messages.report));
  }
  return code;
}

/** For each kind. */
const usualPackets = 3;

function wrongOptions({ to, kubeVersion: version, output, check, limit }: ConvertFlags): string | undefined {
  if (to === undefined && version === undefined)
    return 'say what to convert to: --to MODE, --kube-version X.Y, or both';
  if (output === 'ipvsadm-list' && to !== undefined && !modeFacts[to].usesIpvs)
    return `${to} mode has no virtual servers that ipvsadm could list`;
  return limit !== undefined && !check ? '--limit is for the packets of --check' : undefined;
}

function changesNode({ output, outDir }: ConvertFlags): boolean {
  return outDir !== undefined || output === 'script' || output === 'restore';
}

/** Like a switch of kube-proxy itself: it removes its old rules only if it is asked to. */
function sayOldStay({ from, to }: Converted, messages: Messages): void {
  const [before, after] = [from.model.config.mode, to.model.config.mode];
  if (before === after) return;
  messages.report({
    code: 'old-rules-stay',
    severity: 'warning',
    message: `these rules do not remove those of ${before} mode, which go on translating packets beside them`,
    at: [],
    hint: `k8snet cleanup --mode ${before} prints a script that does${sharesChains(before, after) ? '; run it first, as both modes have chains of the same names' : ''}`,
  });
}

/** Rules from half a dump would remove the other half's Services from the node. */
function refusePartial({ imported: { name, gaps } }: Converted, messages: Messages): void {
  if (gaps.length === 0) return;
  messages.report({
    code: 'incomplete-dump',
    severity: 'error',
    message: gapsText(name, gaps),
    at: [],
    hint: 'give all that the tools print on the node; --allow-partial converts what is there',
  });
}

const examples = `
Examples:
  k8snet convert node1.save --to nftables
  sudo iptables-save | k8snet convert - --to nftables --check > node1.nft
  k8snet convert node1/ --to ipvs --out-dir node1-ipvs/        a folder of dumps, every artefact
  k8snet convert node1.save --kube-version 1.36                the mode stays
  k8snet convert ipvs.dump --to nftables --kube-version 1.35 --check -o script > switch.sh
  k8snet convert node1/ --to nftables --check -o json | jq .check.known[].title

IPVS mode shows in several places: give iptables-save, ipset save, ipvsadm -Sn and the addresses of kube-ipvs0. Known
differences of the modes (k8snet migrate lists them too) do not fail the check; everything else does, also what rules of
other programs change. If the check fails, no rules are written.

Exit status: 0 done, and the check passed; 1 the check failed; 2 bad usage or input (nothing is written); 70 a bug of
k8snet; 74 the output cannot be written.
`;
