import { escapeText } from '../../common/text/escapeText.ts';
import { printCommand as printIpset } from '../../netfilter/ipset/command.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import type { VirtualService } from '../../netfilter/ipvs/ast.ts';
import { printCommand as printIpvs } from '../../netfilter/ipvs/command.ts';
import { chainsIn } from '../../node/chains/chainsIn.ts';
import { virtualServicesIn } from '../../node/ipvsRules.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { serviceIptables } from './serviceIptables.ts';

/** The address and port of a Service port, according to its object. */
export interface ServiceEntrances {
  readonly protocol: string;
  readonly addresses: readonly string[];
  readonly port: number;
  /** 0: none. */
  readonly nodePort: number;
  readonly healthCheckNodePort: number;
}

/**
 * One Service in IPVS mode: its members of sets, the rules that use these sets, its virtual servers, and its addresses
 * on kube-ipvs0. Rules and sets do not name Services: it is found by its addresses and ports.
 */
export function* serviceIpvs(
  node: NodeRules,
  entrances: readonly ServiceEntrances[],
  isAnnotated: boolean,
): Iterable<string> {
  for (const tool of node.ipvs) {
    const servers = virtualServicesIn([tool]).filter((one) => isAskedFor(one, entrances));
    if (servers.length === 0) continue;
    const { family } = tool;
    const sets = node.ipsets
      .filter((one) => one.family === family)
      .flatMap((one) => membersIn(one, entrances, servers));
    const note = (sentence: string) => (isAnnotated ? `# ${escapeText(sentence)}\n` : '');
    yield `# ${family}, for ipset restore\n`;
    for (const { set, members } of sets) {
      yield `${printIpset({ kind: 'create', set: set.name, type: set.type, options: set.options })}\n`;
      for (const { member, options } of members) {
        yield note(`${set.name} holds ${member}.`);
        yield `${printIpset({ kind: 'add', set: set.name, member, options })}\n`;
      }
    }
    const names = new Set(sets.map(({ set }) => set.name));
    const own = new Set(servers.flatMap(({ address }) => (address.kind === 'address' ? address.ip : [])));
    const isOthers = ({ words }: Rule) =>
      words.some((word) => {
        if (word.kind === 'set') return !names.has(word.set);
        const asked = word.kind === 'ipvs' ? word.options.find(({ name }) => name === 'vaddr')?.values[0] : undefined;
        return asked !== undefined && !own.has(asked);
      });
    for (const rules of node.iptables.filter((one) => one.family === family)) {
      yield* serviceIptables(rules, () => false, isAnnotated, isOthers);
    }
    yield `# ${family}, for ipvsadm -R\n`;
    for (const service of servers) yield* serverLines(service, note);
    for (const address of addressesOf(node, tool)) if (own.has(address)) yield `# kube-ipvs0 has ${address}\n`;
  }
}

function isAskedFor({ address }: VirtualService, entrances: readonly ServiceEntrances[]): boolean {
  if (address.kind !== 'address') return false;
  return entrances.some(
    ({ protocol, addresses, port, nodePort }) =>
      protocol === address.protocol &&
      ((addresses.includes(address.ip) && port === address.port) || (nodePort > 0 && nodePort === address.port)),
  );
}

function membersIn({ tables }: ToolRules, entrances: readonly ServiceEntrances[], servers: readonly VirtualService[]) {
  const keys = new Set<string>();
  for (const { protocol, addresses, port, nodePort, healthCheckNodePort } of entrances) {
    for (const address of addresses) keys.add(address).add(`${address},${protocol}:${port}`);
    if (nodePort > 0) keys.add(`${protocol} ${nodePort}`);
    if (healthCheckNodePort > 0) keys.add(`tcp ${healthCheckNodePort}`);
  }
  for (const { address, servers: real } of servers) {
    if (address.kind !== 'address') continue;
    keys.add(`${address.ip},${address.protocol}:${address.port}`);
    // Pods that reach themselves through the Service.
    for (const { ip, port } of real) keys.add(`${ip},${address.protocol}:${port},${ip}`);
  }
  return [...tables.values()].flatMap(({ chains }) =>
    [...chains.values()].flatMap(({ content }) => {
      if (content?.kind !== 'ipset') return [];
      const { set } = content;
      const protocol = /-(TCP|UDP|SCTP)(?:-|$)/.exec(set.name)?.[1]?.toLowerCase() ?? 'tcp';
      const members = set.members.filter(({ member }) => {
        const [address, port, ...more] = member.split(',');
        const isPair = port !== undefined && keys.has(`${address},${port}`);
        return keys.has(member) || (isPair && more.length > 0) || keys.has(`${protocol} ${member}`);
      });
      return members.length === 0 ? [] : [{ set, members }];
    }),
  );
}

function* serverLines(service: VirtualService, note: (sentence: string) => string): Iterable<string> {
  const { address, scheduler, persistence, servers } = service;
  const name = address.kind === 'address' ? `${address.ip} port ${address.port}/${address.protocol}` : 'marked packets';
  const stays = persistence === undefined ? '' : `; a client stays with its server for ${persistence.seconds} s`;
  const count = servers.length === 1 ? 'one server' : `${servers.length} servers (${scheduler})`;
  yield note(
    servers.length === 0
      ? `IPVS refuses connections to ${name}, which has no servers.`
      : `IPVS sends connections to ${name} to ${count}${stays}.`,
  );
  yield `${printIpvs({ kind: 'addService', service })}\n`;
  for (const server of servers) {
    const share =
      servers.length === 1
        ? 'gets all of them'
        : scheduler === 'rr'
          ? `gets 1/${servers.length} of them`
          : `has weight ${server.weight}`;
    yield note(`${server.ip} port ${server.port} ${share}.`);
    yield `${printIpvs({ kind: 'addServer', address, server })}\n`;
  }
}

function addressesOf(node: NodeRules, { family }: ToolRules): readonly string[] {
  return chainsIn(node.addresses.filter((one) => one.family === family)).flatMap((chain) => linesOf(chain));
}
