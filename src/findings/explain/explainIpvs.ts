import { ipPort } from '../../common/addresses/ipPort.ts';
import { memoized } from '../../common/memoized.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { virtualServicesIn } from '../../node/ipvsRules.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { ChainContent, RuleChain } from '../../node/ruleChain.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import { endpointsRole, type Role, repeatedRole } from './consequences.ts';
import type { ExplainContext } from './explainWith.ts';
import { listOf } from './listOf.ts';
import { closedNodePorts, compareSetting, lostRules } from './lostRules.ts';
import { memberOwners } from './memberOwners.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import { sayByOwner } from './sayByOwner.ts';
import { entranceOfServer, reachedOf } from './serviceIndex.ts';
import { strangerParts } from './strangers.ts';

/** IPVS mode: members of the sets. */
export function explainSets(context: ExplainContext): void {
  const { items, say, diff, index } = context;
  if (items.length === 0) return;
  const owners = memberOwners(index);
  const ownerOf = ({ line }: RuleDifference) => owners.ofMember(diff.chain, line);
  if (diff.found === undefined) {
    const members = items.slice(1).map(({ line }) => line);
    const lost = members.length === 0 ? '' : `, and with it ${listOf(members)}`;
    const services = [...new Set(items.slice(1).flatMap((item) => ownerOf(item)?.name ?? []))];
    const seen = `the set ${escapeText(diff.chain)} is missing${lost}`;
    const role = members.length > 0 ? ({ tells: 'setUse', about: [diff.chain] } as const) : {};
    say('K8N702', items, { what: seen, role, ...(services.length > 0 && { services }) });
    return;
  }
  const name = escapeText(diff.chain);
  if (diff.expected === undefined) {
    const seen = `this version of kube-proxy makes no set ${name}`;
    say('K8N210', items, { what: seen, severity: 'info', isAdvice: true, ...leftSet(diff.chain) });
    return;
  }
  const types = items.filter(({ content }) => content === undefined);
  if (types.length > 0) {
    const of = (side: RuleDifference['side']) => types.find((item) => item.side === side)?.line.replace(/^type /, '');
    const seen = `the set ${name} is of the type ${escapeText(of('extra') ?? '?')} instead of ${of('missing')}`;
    say('K8N702', items, { what: seen, ...otherType });
    return;
  }
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  const isOfEndpoints = proxySetKind(diff.chain)?.startsWith('LOOP-BACK') === true;
  const isUseChanged = hasMembers(diff.expected) !== hasMembers(diff.found);
  const roleOf = (own: readonly RuleDifference[]): Role => ({
    ...(isOfEndpoints ? endpointsRole(own.map(endpointOfMember)) : membersRole(diff.chain, own)),
    ...(isUseChanged && { tells: 'setUse', about: [diff.chain] }),
  });
  sayByOwner(context, 'K8N702', missing, {
    ownerOf,
    seen: (lines) => `the set ${name} lacks ${listOf(lines)}`,
    roleOf,
  });
  sayByOwner(context, 'K8N702', extra, {
    ownerOf,
    seen: (lines, isOwned) =>
      `the set ${name} holds ${listOf(lines)}, ${isOwned ? 'and should not' : 'which no Service asks for'}`,
    roleOf,
  });
}

/** The first line of a set is its type. */
function hasMembers(set: RuleChain): boolean {
  return linesOf(set).length > 1;
}

/** What a Service without virtual server lacks, too, or what is left with one. */
function membersRole(set: string, items: readonly RuleDifference[]): Role {
  if (items.some(({ side }) => side === 'missing')) return unknownAddressRole;
  const protocol = /NODE-PORT.*-(TCP|UDP)$/.exec(set)?.[1]?.toLowerCase();
  const keyOf = (line: string) => (protocol === undefined ? (line.split(' ')[0] ?? '') : `${protocol}:${line}`);
  return { follows: ['left'], each: items.map(({ line }) => keyOf(line)) };
}

const unknownAddressRole = { follows: ['unknown'] } as const;

/** `10.244.1.10,tcp:8080,10.244.1.10` */
function endpointOfMember({ line }: RuleDifference): string {
  const [ip = '', port = ''] = line.split(',');
  return ipPort(ip, Number(port.split(':')[1]));
}

/** kube-proxy destroys no set when it no longer uses it. */
function leftSet(set: string) {
  const command = /^[\w.-]+$/.test(set) ? `ipset destroy ${set}` : 'ipset destroy SET';
  return {
    why: 'Another version of kube-proxy made it, and kube-proxy leaves its old sets. A set that no rule uses does nothing.',
    fix: `Nothing to do. \`${command}\` removes it, and refuses if a rule still uses it.`,
  };
}

const otherType = {
  why: 'Another version of kube-proxy or another program made it. kube-proxy cannot change the type of a set that is there, and stops each sync at it.',
  fix: `Drain the node (\`kubectl drain NODE --ignore-daemonsets\`) and reboot it: the set cannot be destroyed while rules use it. ${commands.readLog}`,
};

/** IPVS mode: virtual services and their servers. */
export function explainIpvs({ items, say, diff, index }: ExplainContext): void {
  const address = escapeText(diff.chain);
  const content = (diff.expected ?? diff.found)?.content;
  const own = content?.kind === 'virtualServer' ? content.service.address : undefined;
  const entrance = entranceOfServer(content, index);
  const service = entrance?.service;
  // The cluster IP stands for all addresses that have the same endpoints.
  const isFirst = entrance?.what === 'cluster IP';
  if (diff.found === undefined) {
    const seen = `no virtual server for ${address}`;
    const role = { tells: 'unknown', about: reachedOf(service) } as const;
    const isClosed = own?.kind === 'address' && entrance?.what === 'node port' && !ipsServed(diff.foundSet).has(own.ip);
    say(
      'K8N201',
      items,
      { what: seen, role, ...(isClosed && closedNodePorts), ...(isFirst && { isServiceMissing: isFirst }) },
      service,
    );
    return;
  }
  if (diff.expected === undefined) {
    if (own?.kind === 'address' && entrance?.what === 'node port') {
      const seen = `node port ${own.port}/${own.protocol} answers on ${escapeText(own.ip)}, which the settings given here leave out`;
      say('K8N507', items, { what: seen, ...otherNodePortAddresses }, service);
    } else {
      const role = { tells: 'left', about: membersOf(content) } as const;
      say('K8N202', items, { what: `a virtual server for ${address}, which no Service has`, role, ...strangerServer });
    }
    return;
  }
  const persistence = items.filter(({ content: one }) => one?.kind === 'persistence');
  if (persistence.length > 0) {
    say('K8N304', persistence, { what: `${address} ${keptClients(persistence)}`, why: changedServer }, service);
  }
  const servers = items.filter(({ content: one }) => one?.kind === 'server');
  const missing = servers.filter(({ side }) => side === 'missing');
  const extra = servers.filter(({ side }) => side === 'extra');
  for (const item of extra) {
    const twin = missing.find((other) => serverOf(other) === serverOf(item));
    const server = escapeText(serverOf(item));
    const isWaiting = item.content?.kind === 'server' && item.content.server.weight === 0;
    const seen = `${server} of ${address} has weight 0`;
    if (isWaiting && twin) say('K8N703', [item, twin], { what: seen, ...readyServer(diff) }, service);
    else if (isWaiting) say('K8N703', [item], { what: seen }, service);
    else if (twin) say('K8N702', [item, twin], { what: `${server} of ${address} has other settings` }, service);
    else say('K8N203', [item], strangerParts(`${address} sends traffic`, [serverOf(item)], service, isFirst), service);
  }
  for (const item of missing) {
    if (extra.some((other) => serverOf(other) === serverOf(item))) continue;
    const role = repeatedRole('lacking', [serverOf(item)], isFirst);
    say('K8N204', [item], { what: `${address} sends nothing to ${escapeText(serverOf(item))}`, role }, service);
  }
  const rest = items.filter((item) => !persistence.includes(item) && !servers.includes(item));
  if (rest.length > 0) say('K8N702', rest, { what: `${address} ${otherSettings(rest)}`, ...otherScheduler }, service);
}

/** Addresses with a virtual server. */
const ipsServed = memoized(
  (rules: ToolRules): ReadonlySet<string> =>
    new Set(virtualServicesIn([rules]).flatMap(({ address }) => (address.kind === 'address' ? address.ip : []))),
);

/** What sets hold for a virtual server. */
function membersOf(content: ChainContent | undefined): readonly string[] {
  if (content?.kind !== 'virtualServer' || content.service.address.kind !== 'address') return [];
  const { ip, protocol, port } = content.service.address;
  const servers = content.service.servers.map((server) => ipPort(server.ip, server.port));
  return [ip, `${ip},${protocol}:${port}`, `${protocol}:${port}`, ...servers];
}

/** kube-proxy removes what it does not know: the remedy for what it lost would harm another program's servers. */
const strangerServer = {
  why: 'The deletion of a Service was lost, the manifests are not all of the cluster’s Services, or another program of the node made it (keepalived, for example).',
  fix: `If another program needs it, name its address in \`ipvs.excludeCIDRs\` first, or kube-proxy removes it: ${commands.changeConfig}. If no program does: ${commands.restart} If the manifests are not all of the cluster’s Services, give all, or name one with \`--service\`.`,
};

const otherNodePortAddresses = {
  isAdvice: false,
  why: 'kube-proxy runs with other `nodePortAddresses` than those given here, was not restarted since they changed, or is behind; or the node has more addresses than `--node-address` names.',
  fix: `${compareSetting('nodePortAddresses')}; \`--addresses\` takes what \`ip addr\` prints on the node. If all is as given: ${commands.restart}`,
};

const changedServer = 'kube-proxy is behind, or somebody changed the virtual server with ipvsadm.';

const otherScheduler = {
  why: 'kube-proxy is behind, runs with another `ipvs.scheduler` than the one given here, or somebody changed the virtual server with ipvsadm.',
  fix: `${compareSetting('ipvs.scheduler')}. If it is as given: ${commands.restart}`,
};

function otherSettings(items: readonly RuleDifference[]): string {
  const of = (side: RuleDifference['side']) =>
    items.find((item) => item.side === side)?.line.replace(/^scheduler /, '');
  const [asks, has] = [of('missing'), of('extra')];
  return asks === undefined || has === undefined
    ? 'has other settings'
    : `chooses servers by ${escapeText(has)} instead of ${escapeText(asks)}`;
}

function keptClients(items: readonly RuleDifference[]): string {
  const seconds = (side: RuleDifference['side']) =>
    items.flatMap((item) =>
      item.side === side && item.content?.kind === 'persistence' ? item.content.persistence.seconds : [],
    )[0];
  const [asks, keeps] = [seconds('missing'), seconds('extra')];
  if (asks === undefined) return `keeps clients on one server for ${keeps} s, which the Service does not ask for`;
  return keeps === undefined
    ? `does not keep clients on one server for ${asks} s`
    : `keeps clients on one server for ${keeps} s instead of ${asks} s`;
}

/**
 * An endpoint that is ready in the manifests; if no server accepts connections any more, that is more than a remark.
 */
function readyServer({ found }: ExplainContext['diff']) {
  const content = found?.content;
  const isLast = content?.kind === 'virtualServer' && content.service.servers.every(({ weight }) => weight === 0);
  return {
    why: `It gets no new connections${isLast ? ', nor does any other server there: they are refused' : ''}. The manifests have the endpoint as ready: they are older than its termination, or somebody set the weight with ipvsadm, or kube-proxy is behind.`,
    fix: `See whether the endpoint is still ready: ${commands.showEndpoints}. If it is terminating, wait: kube-proxy removes it when its connections have ended. If it is ready: ${commands.restart}`,
    ...(isLast && { severity: 'warning' as const, isAdvice: false }),
  };
}

function serverOf({ content }: RuleDifference): string {
  return content?.kind === 'server' ? ipPort(content.server.ip, content.server.port) : '';
}

/** IPVS mode: addresses of kube-ipvs0. */
export function explainAddresses(context: ExplainContext): void {
  const { items, say, index } = context;
  const owners = memberOwners(index);
  const of = (side: RuleDifference['side']) => items.filter((item) => item.side === side);
  sayByOwner(context, 'K8N701', of('missing'), {
    ownerOf: ({ line }) => owners.ofAddress(line),
    seen: (lines) => `kube-ipvs0 lacks ${listOf(lines)}`,
    roleOf: () => unknownAddressRole,
  });
  const extra = of('extra');
  if (extra.length === 0) return;
  const addresses = listOf(extra.map(({ line }) => line));
  const role = { follows: ['left'], each: extra.map(({ line }) => line) } as const;
  say('K8N701', extra, { what: `kube-ipvs0 has ${addresses}, which no Service has`, role });
}

/** IPVS mode: the chains that keep the host's own ports unreachable at Services' addresses. */
export function explainIpvsFilter({ items, say, diff }: ExplainContext): void {
  if (items.length === 0) return;
  // A kernel without xt_ipvs accepts no rules that match a virtual server.
  const isLeftOut =
    (linesOf(diff.found).length ?? 0) === 0 &&
    items.every(({ rule }) => rule.words.some(({ kind }) => kind === 'ipvs'));
  const mild = isLeftOut ? { severity: 'info' as const, isAdvice: true } : {};
  // This version of kube-proxy writes the chain: upgrading would not help.
  const lost = diff.expected !== undefined && !isLeftOut ? lostFilter : {};
  say('K8N704', items, { what: `${diff.chain} does not hold the rules that it should`, ...lost, ...mild });
}

const lostFilter = {
  why: `${lostRules.why} Ports on which the host itself listens may answer at Services’ addresses, or Services not answer.`,
  fix: lostRules.fix,
};
