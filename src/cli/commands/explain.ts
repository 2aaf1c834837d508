import { Command, Option } from 'commander';
import { jsonString } from '../../common/text/jsonString.ts';
import { noSources } from '../../load/noSources.ts';
import { explainJson } from '../explainJson.ts';
import type { ExplainPage } from '../explainPage.ts';
import { type ExplainFlags, type ExplainPages, explainConfig, explainList, explainPages } from '../explainPages.ts';
import { explainText } from '../explainText.ts';
import { addManifestOptions, addMessageOptions } from '../options/commonOptions.ts';
import { addTargetOptions } from '../options/targetOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { chalkFor, reportStyle } from '../write/style.ts';
import { writeOut } from '../write/writeOut.ts';

type ExplainOptions = ExplainFlags & { readonly list: boolean; readonly output: 'text' | 'json' };

/** `k8snet explain K8N203`: what a problem means and how to fix it, by its code. */
export function explainCommand(setExitCode: SetExitCode): Command {
  const command = new Command('explain')
    .summary('explain a finding, a diagnostic, a cause or a concept')
    .description(
      'Prints the page of whatever has a code: a finding (K8N203), a diagnostic (duplicate-cluster-ip), a cause that why or check-service names (no-kube-proxy), a difference that migrate names (node-port-localhost): what is seen, why, how to fix it, an example. Topics (--list names them: service, cluster-ip, masquerade, dns, network-policy …) are explained in general, and some with -f for the Services of the input. --config alone tells what each setting of kube-proxy changes.',
    )
    .argument('[id...]', 'codes of problems, topics')
    .option('--list', 'list all codes and topics', false)
    .option('--service <service>', 'explain a topic for this Service: namespace/name')
    .addOption(new Option('-o, --output <form>', 'form of the output').choices(['text', 'json']).default('text'));
  addManifestOptions(command);
  addTargetOptions(command);
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (ids: readonly string[], options: ExplainOptions) => {
    const messages = collectMessages(options);
    const { pages, sources } = await pagesOf(ids, options, messages);
    if (pages.length > 0) writeOut([printed(pages, options)]);
    await messages.flush(sources);
    setExitCode(messages.hasErrors() ? exitCodes.badInput : exitCodes.ok);
  });
}

async function pagesOf(ids: readonly string[], options: ExplainOptions, messages: Messages): Promise<ExplainPages> {
  if (ids.length === 0 && options.config !== undefined) return explainConfig(options, messages);
  if (!options.list && ids.length > 0) return explainPages(ids, options, messages);
  return { pages: [await explainList()], sources: noSources };
}

function printed(pages: readonly ExplainPage[], { output, color }: ExplainOptions): string {
  if (output === 'json') return jsonString({ schema: 'k8snet.explain/v1', pages: pages.map(explainJson) });
  const style = reportStyle(chalkFor(color, process.stdout.isTTY === true, process.env));
  return pages.map((page) => explainText(page, style)).join('\n');
}

const examples = `
Examples:
  k8snet explain K8N203
  k8snet explain duplicate-cluster-ip
  k8snet explain no-kube-proxy
  k8snet explain --list
  k8snet explain session-affinity -f cluster.yaml --service shop/web
  k8snet explain cluster-ip node-port -f cluster.yaml --node n1 --mode ipvs
  k8snet explain service -f cluster.yaml               what each Service is, who answers, how it is reached
  k8snet explain modes -f cluster.yaml                 what each mode puts on a node for these Services
  k8snet explain --config kube-proxy.yaml              what each setting changes
  k8snet explain K8N203 -o json

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
