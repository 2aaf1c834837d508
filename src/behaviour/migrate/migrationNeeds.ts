import type { ProxyMode } from '../../common/proxyMode.ts';
import { versionChanges } from '../../dialect/sentences/versionChanges.ts';
import { compareKubeVersions, formatKubeVersion } from '../../dialect/version.ts';
import type { ProxyConfig } from '../../model/proxyConfig.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { ProxyKind } from './migration.ts';

/** What must hold, or be looked at, before the switch. */
export interface MigrationNeed {
  readonly kind: 'kernel' | 'tool' | 'module' | 'sysctl' | 'version' | 'setting' | 'firewall';
  readonly says: string;
  /** How to see whether it holds, on the node. */
  readonly check?: string;
}

export function migrationNeeds(
  from: ProxyKind,
  to: ProxyKind,
  config: ProxyConfig,
  dump: NodeRules | undefined,
): readonly MigrationNeed[] {
  const isOtherMode = from.mode !== to.mode;
  return [
    ...versionNeeds(from, to),
    ...(isOtherMode ? modeNeeds(to, config).map((need) => withModules(need, dump)) : []),
    ...(isOtherMode ? sysctlNeeds(from.mode, to.mode) : []),
    ...(isOtherMode ? settingNeeds(from.mode, to.mode, config) : []),
  ];
}

/** What the versions themselves do otherwise in the mode that stays, or is reached. */
function versionNeeds(from: ProxyKind, to: ProxyKind): readonly MigrationNeed[] {
  const order = compareKubeVersions(from.version, to.version);
  const needs: MigrationNeed[] = [];
  if (order !== 0 && from.mode === to.mode) {
    const [older, newer] = order < 0 ? [from.version, to.version] : [to.version, from.version];
    const changes = versionChanges(to.mode, older, newer).filter(({ isBehaviour }) => isBehaviour);
    for (const { after, before, since } of changes) {
      const was = before === undefined ? '' : ` Before: ${before}`;
      needs.push({ kind: 'version', says: `Since ${formatKubeVersion(since)}: ${after}${was}` });
    }
  }
  if (to.mode === 'nftables' && to.version.minor < 33) {
    const says =
      to.version.minor < 31
        ? `nftables mode is alpha in ${formatKubeVersion(to.version)}: kube-proxy takes it with --feature-gates=NFTablesProxyMode=true only.`
        : `nftables mode is beta in ${formatKubeVersion(to.version)}; it is stable from 1.33 on.`;
    needs.push({ kind: 'version', says });
  }
  if (to.mode === 'ipvs' && to.version.minor >= 35) {
    needs.push({ kind: 'version', says: 'IPVS mode is deprecated since 1.35: nftables mode replaces it.' });
  }
  return needs;
}

function modeNeeds({ mode }: ProxyKind, { ipvs }: ProxyConfig): readonly MigrationNeed[] {
  switch (mode) {
    case 'nftables':
      return [
        { kind: 'kernel', says: 'Linux 5.13 or newer.', check: 'uname -r' },
        { kind: 'tool', says: "nft 1.0.1 or newer, in kube-proxy's image.", check: 'nft --version' },
        {
          kind: 'module',
          says: 'The modules nf_tables, nft_chain_nat and nf_conntrack, or a kernel with them built in.',
          check: 'lsmod',
        },
        {
          kind: 'firewall',
          says: 'Nothing in nftables mode accepts packets: where a firewall of the node drops forwarded traffic by default, allow that of Pods and Services yourself. KUBE-FORWARD did so before.',
          check: 'iptables -S FORWARD; nft list ruleset | grep -w drop',
        },
      ];
    case 'ipvs': {
      const schedulers = [...new Set(['rr', 'wrr', 'sh', ipvs.scheduler || 'rr'])].map((name) => `ip_vs_${name}`);
      return [
        {
          kind: 'module',
          says: `The modules ip_vs, ${schedulers.join(', ')} and nf_conntrack.`,
          check: 'lsmod | grep ip_vs',
        },
        {
          kind: 'tool',
          says: 'ipset and iptables in the image of kube-proxy; ipvsadm on the node, to look.',
          check: 'ipset version',
        },
        {
          kind: 'setting',
          says: 'All addresses of Services become addresses of the node (kube-ipvs0): programs that listen on one of them, or on all addresses at a port of a Service, and DNS caches that bind the cluster DNS address are in the way.',
          check: 'ss -lntu',
        },
      ];
    }
    default:
      return [
        {
          kind: 'tool',
          says: 'iptables, legacy or nft: the same back end that other programs of the node write to.',
          check: 'iptables --version',
        },
        {
          kind: 'module',
          says: 'The modules xt_comment, xt_mark, xt_conntrack, xt_statistic, xt_recent (for affinity) and nf_nat.',
          check: 'lsmod',
        },
      ];
  }
}

/** Whether the dump shows that modules are missing: only a whole list says so, and what is built in does not stand there. */
function withModules(need: MigrationNeed, dump: NodeRules | undefined): MigrationNeed {
  const modules = dump?.network.modules;
  if (need.kind !== 'module' || modules === undefined || !modules.isWhole) return need;
  const named = [...need.says.matchAll(/\b(?:ip_vs\w*|nf_\w+|nft_\w+|xt_\w+)/g)].map(([name]) => name);
  const missing = named.filter((name) => !modules.names.has(name));
  return missing.length === 0
    ? { ...need, says: `${need.says} The dump shows all of them.` }
    : {
        ...need,
        says: `${need.says} Not loaded on this node: ${missing.join(', ')} (kube-proxy or the kernel may load them, or they are built in).`,
      };
}

function sysctlNeeds(from: ProxyMode, to: ProxyMode): readonly MigrationNeed[] {
  const needs: MigrationNeed[] = [
    {
      kind: 'sysctl',
      says: 'net.ipv4.ip_forward (and net.ipv6.conf.all.forwarding) stay 1.',
      check: 'sysctl net.ipv4.ip_forward',
    },
  ];
  if (to === 'ipvs') {
    needs.push({
      kind: 'sysctl',
      says: 'kube-proxy sets net.ipv4.vs.conntrack to 1, and net.ipv4.vs.conn_reuse_mode, expire_nodest_conn and expire_quiescent_template; with strictARP also arp_ignore 1 and arp_announce 2.',
      check: 'sysctl -a 2>/dev/null | grep net.ipv4.vs',
    });
  }
  if (from === 'ipvs') {
    needs.push({
      kind: 'sysctl',
      says: 'net.ipv4.vs.* and, with strictARP, net.ipv4.conf.all.arp_ignore and arp_announce stay as they are until the node boots: set them back if nothing else needs them.',
      check: 'sysctl net.ipv4.conf.all.arp_ignore net.ipv4.conf.all.arp_announce',
    });
  }
  if (to === 'iptables') {
    needs.push({
      kind: 'sysctl',
      says: 'kube-proxy sets net.ipv4.conf.all.route_localnet to 1, unless iptables.localhostNodePorts is false.',
      check: 'sysctl net.ipv4.conf.all.route_localnet',
    });
  }
  if (from === 'iptables') {
    needs.push({
      kind: 'sysctl',
      says: 'net.ipv4.conf.all.route_localnet stays 1, which iptables mode had set for node ports on 127.0.0.1: set it back to 0 if nothing else needs it.',
      check: 'sysctl net.ipv4.conf.all.route_localnet',
    });
  }
  return needs;
}

/** Settings of the mode that is left which the other does not have, where they are not the default. */
function settingNeeds(from: ProxyMode, to: ProxyMode, config: ProxyConfig): readonly MigrationNeed[] {
  const lost = (setting: string, says: string): MigrationNeed => ({ kind: 'setting', says: `${setting}: ${says}` });
  const needs: MigrationNeed[] = [];
  const { ipvs, iptables, nftables, nodePortAddresses, conntrack } = config;
  if (from === 'ipvs') {
    if (!['', 'rr'].includes(ipvs.scheduler)) {
      needs.push(
        lost(`ipvs.scheduler ${ipvs.scheduler}`, 'no counterpart; endpoints are chosen at random with equal shares'),
      );
    }
    if (ipvs.strictARP)
      needs.push(
        lost('ipvs.strictARP', 'no counterpart, and none needed: addresses of Services are on no interface any more'),
      );
    if (ipvs.excludeCIDRs.length > 0)
      needs.push(lost('ipvs.excludeCIDRs', 'no counterpart: nothing else of IPVS is touched'));
    if (ipvs.tcpTimeout + ipvs.tcpFinTimeout + ipvs.udpTimeout > 0) {
      needs.push(
        lost('ipvs.tcpTimeout, tcpFinTimeout, udpTimeout', "no counterpart; conntrack's timeouts count (conntrack.*)"),
      );
    }
  }
  if (from === 'iptables' && !iptables.localhostNodePorts) {
    needs.push(lost('iptables.localhostNodePorts false', 'nothing to set: the other modes never answer on localhost'));
  }
  const [own, other] = [from, to].map((mode) => (mode === 'nftables' ? nftables : iptables)) as [
    typeof iptables,
    typeof iptables,
  ];
  const section = (mode: ProxyMode) => (mode === 'nftables' ? 'nftables' : 'iptables');
  if (section(from) !== section(to)) {
    if (own.masqueradeAll !== other.masqueradeAll) {
      needs.push(
        lost(
          `${section(from)}.masqueradeAll ${own.masqueradeAll}`,
          `${section(to)}.masqueradeAll is ${other.masqueradeAll}: set it too, if it is to stay`,
        ),
      );
    }
    if (own.masqueradeBit !== other.masqueradeBit) {
      needs.push(
        lost(
          `${section(from)}.masqueradeBit ${own.masqueradeBit}`,
          `${section(to)}.masqueradeBit is ${other.masqueradeBit}: set it too, if others rely on the mark`,
        ),
      );
    }
  }
  if (nodePortAddresses.length === 0 && (from === 'nftables') !== (to === 'nftables')) {
    needs.push(
      lost(
        'nodePortAddresses (not set)',
        to === 'nftables'
          ? "means the node's primary addresses in nftables mode, all addresses before"
          : 'means all addresses of the node, only its primary ones before',
      ),
    );
  }
  if (from === 'iptables' && to !== 'iptables' && conntrack.tcpBeLiberal) {
    needs.push(
      lost(
        'conntrack.tcpBeLiberal',
        'keeps its meaning for the kernel; only iptables mode has a rule that drops INVALID packets without it',
      ),
    );
  }
  return needs;
}
