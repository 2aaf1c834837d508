import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { count } from '../common/text/count.ts';
import { escapeText } from '../common/text/escapeText.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { DiagnosticCode } from '../problems/problemCode.ts';
import type { SoundReading } from '../seen/modes/soundReading.ts';
import { hidesZero } from '../seen/ports/hidesZero.ts';
import type { ConfigAddresses } from './manifests/configManifest.ts';
import type { ImportedService } from './manifests/importedService.ts';
import type { Refused } from './manifests/legalGroups.ts';
import type { ImportedNode } from './manifests/nodeManifest.ts';
import type { ServiceGroup } from './manifests/serviceGroup.ts';

/** What was read and what came of it. */
export interface ImportFacts {
  readonly dump: NodeRules;
  readonly mode: ProxyMode;
  /** All modes whose rules are there. */
  readonly modes: readonly ProxyMode[];
  /** As the rules show them; undefined: nothing in the dump tells. */
  readonly versions: readonly KubeVersion[] | undefined;
  /** Given with the command. */
  readonly isVersionAsked: boolean;
  readonly reading: SoundReading;
  readonly groups: readonly ServiceGroup[];
  /** Of the groups, in their order. */
  readonly services: readonly ImportedService[];
  readonly refused: readonly Refused[];
  readonly config: ConfigAddresses;
  readonly nodeObject: ImportedNode;
  readonly hasNfacct: boolean;
  readonly foreign: number;
  /** What shows that the dump is not whole. */
  readonly gaps: readonly string[];
  readonly isForRules: boolean;
}

/** Says what the rules do not show and was left out, what was made up, and what was seen and left out. */
export function reportImport(facts: ImportFacts, report: Report): void {
  const say = (code: DiagnosticCode, severity: 'warning' | 'note', message: string, hint?: string) =>
    report({ code, severity, message: escapeText(message), at: [], ...(hint !== undefined && { hint }) });
  reportVersions(facts, say);
  reportMadeUp(facts, say);
  reportHidden(facts, say);
  reportLeftOut(facts, say);
}

type Say = (code: DiagnosticCode, severity: 'warning' | 'note', message: string, hint?: string) => void;

function reportVersions(
  { dump, mode, modes, versions, isVersionAsked, hasNfacct, isForRules }: ImportFacts,
  say: Say,
): void {
  const [modeOption, versionOption] = isForRules ? ['--from-mode', '--from-version'] : ['--mode', '--kube-version'];
  const others = modes.filter((one) => one !== mode);
  if (others.length > 0) {
    const message = `rules of ${others.join(' and ')} mode are there too and were left out: what is read is ${mode} mode`;
    say('not-imported', 'warning', message, `${modeOption} chooses another`);
  }
  if (!isVersionAsked && !versions?.length) {
    const message =
      versions === undefined
        ? `nothing in ${dump.name} shows the version of kube-proxy`
        : `no known version of kube-proxy writes all of these rules: ${dump.name} may be edited, a piece, or from two versions at work`;
    say('version-not-detected', 'warning', message, `give the version with ${versionOption}`);
  }
  if (hasNfacct && !isForRules) {
    say('not-in-dump', 'note', 'kube-proxy counts packets with nfacct there: compile the manifests with --nfacct');
  }
}

function reportMadeUp(facts: ImportFacts, say: Say): void {
  const { groups, services, config, nodeObject, reading, isForRules } = facts;
  const hint = isForRules
    ? 'to fill it in, read manifests back with k8snet import, and compile those'
    : 'the places are marked with a comment: fill them in';
  const made = (what: string) => say('made-up', 'warning', what, hint);
  const nameless = groups.filter(({ isNameless }) => isNameless);
  if (nameless.length > 0) {
    const chains = isForRules ? ': chains and comments have these names too' : '';
    made(
      `names of ${count(nameless.length, 'Service')} were made up from their cluster IPs: rules of IPVS mode name none${chains}`,
    );
  }
  const open = modeFacts[facts.mode].usesIpsets ? named(groups, (group) => takesEverybody(group, facts), services) : [];
  if (open.length > 0) {
    const message = `a source range of all addresses was taken for ${listed(open)}: ipset holds no such range, so that these rules drop who is in no other, and rules of other modes let everybody in`;
    say('made-up', 'warning', message, 'compare with loadBalancerSourceRanges of the Service');
  }
  const without = named(groups, (_, { hasMadeUpEndpoints }) => hasMadeUpEndpoints, services);
  if (without.length > 0)
    made(`endpoints on other nodes were made up for ${listed(without)}: the rules show only that there are some`);
  const portless = groups.filter(({ ports }) => ports.some(({ port }) => port === undefined)).map(nameOf);
  if (portless.length > 0) made(`ports of ${listed(portless)} were made up: the dump does not show them`);
  for (const [address, why] of nodeObject.madeUp)
    made(`the node's IP ${address} was made up: ${why}; --node-ip gives it`);
  if (nodeObject.hasZone) made('zones were made up: the rules show that hints chose among the endpoints');
  if (config.madeUp !== undefined)
    made('nodePortAddresses were made up: node ports are open on no address of the node');
  const { guesses } = reading;
  if (guesses.length > 0) {
    const message = `which node ports and external addresses belong to ${listed(guesses)} is a guess: other Services have the same servers`;
    say('made-up', 'warning', message, 'give them to the right Service');
  }
  const either = groups.filter(({ guessedIPs }) => guessedIPs.length > 0).map(nameOf);
  if (either.length > 0) {
    const message = `addresses of ${listed(either)} were taken for external IPs: the rules do not tell them from those of a load balancer`;
    say('made-up', 'warning', message);
  }
}

function reportHidden(facts: ImportFacts, say: Say): void {
  const { groups, services, mode } = facts;
  const hidden = (message: string, hint?: string) => say('not-in-dump', 'note', message, hint);
  if (groups.length === 0) {
    say('not-in-dump', 'warning', `${facts.dump.name} shows no Services`);
    return;
  }
  if (!facts.isForRules)
    hidden(
      'rules never show selectors, labels, names of target ports, and mostly not which endpoints are not ready: left out',
    );
  const narrow = named(groups, (group) => mayTakeEverybody(group, facts), services);
  if (narrow.length > 0)
    hidden(`whether ${listed(narrow)} has a source range of all addresses too: sets of ipset hold no such range`);
  const unasked = groups.filter(lacksHealthCheck).map(nameOf);
  if (unasked.length > 0) hidden(`the health-check node port of ${listed(unasked)}: rules of this kind do not show it`);
  const unknown = groups.filter(({ seen }) => seen.every(({ clusterIP }) => clusterIP === undefined)).map(nameOf);
  if (unknown.length > 0) hidden(`the dump shows no cluster IP of ${listed(unknown)}`);
  const lacking = named(groups, (_, { lacksEndpoints }) => lacksEndpoints, services);
  if (lacking.length > 0) {
    const reason = modeFacts[mode].passesThroughProxy
      ? `rules of ${mode} mode lead to kube-proxy itself`
      : 'their chains are not in the dump';
    hidden(`endpoints of ${listed(lacking)} are left out: ${reason}`);
  }
  const placeless = services.reduce((sum, one) => sum + one.placeless, 0);
  if (placeless > 0) {
    hidden(
      `no rule tells which node ${count(placeless, 'endpoint')} ${placeless === 1 ? 'is' : 'are'} on: nodeName is left out`,
      "--pod-cidr gives the range of the node's Pods",
    );
  }
  const policyless = groups.filter(isPolicyHidden).map(nameOf);
  if (policyless.length > 0) hidden(`without endpoints no rule tells the traffic policies of ${listed(policyless)}`);
}

/** Its ranges in the manifest have one that no set shows. */
function takesEverybody({ seen }: ServiceGroup, { nodeObject }: ImportFacts): boolean {
  return seen.some(({ sources, family }) => {
    if (sources === undefined) return false;
    const shown = sources.mayHideZero === true;
    return !shown || hidesZero(sources, nodeIPOf(nodeObject, family), family);
  });
}

function mayTakeEverybody({ seen }: ServiceGroup, { nodeObject }: ImportFacts): boolean {
  return seen.some(
    ({ sources, family }) => sources?.mayHideZero === true && !hidesZero(sources, nodeIPOf(nodeObject, family), family),
  );
}

function nodeIPOf({ addresses }: ImportedNode, family: Family): string | undefined {
  return addresses.find((ip) => familyOf(ip) === family);
}

function lacksHealthCheck({ externalPolicy, loadBalancerIPs, healthCheckNodePort }: ServiceGroup): boolean {
  return externalPolicy === 'Local' && loadBalancerIPs.length > 0 && healthCheckNodePort === undefined;
}

/** Traffic is refused before a policy could matter. */
function isPolicyHidden({ seen, externalPolicy, ports, externalIPs, loadBalancerIPs }: ServiceGroup): boolean {
  const isAccessible = ports.some(({ nodePort }) => nodePort) || externalIPs.length + loadBalancerIPs.length > 0;
  return isAccessible && externalPolicy === undefined && seen.every(({ hasEndpoints }) => hasEndpoints === false);
}

function reportLeftOut(facts: ImportFacts, say: Say): void {
  const { reading, refused, services, foreign, gaps } = facts;
  const left = (message: string) => say('not-imported', 'warning', message);
  if (reading.left.length > 0) left(`no Service with a cluster IP leads where these do: ${listed(reading.left)}`);
  if (reading.unsound.length > 0)
    left(
      `${count(reading.unsound.length, 'value')} that cannot be right ${reading.unsound.length === 1 ? 'was' : 'were'} left out: ${listed(reading.unsound)}`,
    );
  for (const { what, why } of refused.slice(0, mostRefused)) left(`${what} was left out: ${why}`);
  if (refused.length > mostRefused) left(`${refused.length - mostRefused} more were left out`);
  const special = services.reduce((sum, one) => sum + one.special, 0);
  if (special > 0) left(`${count(special, 'endpoint')} left out: the API takes no loopback and link-local addresses`);
  for (const gap of gaps) left(`the dump does not show all: ${gap}`);
  if (foreign > 0 && !facts.isForRules)
    say(
      'foreign-rules',
      'note',
      `${count(foreign, 'rule')} of other programs ${foreign === 1 ? 'was' : 'were'} left out`,
    );
}

const mostRefused = 10;

function nameOf({ namespace, name }: ServiceGroup): string {
  return `${namespace}/${name}`;
}

function named(
  groups: readonly ServiceGroup[],
  isMeant: (group: ServiceGroup, service: ImportedService) => boolean,
  services: readonly ImportedService[],
): readonly string[] {
  return groups.filter((group, at) => isMeant(group, services[at] as ImportedService)).map(nameOf);
}

function listed(names: readonly string[]): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? `, and ${names.length - 3} more` : '');
}
