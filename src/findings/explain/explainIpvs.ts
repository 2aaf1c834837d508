import { ipPort } from '../../common/addresses/ipPort.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { ExplainContext } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { listOf } from './listOf.ts';
import { lostRules } from './lostRules.ts';
import { memberOwners } from './memberOwners.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import { sayByOwner } from './sayByOwner.ts';
import { otherPodRange } from './unmarkedReason.ts';

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
    say('K8N702', items, { what: seen, ...(services.length > 0 && { services }) });
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
  sayByOwner(context, 'K8N702', missing, { ownerOf, seen: (lines) => `the set ${name} lacks ${listOf(lines)}` });
  sayByOwner(context, 'K8N702', extra, {
    ownerOf,
    seen: (lines, isOwned) =>
      `the set ${name} holds ${listOf(lines)}, ${isOwned ? 'and should not' : 'which no Service asks for'}`,
  });
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
  const entrance =
    own?.kind !== 'address'
      ? undefined
      : (index.entrances.get(`${own.protocol} ${own.ip} ${own.port}`) ??
        index.entrances.get(`${own.protocol} * ${own.port}`));
  const service = entrance?.service;
  if (diff.found === undefined) {
    const isServiceMissing = entrance?.what === 'cluster IP';
    const seen = `no virtual server for ${address}`;
    say('K8N201', items, { what: seen, ...(isServiceMissing && { isServiceMissing }) }, service);
    return;
  }
  if (diff.expected === undefined) {
    if (own?.kind === 'address' && entrance?.what === 'node port') {
      const seen = `node port ${own.port}/${own.protocol} answers on ${escapeText(own.ip)}, which the settings given here leave out`;
      say('K8N507', items, { what: seen, ...otherNodePortAddresses }, service);
    } else say('K8N202', items, { what: `a virtual server for ${address}, which no Service has`, ...strangerServer });
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
    else say('K8N203', [item], { what: `${address} sends traffic to ${server}, which is not an endpoint` }, service);
  }
  for (const item of missing) {
    if (extra.some((other) => serverOf(other) === serverOf(item))) continue;
    say('K8N204', [item], { what: `${address} sends nothing to ${escapeText(serverOf(item))}` }, service);
  }
  const rest = items.filter((item) => !persistence.includes(item) && !servers.includes(item));
  if (rest.length > 0) say('K8N702', rest, { what: `${address} ${otherSettings(rest)}`, ...otherScheduler }, service);
}

/** kube-proxy removes what it does not know: the remedy for what it lost would harm another program's servers. */
const strangerServer = {
  why: 'The deletion of a Service was lost, the manifests are not all of the cluster’s Services, or another program of the node made it (keepalived, for example).',
  fix: `If another program needs it, name its address in \`ipvs.excludeCIDRs\` first, or kube-proxy removes it: ${commands.changeConfig}. If no program does: ${commands.restart} If the manifests are not all of the cluster’s Services, give all, or name one with \`--service\`.`,
};

const otherNodePortAddresses = {
  isAdvice: false,
  why: 'kube-proxy runs with other `nodePortAddresses` than those given here, was not restarted since they changed, or is behind; or the node has more addresses than `--node-address` names.',
  fix: `Compare \`nodePortAddresses\` in \`kubectl -n kube-system get configmap kube-proxy -o yaml\` (kubeadm and its like), and give that configuration with \`--config\`; \`--addresses\` takes what \`ip addr\` prints on the node. If all is as given: ${commands.restart}`,
};

const changedServer = 'kube-proxy is behind, or somebody changed the virtual server with ipvsadm.';

const otherScheduler = {
  why: 'kube-proxy is behind, runs with another `ipvs.scheduler` than the one given here, or somebody changed the virtual server with ipvsadm.',
  fix: `Compare \`ipvs.scheduler\` in \`kubectl -n kube-system get configmap kube-proxy -o yaml\` (kubeadm and its like), and give that configuration with \`--config\`. If it is as given: ${commands.restart}`,
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
  });
  const extra = of('extra');
  if (extra.length === 0) return;
  const addresses = listOf(extra.map(({ line }) => line));
  say('K8N701', extra, { what: `kube-ipvs0 has ${addresses}, which no Service has` });
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

/** IPVS mode: rules that check whether a set contains a packet's destination, and act for all Services in that set. */
export function explainSetRules({ items, say, diff }: ExplainContext): void {
  const chain = escapeText(diff.chain);
  const isMark = ({ rule }: RuleDifference) => jumpTarget(rule) === 'KUBE-MARK-MASQ';
  const isLocal = ({ rule }: RuleDifference) =>
    jumpTarget(rule) === 'RETURN' && rule.words.some((word) => word.kind === 'set' && word.set.includes('-LOCAL'));
  const missing = items.filter((item) => isMark(item) && item.side !== 'extra');
  const marked = items.filter((item) => isLocal(item) || (isMark(item) && item.side === 'extra'));
  const rest = items.filter((item) => !isMark(item) && !isLocal(item));
  if (missing.length > 0) {
    sayMarking(missing, marked, chain, say);
  } else if (marked.length > 0 && marked.every(isOfNodePorts)) {
    // kube-proxy writes the rule for a set that has members.
    say('K8N702', marked, { what: `${chain} has rules for sets of node ports that should be empty` });
  } else if (marked.length > 0) {
    const seen = `${chain} marks other traffic than it should`;
    say('K8N408', marked, { what: seen, severity: 'warning', isAdvice: false });
  }
  if (rest.length > 0) say('K8N201', rest, { what: `${chain} does not let in what the sets hold as it should` });
}

function isOfNodePorts({ rule, side }: RuleDifference): boolean {
  const sets = rule.words.flatMap((word) => (word.kind === 'set' ? word.set : []));
  return side === 'extra' && sets.length > 0 && sets.every((set) => proxySetKind(set)?.startsWith('NODE-PORT'));
}

/** kube-proxy's setting for Pod addresses shows in the rule for cluster IPs; no other rule depends on it. */
function sayMarking(
  missing: readonly RuleDifference[],
  marked: readonly RuleDifference[],
  chain: string,
  say: ExplainContext['say'],
): void {
  const items = [...missing, ...marked];
  const seen = `${chain} does not mark what comes from outside as it should`;
  const other = marked.find(({ rule, side }) => side === 'extra' && jumpTarget(rule) === 'KUBE-MARK-MASQ');
  const set = other?.rule.words.find((word) => word.kind === 'set');
  if (other === undefined || set?.kind !== 'set') {
    say('K8N401', items, { what: seen, ...lostRules });
    return;
  }
  const range = podRangeOf(other);
  const asked = missing.map(podRangeOf).find((one) => one !== undefined);
  if (range !== undefined && range !== asked) {
    const instead = asked === undefined ? 'and should mark what they send too' : `not by ${escapeText(asked)}`;
    say('K8N401', items, {
      what: `${chain} knows local Pods by ${escapeText(range)}, ${instead}`,
      ...otherPodRange,
    });
  } else if (range === undefined && set.sides.join(',') === 'dst,dst') {
    say('K8N408', items, {
      what: `${chain} marks all traffic to cluster IPs, that of Pods too`,
      severity: 'warning',
      isAdvice: false,
    });
  } else {
    say('K8N401', items, { what: seen });
  }
}

function podRangeOf({ rule }: RuleDifference): string | undefined {
  const word = rule.words.find((one) => (one.kind === 'source' || one.kind === 'inInterface') && one.negated);
  return word?.kind === 'source' ? word.address : word?.kind === 'inInterface' ? word.name : undefined;
}
