import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Command, Option } from 'commander';
import { embedded, isExecutable } from '../../common/embedded.ts';
import { proxyModes } from '../../common/proxy/proxyMode.ts';
import type { Live } from '../../live/openLive.ts';
import { withoutPrivate } from '../../live/withoutPrivate.ts';
import { findFiles } from '../../load/files/findFiles.ts';
import { embedInput, type PageInput, type Settings, settingNames } from '../../page/pageInput.ts';
import { targetOf } from '../../page/targetOf.ts';
import { dumpPaths } from '../dumps/paths/dumpPaths.ts';
import { readDumpFiles } from '../dumps/readDumpFiles.ts';
import { dumpFilesOf } from '../dumps/readNodeDump.ts';
import { rulesNeeds, withPolicies } from '../objects/liveNeeds.ts';
import {
  addManifestOptions,
  addMessageOptions,
  familyOption,
  type InputOptions,
  type MessageOptions,
} from '../options/commonOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { addNodeOptions } from '../options/liveOptions.ts';
import { refuseOption } from '../options/refuseOption.ts';
import { integer } from '../options/targetOptions.ts';
import { endUnread } from '../write/endUnread.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';
import { writeReason } from '../write/writeReason.ts';

interface PageFlags extends Partial<InputOptions>, LiveFlags, MessageOptions {
  readonly output?: string;
  readonly serve: boolean;
  readonly port?: number;
  readonly [setting: string]: unknown;
}

/** `k8snet page`: manifests and dumps as one file for a browser. */
export function pageCommand(setExitCode: SetExitCode): Command {
  const command = new Command('page')
    .summary('write a page for a browser that shows it all')
    .description(
      'Writes one HTML file with the manifests and dumps inside: rules with the lines they come from, the way of packets, policies, findings, and an editor to try changes. It needs no server and no network, and sends nothing anywhere.',
    )
    .argument('[dump...]', 'files or folders of one node, also one that collect filled (- for standard input)')
    .option('-o, --output <file>', 'where the page is written (default: standard output)')
    .option('--serve', 'show it on 127.0.0.1 instead, and follow changes of the files', false)
    .option('--port <number>', 'port of --serve (default: a free one)', integer('port', 1, 65_535));
  addNodeOptions(addManifestOptions(command));
  addSettings(command);
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: PageFlags) => {
    setExitCode(await pageAction(dumps, options));
  });
}

/** Options that compile has too, as texts: the page reads them itself, and lets people change them. */
function addSettings(command: Command): void {
  command
    .addOption(new Option('--mode <mode>', "kube-proxy's mode").choices(proxyModes))
    .option('--kube-version <version>', 'version of kube-proxy')
    .option('--node <name>', 'node to compile for')
    .option('--node-ip <ips>', 'IP of the node, or one of each family')
    .option('--cluster-cidr <cidrs>', 'CIDR of the Pods, or one of each family')
    .option('--service-cidr <cidrs>', 'range that missing cluster IPs are chosen from')
    .option('--nodeport-addresses <cidrs>', 'addresses on which node ports are open')
    .option('--detect-local-mode <mode>', 'how traffic from local Pods is recognized')
    .option('--masquerade-all', 'masquerade all traffic to cluster IPs')
    .option('--assume-pods', 'make up the Pods of Deployments and other workloads')
    .addOption(familyOption());
}

async function pageAction(dumps: readonly string[], options: PageFlags): Promise<number> {
  const messages = collectMessages(options);
  const input = await readPageInput(dumps, options, messages);
  const page = builtPage();
  if (page === undefined) {
    const message = 'the page is not built';
    messages.report({ code: 'bad-option', severity: 'error', message, at: [], hint: 'npm run build builds it' });
  }
  let code: number = exitCodes.ok;
  if (input === undefined || page === undefined || messages.hasErrors()) code = exitCodes.badInput;
  else if (options.serve) code = await serve(page, input, dumps, options, messages);
  else code = writePage(embedInput(page, input), options.output, messages);
  await messages.flush();
  return code;
}

async function serve(
  page: string,
  input: PageInput,
  dumps: readonly string[],
  options: PageFlags,
  messages: Messages,
): Promise<number> {
  const { filename = [], recursive = false, port = 0 } = options;
  if (options.output !== undefined || [...filename, ...dumps].includes('-')) {
    const message = options.output === undefined ? '--serve cannot follow standard input' : '--serve writes no file';
    return refuseOption(messages, 'page', message);
  }
  if (options.liveNodes !== undefined) return refuseOption(messages, 'page', '--serve follows files, and no cluster');
  const { servePage } = await import('../servePage.ts');
  const isServed = await servePage({
    page,
    port,
    input,
    files: () => [...findFiles(filename, recursive, () => undefined), ...dumps.flatMap(dumpPaths)],
    read: async () => {
      const next = collectMessages(options);
      const read = await readPageInput(dumps, options, next);
      await next.flush();
      return next.hasErrors() ? undefined : read;
    },
  });
  if (isServed) return exitCodes.ok;
  return refuseOption(messages, 'page', `--port ${port}: it is in use, or not allowed`);
}

/** It is next to the bundle of this command, or in the executable. */
function builtPage(): string | undefined {
  const name = 'page.html.br';
  const file = join(import.meta.dirname, name);
  if (!isExecutable) return existsSync(file) ? brotliDecompressSync(readFileSync(file)).toString() : undefined;
  const text = embedded(name);
  return text === undefined ? undefined : brotliDecompressSync(Buffer.from(text, 'base64')).toString();
}

async function readPageInput(
  dumps: readonly string[],
  options: PageFlags,
  messages: Messages,
): Promise<PageInput | undefined> {
  const { report } = messages;
  const { filename = [], recursive = false } = options;
  if (filename.length === 0 && dumps.length === 0 && options.live === undefined) {
    const message = 'there is nothing to show: give manifests with -f, or dumps of a node';
    report({ code: 'bad-option', severity: 'error', message, at: [] });
    return undefined;
  }
  const settings = settingsOf(options);
  for (const { setting, message } of targetOf(settings).problems)
    report({ code: 'bad-option', severity: 'error', message: `--${setting} ${message}`, at: [] });
  const manifests: { readonly name: string; readonly text: string }[] = [];
  for (const path of findFiles(filename, recursive, report))
    for (const { name, text } of (await readDumpFiles(path, report)) ?? []) manifests.push({ name, text });
  if (options.live !== undefined) manifests.push(await clusterText(options.live, messages));
  const files = await dumpFilesOf(dumps, { ...options, family: undefined, isCompared: false }, messages);
  return files && { manifests, dumps: files, settings };
}

/** What the page can show of a cluster, as one text that people can edit. */
async function clusterText(live: Live, messages: Messages): Promise<{ readonly name: string; readonly text: string }> {
  const objects = await live.objects(withPolicies(rulesNeeds({})), messages.report);
  if (objects === undefined) return endUnread(messages);
  const { stringify } = await import('yaml');
  const documents = objects.map(({ apiVersion, kind, value }) =>
    stringify({ apiVersion, kind, ...withoutPrivate(kind, value) }),
  );
  return { name: 'cluster.yaml', text: documents.join('---\n') };
}

function settingsOf(options: PageFlags): Settings {
  const given = settingNames.flatMap((name) => {
    const value = options[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    const isDefault = name === 'family' && value === 'both';
    return value === undefined || isDefault ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(given);
}

function writePage(page: string, output: string | undefined, { report }: Messages): number {
  if (output === undefined || output === '-') {
    writeOut([page]);
    return exitCodes.ok;
  }
  try {
    writeFileSync(output, page);
  } catch (error) {
    const message = `cannot write ${output}: ${writeReason(error)}`;
    report({ code: 'cannot-write', severity: 'error', message, at: [] });
    return exitCodes.cannotWrite;
  }
  return exitCodes.ok;
}

const examples = `
Examples:
  k8snet page -f cluster.yaml --node n1 -o cluster.html
  k8snet page -f cluster.yaml node1/ -o incident.html         with what collect found on the node
  k8snet page node1.save -o node1.html                        a dump alone
  k8snet page -f app/ -R --assume-pods --serve                while the files are edited
  kubectl get svc,endpointslices,nodes,pods,netpol,ns -A -o yaml | k8snet page -f - --node n1 -o cluster.html

Exit status: 0 done, 2 bad usage, or the input cannot be read, 70 a bug of k8snet, 74 the output cannot be written.
`;
