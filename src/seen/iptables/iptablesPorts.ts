import { memoized } from '../../common/memoized.ts';
import { type RuleView, ruleView } from '../../netfilter/iptables/print/ruleView.ts';
import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { serviceInComment } from '../names/serviceInComment.ts';
import { addIp, type PortBook, portBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import { type Entrance, followEntrance } from './followEntrance.ts';
import { readStrayChains } from './readStrayChains.ts';
import { chainReader } from './seenChain.ts';
import { trackingReader } from './trackingReader.ts';

/** Service ports that rules of iptables mode show, by the comments that kube-proxy writes into each. */
export const iptablesPorts = memoized((rules: ToolRules): readonly SeenPort[] => {
  const { tables, family } = rules;
  const [nat, filter] = [tables.get('nat'), tables.get('filter')];
  const book = portBook(family);
  const entrances: Entrance[] = [];
  const read = (table: RuleTable | undefined, name: string, take: (view: RuleView) => void) => {
    const chain = table?.chains.get(name);
    for (const rule of chain ? rulesOf(chain, family) : []) take(ruleView(rule));
  };
  read(nat, 'KUBE-SERVICES', (view) => readService(view, book, entrances));
  read(nat, 'KUBE-NODEPORTS', (view) => readNodePort(view, book, entrances));
  read(filter, 'KUBE-SERVICES', (view) => readRefusal(view, book, true));
  read(filter, 'KUBE-EXTERNAL-SERVICES', (view) => readRefusal(view, book, false));
  read(filter, 'KUBE-PROXY-FIREWALL', (view) => readFirewall(view, book));
  const reader = trackingReader(chainReader(rules));
  for (const entrance of entrances) followEntrance(entrance, reader);
  if (nat !== undefined) readStrayChains(nat, book, reader);
  // Of a port, its rule shows the name alone: everything else that names it was read before.
  read(filter, 'KUBE-NODEPORTS', (view) => readHealthCheck(view, book));
  return [...book.all()];
});

/** The port that a comment names, and what the comment says about it. */
function portOf({ comment, protocol }: RuleView, book: PortBook): { port: SeenPort; what: string } | undefined {
  const named = serviceInComment(comment);
  return named === undefined || protocol === undefined
    ? undefined
    : { port: book.of(named, protocol), what: named.what };
}

function readService(view: RuleView, book: PortBook, entrances: Entrance[]): void {
  const chain = view.jump;
  if (!isServiceTarget(chain)) return;
  const { port, what } = portOf(view, book) ?? {};
  if (port === undefined || view.destination === undefined || view.port === undefined) return;
  switch (what) {
    case 'cluster IP':
      port.clusterIP ??= view.destination;
      entrances.push({ port, kind: 'internal', chain });
      break;
    case 'external IP':
      addIp(port.externalIPs, view.destination);
      entrances.push({ port, kind: 'externalIP', chain });
      break;
    case 'loadbalancer IP':
      addIp(port.loadBalancerIPs, view.destination);
      entrances.push({ port, kind: 'external', chain });
      break;
    default:
      readUnsaid(port, view.destination, chain, entrances);
  }
  port.port ??= view.port;
}

/** An edited comment does not say what kind of address this is; the chain does, as far as it can. */
function readUnsaid(port: SeenPort, ip: string, chain: string, entrances: Entrance[]): void {
  const kind = serviceChainKind(chain);
  const isInternal = (kind === 'balance' || kind === 'localBalance') && port.clusterIP === undefined;
  if (isInternal) port.clusterIP = ip;
  else addIp(kind === 'firewall' ? port.loadBalancerIPs : port.eitherIPs, ip);
  entrances.push({ port, kind: isInternal ? 'internal' : 'external', chain });
}

function readNodePort(view: RuleView, book: PortBook, entrances: Entrance[]): void {
  if (!isServiceTarget(view.jump)) return;
  const { port } = portOf(view, book) ?? {};
  if (port === undefined || view.port === undefined) return;
  port.nodePort ??= view.port;
  entrances.push({ port, kind: 'external', chain: view.jump });
}

/**
 * Traffic that is rejected: there is no endpoint at all, or a Local policy allows none. Cluster IPs are rejected in
 * KUBE-SERVICES; old versions reject other addresses there too. These are known from the cluster IP in front of them,
 * or from rules of nat.
 */
function readRefusal(view: RuleView, book: PortBook, isInternal: boolean): void {
  const { port, what } = portOf(view, book) ?? {};
  if (port === undefined || view.port === undefined) return;
  const isRejected = view.target?.kind === 'reject' && what === 'has no endpoints';
  const isDropped = view.jump === 'DROP' && what === 'has no local endpoints';
  if (!isRejected && !isDropped) return;
  port.hasEndpoints = isDropped;
  if (isDropped) {
    port.local ??= [];
    if (isInternal) port.internalPolicy = 'Local';
    else port.externalPolicy = 'Local';
  }
  if (view.isToNode) {
    port.nodePort ??= view.port;
    return;
  }
  const ip = view.destination;
  if (ip === undefined) return;
  port.port ??= view.port;
  if (port.clusterIP === ip || port.externalIPs.includes(ip) || port.loadBalancerIPs.includes(ip)) return;
  if (!isInternal) addIp(port.eitherIPs, ip);
  else if (port.clusterIP === undefined) port.clusterIP = ip;
  else {
    addIp(port.loadBalancerIPs, ip);
    port.tellsLoadBalancers = true;
  }
}

/** Since 1.27: what the source ranges of a load balancer leave out. */
function readFirewall(view: RuleView, book: PortBook): void {
  const { port, what = '' } = portOf(view, book) ?? {};
  if (port === undefined || view.destination === undefined || !what.startsWith('traffic not accepted by ')) return;
  port.port ??= view.port;
  addIp(port.loadBalancerIPs, view.destination);
}

function readHealthCheck(view: RuleView, book: PortBook): void {
  if (view.jump !== 'ACCEPT') return;
  const named = serviceInComment(view.comment);
  if (named?.what !== 'health check node port' || view.port === undefined) return;
  // The rule is for TCP, whatever the port's protocol is.
  const ports = book.named(named);
  for (const port of ports.length > 0 ? ports : [book.of(named, 'TCP')]) port.healthCheckNodePort ??= view.port;
}

function isServiceTarget(chain: string): boolean {
  const kind = serviceChainKind(chain);
  return kind !== undefined && kind !== 'endpoint';
}
