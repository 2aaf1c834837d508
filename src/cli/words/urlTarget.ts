import { escapeText } from '../../common/text/escapeText.ts';
import { namespaceOfSender } from '../../common/text/partyWords.ts';
import { serviceOfHost } from '../../common/text/serviceOfHost.ts';
import { ruleForUrl } from '../../derive/ingress/ruleForUrl.ts';
import { noSources } from '../../load/noSources.ts';
import type { Cluster } from '../../model/cluster.ts';
import { resolveCluster } from '../../public/core.ts';
import { told } from '../../public/result.ts';
import type { WalkFlags } from '../dumps/readWalkNode.ts';
import { emitNeeds } from '../objects/liveNeeds.ts';
import { readInput } from '../objects/readInput.ts';
import { refuseOption } from '../options/refuseOption.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { Messages } from '../write/messages.ts';
import { writeOut } from '../write/writeOut.ts';

/** What a URL means in a question about a packet. */
export interface UrlTarget {
  readonly from: string;
  readonly to: string;
  /** How the URL was resolved, one line for each step. */
  readonly said: readonly string[];
}

/** Why there is nothing to walk: the question was wrong, or there is nothing behind the URL. */
export interface UrlRefusal {
  readonly kind: 'question' | 'answer';
  readonly message: string;
}

/**
 * Resolves a URL to the Service that its request is for: by the rules of Ingresses, by the name of a Service, or by its
 * address.
 */
export async function urlTarget(
  options: WalkFlags & { readonly from?: string; readonly namespace?: string },
  messages: Messages,
): Promise<UrlTarget | UrlRefusal> {
  const text = options.to ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return question(`--to ${text}: not a URL`);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (/^[\d.]+$|^\[/.test(url.hostname)) {
    if (options.from === undefined) return question('name the sender: --from');
    return { from: options.from, to: `${url.hostname}:${port}`, said: [] };
  }
  const { filename } = options;
  if (filename === undefined) return question(`--to ${text}: give the Ingresses and Services with -f`);
  if (filename.includes('-')) return question(`--to ${text}: give the manifests as files; standard input is read once`);
  const flags = { ...options, filename, recursive: options.recursive ?? false };
  const input = await readInput(flags, messages, false, emitNeeds.ingress);
  const cluster = await told(resolveCluster(input.objects, { allocates: true }), () => {});
  if (cluster === undefined) return question(`--to ${text}: the manifests have errors: k8snet lint -f ${filename[0]}`);
  const name = serviceOfHost(url.hostname, options.namespace ?? namespaceOfSender(options.from));
  const service = cluster.services.find(({ id }) => id === name);
  if (service !== undefined) {
    const said = [`${url.hostname} is the name of Service ${service.id}`];
    return { from: options.from ?? 'node', to: `svc/${service.id}:${port}`, said };
  }
  return byIngress(url, cluster, options.from);
}

function byIngress(url: URL, cluster: Cluster, from: string | undefined): UrlTarget | UrlRefusal {
  const rule = ruleForUrl(cluster.manifests.ingresses, url, () => {});
  if (rule === undefined) return withoutRule(url, cluster);
  const { ingress, host, path, backend } = rule;
  const taken =
    path === undefined
      ? 'its default backend'
      : `host ${host === '' ? 'not named' : host}, path ${path.path} (${path.type})`;
  if (backend === 'resource') return answer(`Ingress ${ingress} gives ${url.href} to a resource, not to a Service`);
  const port = backend.portName ?? String(backend.portNumber);
  const id = `${backend.namespace}/${backend.service}`;
  if (!cluster.services.some((one) => one.id === id))
    return answer(
      `Ingress ${ingress} gives ${url.href} to Service ${id}, which is not in the input: the controller answers, mostly with 503`,
    );
  // The client connects to the controller, which connects to the Service.
  const isClient = from === undefined || from === 'outside';
  return {
    from: isClient ? 'node' : from,
    to: `svc/${id}:${port}`,
    said: [
      `${url.href} is taken by Ingress ${ingress}: ${taken}`,
      `its backend is Service ${id}, port ${port}`,
      ...(isClient ? ["the controller is taken to run in the node's network; --from names its Pod"] : []),
      'this is the way through the Service; a controller that knows the endpoints connects to a Pod directly',
    ],
  };
}

function withoutRule({ hostname, href, protocol }: URL, { services, manifests }: Cluster): UrlRefusal {
  const alike = services.find(({ name }) => name === hostname);
  if (alike !== undefined)
    return question(
      `only Pods of namespace ${alike.namespace} know Service ${alike.id} as ${hostname}: give such a Pod with --from, or ${protocol}//${alike.name}.${alike.namespace}`,
    );
  return answer(
    manifests.ingresses.length === 0
      ? `the input has neither a Service named ${hostname} nor an Ingress`
      : `no rule of an Ingress takes ${href}: the controller answers itself, mostly with 404`,
  );
}

function question(message: string): UrlRefusal {
  return { kind: 'question', message };
}

function answer(message: string): UrlRefusal {
  return { kind: 'answer', message };
}

/** Ends a command that has nothing to walk. */
export async function endRefused({ kind, message }: UrlRefusal, command: string, messages: Messages): Promise<number> {
  if (kind === 'answer') writeOut([`${escapeText(message)}\n`]);
  const code = kind === 'answer' ? exitCodes.differs : refuseOption(messages, command, message);
  await messages.flush(noSources);
  return code;
}
