import { namesMeant, someNames } from '../../common/namesMeant.ts';
import { didYouMean } from '../../common/text/didYouMean.ts';
import { partyAndPort } from '../../common/text/partyWords.ts';
import { serviceOfHost } from '../../common/text/serviceOfHost.ts';
import { workloadNamed } from '../../common/text/workloadNamed.ts';
import { readParty } from './readParty.ts';

/** Names that a question could have used. */
export interface KnownParties {
  readonly services: readonly string[];
  readonly pods: readonly string[];
  readonly nodes: readonly string[];
}

/**
 * `shop/web:http or team/web:http`: which name was probably meant by a sender or receiver that is unknown, or written
 * differently: without a namespace, as a DNS name, as a URL. Undefined: nothing is similar.
 */
export function partyMeant(text: string, { services, pods, nodes }: KnownParties): string | undefined {
  const [, before, protocol] = /^(.+:[a-z0-9-]+)\/(tcp|udp|sctp)$/i.exec(text) ?? [];
  if (before !== undefined && readParty(before) !== undefined)
    return `${before} with --proto ${protocol?.toLowerCase()}`;
  const bare = text.replace(/^[a-z]+:\/\/([^/]*).*$/, '$1');
  if (bare !== text && readParty(bare)?.kind === 'address') return bare;
  const localhost = /^(?:[a-z0-9-]+\/)?localhost(:\d+)?$/.exec(bare);
  if (localhost !== null) return localhost[1] === undefined ? 'node' : `127.0.0.1${localhost[1]}`;
  const ofWorkload = podsOfWorkload(bare, pods);
  if (ofWorkload !== undefined) return ofWorkload;
  const [, kind = '', rest = bare, port = ''] =
    /^((?:po|pods?|svc|services?|nodes?)\/)?([^:]*)(:[a-z0-9-]+)?$/.exec(bare) ?? [];
  const isNode = kind.startsWith('node');
  const node = nodes.includes(rest) ? rest : isNode ? didYouMean(rest, nodes) : undefined;
  if (node !== undefined) return `node/${node}${port}`;
  if (isNode) return undefined;
  const known = kind.startsWith('po') ? pods : kind === '' ? [...services, ...pods] : services;
  const name = known.includes(rest) ? rest : (serviceOfHost(rest) ?? rest);
  const names = kind === '' && known.includes(name) ? [name] : namesMeant(name, known);
  const meant = names.map((one) => `${kind}${one}${port}`).filter((one) => one !== text);
  return meant.length === 0 ? undefined : meant.join(' or ');
}

/** Of `deploy/shop/web:8080` its Pods, whose names begin with that of the workload. */
function podsOfWorkload(text: string, pods: readonly string[]): string | undefined {
  const [who, port] = partyAndPort(text);
  const workload = workloadNamed(who)?.id;
  if (workload === undefined) return undefined;
  const own = pods.filter((pod) => pod.startsWith(`${workload}-`));
  const name = workload.slice(workload.indexOf('/'));
  const some = someNames(
    own.length > 0 ? own : pods.filter((pod) => pod.slice(pod.indexOf('/')).startsWith(`${name}-`)),
  );
  return some.length === 0 ? undefined : some.map((pod) => (port === undefined ? pod : `${pod}:${port}`)).join(' or ');
}
