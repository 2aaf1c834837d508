import { cidrContains } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { didYouMean } from '../../common/text/didYouMean.ts';
import { readParty } from '../../trace/question/readParty.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CompiledNodes, LabCluster, LabParty } from '../labCluster.ts';
import { isMachineAddress } from '../network/isMachineAddress.ts';
import type { LabClients } from '../network/labClients.ts';
import type { SocketProtocol } from '../network/labNetwork.ts';
import { type LabProbe, sourceOf } from './labProbe.ts';

/** `--probe FROM TO…`, as it was written. */
export interface AskedProbe {
  readonly from: string;
  readonly to: readonly string[];
}

export type AskedProtocol = SocketProtocol | 'icmp';

/** The probes that were asked for; a text: what is wrong with one of them. `protocol` is of those that say none. */
export function askedProbes(
  asked: readonly AskedProbe[],
  protocol: AskedProtocol | undefined,
  cluster: LabCluster,
  clients: LabClients,
  compiled: CompiledNodes,
): readonly LabProbe[] | string {
  const people = [...cluster.nodes, ...cluster.parties, ...clients.pods, ...clients.hosts];
  const probes: LabProbe[] = [];
  for (const { from, to } of asked) {
    const client = clientOf(from, cluster, people);
    if (typeof client === 'string') return `--probe ${from}: ${client}`;
    if (to.length === 0) return `--probe ${from}: to whom? write --probe FROM TO`;
    if (!people.includes(client.from)) people.push(client.from);
    for (const text of to) {
      const end = endOf(text, protocol, client, cluster, people, compiled);
      if (typeof end === 'string') return `--probe ${from} ${text}: ${end}`;
      const probe = { ...client, ...end };
      if (sourceOf(probe) === undefined) return `--probe ${from} ${text}: ${from} has no address of this family`;
      probes.push(probe);
    }
  }
  return probes;
}

type Client = Pick<LabProbe, 'from' | 'source'>;
type End = Omit<LabProbe, 'from' | 'source'>;

function clientOf(text: string, { tested, nodes }: LabCluster, people: readonly LabParty[]): Client | string {
  if (text === 'node') return { from: tested };
  const named = people.find(({ name }) => name === text);
  if (named !== undefined) return { from: named };
  const address = canonicalIp(text);
  if (address !== undefined) {
    const holder = people.find(({ addresses }) => addresses.includes(address));
    if (holder !== undefined) return { from: holder, source: address };
    if (!isMachineAddress(address)) return 'no machine can have this address';
    const home = nodes.find(({ podCidrs }) => podCidrs.some((cidr) => cidrContains(cidr, address)));
    const made = { name: address, addresses: [address], servers: [] };
    return { from: home === undefined ? { kind: 'outside', ...made } : { kind: 'pod', node: home.node, ...made } };
  }
  const names = people.map(({ name }) => name);
  const meant = didYouMean(text, names);
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`;
  return `unknown name: write pod, pod/NODE, node, node/NAME, outside, namespace/name of a Pod, or an address${hint}`;
}

function endOf(
  written: string,
  asked: AskedProtocol | undefined,
  client: Client,
  { tested }: LabCluster,
  people: readonly LabParty[],
  compiled: CompiledNodes,
): End | string {
  const [, text = written, protocolWord] = /^(.*)\/(tcp|udp|sctp|icmp)$/i.exec(written) ?? [];
  const protocol = (protocolWord?.toLowerCase() as AskedProtocol | undefined) ?? asked;
  const party = readParty(text);
  if (party === undefined || party.kind === 'outside') {
    return 'give an address, a Pod or Service (namespace/name) or node, with a port: 10.96.0.10:53/udp';
  }
  const wantsV6 = sourceFamilies(client).every((family) => family === 'ipv6');
  if (party.kind === 'address') return withPort(addressText(party.address), party.port, protocol);
  if (party.kind === 'object') {
    const served = servedBy(party.name, party.port, protocol, wantsV6, compiled);
    if (served !== undefined) return served;
  }
  const name = party.kind === 'object' ? party.name : party.name === undefined ? tested.name : `node/${party.name}`;
  const receiver = people.find((each) => each.name === name);
  const address = receiver?.addresses.find((ip) => ip.includes(':') === wantsV6);
  if (address === undefined) return 'nothing of this name with an address of the family is known';
  const port = party.port === undefined ? undefined : Number(party.port);
  if (Number.isNaN(port)) return 'give the port as a number';
  return withPort(address, port, protocol);
}

function withPort(to: string, port: number | undefined, protocol: AskedProtocol = 'tcp'): End | string {
  if (protocol === 'icmp') return { to, port: undefined, protocol };
  return port === undefined ? 'which port?' : { to, port, protocol };
}

function sourceFamilies({ from, source }: Client): readonly (Family | undefined)[] {
  return (source === undefined ? from.addresses : [source]).map((address) => familyOf(address));
}

/** The cluster IP of a Service; undefined: there is no Service of this name. */
function servedBy(
  name: string,
  port: string | undefined,
  protocol: AskedProtocol | undefined,
  wantsV6: boolean,
  [{ model }]: CompiledNodes,
): End | string | undefined {
  const ports = model.servicePorts.filter((each) => `${each.namespace}/${each.name}` === name);
  if (ports.length === 0) return undefined;
  const own = ports.filter(({ family }) => (family === 'ipv6') === wantsV6);
  const [first] = own;
  if (first === undefined) return 'the Service has no cluster IP of this family';
  if (protocol === 'icmp') return { to: first.clusterIP, port: undefined, protocol };
  const fitting = own
    .filter((each) => port === undefined || each.portName === port || String(each.port) === port)
    .filter((each) => protocol === undefined || each.protocol.toLowerCase() === protocol);
  const [found] = fitting;
  if (found !== undefined && (port !== undefined || fitting.length === 1)) {
    const service = `${name}${found.portName === '' ? '' : `:${found.portName}`}`;
    const spoken = found.protocol.toLowerCase() as SocketProtocol;
    return { to: found.clusterIP, port: found.port, protocol: spoken, service, entrance: 'cluster IP' };
  }
  // A port that the Service lacks can be asked for all the same: what happens then is a fair question.
  if (port !== undefined && /^\d{1,5}$/.test(port)) return withPort(first.clusterIP, Number(port), protocol);
  const offered = own.map((each) => (each.portName === '' ? String(each.port) : `${each.portName} (${each.port})`));
  return `${port === undefined ? 'which port?' : `the Service has no port ${port}.`} It has ${offered.join(', ')}`;
}
