import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { ServiceCheck } from '../../../aid/serviceCheck.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import type { Origin } from '../../../diagnostics/diagnostic.ts';
import type { Evidence } from '../../../diagnostics/problem.ts';
import type { Live } from '../../../live/openLive.ts';
import { createLocator } from '../../../load/locate.ts';
import type { Sources } from '../../../load/sources.ts';
import { allNodes, isNodeWord, orAllNodes } from '../../dumps/nodeWords.ts';
import { checkNeeds } from '../../objects/liveNeeds.ts';
import { addManifestOptions, addMessageOptions, formOption } from '../../options/commonOptions.ts';
import { addFactOptions } from '../../options/factOptions.ts';
import { addNodeOptions } from '../../options/liveOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { endMisused } from '../../options/refuseOption.ts';
import { addTargetOptions } from '../../options/targetOptions.ts';
import { problemLines, watchMessages } from '../../watch/watchMessages.ts';
import { addWatchOptions } from '../../watch/watchOptions.ts';
import { askedServiceName } from '../../words/askedServiceName.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';
import type { Asked, CheckServiceFlags } from './checkOnce.ts';
import { checkSurely } from './checkSurely.ts';

/** `k8snet check-service`: from the name of a Service to the cause. */
export function checkServiceCommand(setExitCode: SetExitCode): Command {
  const command = new Command('check-service')
    .summary('say whether a Service is in order; if not, why, and what mends it')
    .description(
      'From the name of a Service to one page: is it in order; if not, the first cause, what shows it, and the command that mends it. It looks at the Service, its endpoints and the Pods behind them, at NetworkPolicies, and on each node at the rules and at what becomes of packets from a Pod, from the node and from outside. What was not given is named, and never taken for being in order.',
    )
    .argument('<service>', 'NAMESPACE/NAME, svc/NAME with -n, or NAME.NAMESPACE; a port may follow: shop/web:http')
    .argument(
      '[dump...]',
      'dumps: each folder is one node (also one that collect filled), or holds a file or folder for each; an archive is all that it holds; files are of one node',
    )
    .option('-n, --namespace <name>', 'namespace of the Service')
    .option(
      '--from <who>',
      'who cannot reach it: an address, a Pod (namespace/name, or a name beside the Service), node, node/NAME, or outside',
    );
  addPortOptions(
    command,
    'port of the Service, where it has none: 80, http, 53/udp',
    'any: all protocols of the port are looked at',
  );
  // --namespace is that of the Service, and policies of all namespaces count.
  addWatchOptions(addNodeOptions(addManifestOptions(command, false)));
  addFactOptions(command);
  addTargetOptions(command);
  command.addOption(formOption('text', 'json'));
  addMessageOptions(command);
  return command
    .addHelpText('after', examples)
    .action(async (service: string, dumps: readonly string[], options: CheckServiceFlags) => {
      setExitCode(await checkServiceAction(service, dumps, options));
    });
}

async function checkServiceAction(
  first: string,
  words: readonly string[],
  options: CheckServiceFlags,
): Promise<number> {
  // `svc web`, which kubectl accepts too.
  const [name = '', ...others] = /^(?:svc|services?)$/i.test(first) ? words : [];
  const [text, paths] = name === '' ? [first, words] : [`svc/${name}`, others];
  const messages = collectMessages(options);
  const written = askedServiceName(text, options.namespace);
  const wrong = typeof written === 'string' ? written : (twoWords(text, paths) ?? misuseOf(paths, options));
  const asked = wrong === undefined ? askedServiceName(text, options.namespace, await usualNamespace(options)) : wrong;
  if (typeof asked === 'string') return endMisused(messages, 'check-service', asked);
  const given = orAllNodes(paths, options);
  if (options.watch === true) return watchService(asked, given, options);
  const { answer, sources, said } = await checkSurely(asked, given, options, messages);
  await said.flush(sources);
  if (answer === undefined) return exitCodes.badInput;
  await print(answer.check, sources, options);
  return codeOf(answer);
}

/** The namespace that kubectl would use, if it reads the cluster. */
async function usualNamespace({ live, namespace }: CheckServiceFlags): Promise<string | undefined> {
  return namespace === undefined ? live?.usualNamespace() : undefined;
}

/** Findings always count; their absence counts only if everything requested was read. */
function codeOf({
  check: { verdict },
  isUnread,
}: {
  readonly check: ServiceCheck;
  readonly isUnread: boolean;
}): number {
  if (isUnread && verdict !== 'broken') return exitCodes.unread;
  return { 'in-order': exitCodes.ok, broken: exitCodes.differs, unknown: exitCodes.undecided }[verdict];
}

function misuseOf(paths: readonly string[], { filename, live, watch }: CheckServiceFlags): string | undefined {
  if (filename === undefined && paths.length === 0 && live === undefined)
    return 'there is nothing to look at: --live reads the cluster; else pass its objects with -f, dumps of its nodes, or both';
  if (watch !== true) return undefined;
  return live === undefined || !paths.every(isNodeWord) || (filename ?? []).length > 0
    ? '--watch looks at a cluster: --live without -f and dumps'
    : undefined;
}

/** In `shop web` somebody forgot the slash. */
function twoWords(first: string, [second = '', ...others]: readonly string[]): string | undefined {
  const isName = /^[a-z0-9][a-z0-9-]*(?::[a-z0-9-]+)?$/.test(second) && second !== allNodes && !existsSync(second);
  return isName && others.length === 0 && !/[/.]/.test(first)
    ? `there is no file ${second}; if ${first} is the namespace: k8snet check-service ${first}/${second}`
    : undefined;
}

async function watchService(asked: Asked, paths: readonly string[], options: CheckServiceFlags): Promise<number> {
  const { watchCluster } = await import('../../watch/watchCluster.ts');
  const { live, interval = 0, output } = options;
  return watchCluster({
    live: live as Live,
    needs: checkNeeds(options),
    interval,
    isJson: output === 'json',
    look: async (fresh) => {
      const own = { ...options, live: fresh, liveNodes: fresh };
      const { answer, said } = await checkSurely(asked, paths, own, watchMessages());
      const lines = new Map(problemLines(said));
      for (const { code: id, detail: code, what, nodes, isDoubt } of answer?.check.causes ?? []) {
        const where = nodes.length === 0 ? '' : `on ${nodes.length === 1 ? 'node' : 'nodes'} ${firstFew(nodes, 4)}: `;
        lines.set(
          JSON.stringify([id, code, what, nodes, isDoubt]),
          `${isDoubt ? 'perhaps ' : ''}${where}${code === undefined ? '' : `${code}: `}${what}`,
        );
      }
      return {
        lines,
        summary: summaryOf(asked, answer?.check),
        code: answer ? codeOf(answer) : exitCodes.badInput,
      };
    },
  });
}

function summaryOf({ service }: Asked, check: ServiceCheck | undefined): string {
  const words = { 'in-order': 'is in order', broken: 'is broken', unknown: 'may be broken: unknown' } as const;
  return check === undefined ? `${service}: unknown` : `${service} ${words[check.verdict]}`;
}

async function print(check: ServiceCheck, sources: Sources, { output }: CheckServiceFlags): Promise<void> {
  const origins = check.causes.flatMap(({ evidence }) => evidence.flatMap(originOf));
  const locate = await createLocator(sources, [...origins, ...check.remarks.flatMap(({ origin }) => origin ?? [])]);
  if (output === 'json') {
    const { serviceCheckJson } = await import('../../../aid/serviceCheckJson.ts');
    writeOut(jsonText(serviceCheckJson(check, locate)));
    return;
  }
  const { serviceCheckText } = await import('../../../aid/serviceCheckText.ts');
  writeOut([serviceCheckText(check, locate)]);
}

function originOf(evidence: Evidence): readonly Origin[] {
  return evidence.kind === 'object' ? [evidence.origin] : [];
}

const examples = `
Examples:
  k8snet check-service shop/web --live                       the cluster of kubectl and all of its nodes
  k8snet check-service shop/web --live --watch               what begins and what ends, one line each
  k8snet check-service shop/web --live node/n1 --from shop/client
  kubectl get svc,endpointslices,pods,nodes,ns,netpol -A -o yaml > cluster.yaml
  k8snet check-service shop/web -f cluster.yaml              what the objects say
  k8snet check-service shop/web -f cluster.yaml n1/ n2/      and the rules of two nodes
  kubectl k8snet why svc/web -n shop --live                  the same, in kubectl's words
  k8snet check-service shop/web -f cluster.tar.gz            an archive of collect --live, with all of its nodes
  k8snet check-service shop/web:http -f cluster.yaml n1/ --from shop/client
  k8snet check-service shop/web n1.save -o json              the rules of a node alone

Exit status: 0 it is in order as far as it was looked at, 1 it is broken, 2 bad usage or input, 3 nothing could be judged, or
what was found may be harmless, 5 the cluster or one of its nodes could not be read, 70 a bug of k8snet.
`;
