import { type ModeFacts, modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import { stageOf } from '../../dialect/gates/gateState.ts';
import { gateTable } from '../../dialect/gates/gateTable.ts';
import { deprecatedIn } from '../../dialect/reportVersion.ts';
import { versionChanges } from '../../dialect/sentences/versionChanges.ts';
import { compareKubeVersions, formatKubeVersion } from '../../dialect/version.ts';
import type { ProxyConfig } from '../../model/proxyConfig.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { ProxyKind } from './proxyKind.ts';

/** What must hold, or be checked, before the switch. */
export interface MigrationNeed {
  readonly kind: 'kernel' | 'tool' | 'module' | 'sysctl' | 'version' | 'setting' | 'firewall';
  readonly says: string;
  /** How to check it on the node. */
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
    ...(isOtherMode ? needsOfMode[to.mode](config).map((need) => withModules(need, dump)) : []),
    ...(isOtherMode ? sysctlNeeds(from.mode, to.mode) : []),
    ...(isOtherMode ? settingNeeds(from, to, config) : []),
  ];
}

/** Changes between the versions in the mode that stays, or is reached. */
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
  return [...needs, ...stageNeeds(to), ...deprecations(to)];
}

/** A mode that is not stable yet in the version. */
function stageNeeds({ mode, version }: ProxyKind): readonly MigrationNeed[] {
  return gateTable
    .filter(({ opens }) => opens === mode)
    .flatMap((gate): readonly MigrationNeed[] => {
      const stable = gate.stages.find(({ stage }) => stage === 'stable')?.since;
      const now = formatKubeVersion(version);
      switch (stageOf(gate, version)?.stage) {
        case 'alpha':
          return [
            {
              kind: 'version',
              says: `${mode} mode is alpha in ${now}: kube-proxy takes it with --feature-gates=${gate.name}=true only.`,
            },
          ];
        case 'beta':
          return [{ kind: 'version', says: `${mode} mode is beta in ${now}; it is stable from ${stable} on.` }];
        default:
          return [];
      }
    });
}

function deprecations({ mode, version }: ProxyKind): readonly MigrationNeed[] {
  const since = deprecatedIn(mode);
  if (since === undefined || compareKubeVersions(version, since) < 0) return [];
  const says = `IPVS mode has been deprecated since ${formatKubeVersion(since)}: nftables mode replaces it.`;
  return [{ kind: 'version', says }];
}

const iptablesNeeds: readonly MigrationNeed[] = [
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

/** What the node needs for a mode. */
const needsOfMode: Readonly<Record<ProxyMode, (config: ProxyConfig) => readonly MigrationNeed[]>> = {
  iptables: () => iptablesNeeds,
  ipvs: ({ ipvs }) => {
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
  },
  nftables: () => [
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
  ],
  userspace: () => iptablesNeeds,
};

/** Whether the dump shows that modules are missing: only a whole list proves it, and built-in ones are not in it. */
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

/** What a mode changes in the kernel when it starts, and leaves there when it goes. */
const sysctlsSet: Readonly<Record<'ipvs' | 'iptables', readonly MigrationNeed[]>> = {
  ipvs: [
    {
      kind: 'sysctl',
      says: 'kube-proxy sets net.ipv4.vs.conntrack to 1, and net.ipv4.vs.conn_reuse_mode, expire_nodest_conn and expire_quiescent_template; with strictARP also arp_ignore 1 and arp_announce 2.',
      check: 'sysctl -a 2>/dev/null | grep net.ipv4.vs',
    },
  ],
  iptables: [
    {
      kind: 'sysctl',
      says: 'kube-proxy sets net.ipv4.conf.all.route_localnet to 1, unless iptables.localhostNodePorts is false.',
      check: 'sysctl net.ipv4.conf.all.route_localnet',
    },
  ],
};

const sysctlsLeft: Readonly<Record<'ipvs' | 'iptables', readonly MigrationNeed[]>> = {
  ipvs: [
    {
      kind: 'sysctl',
      says: 'net.ipv4.vs.* and, with strictARP, net.ipv4.conf.all.arp_ignore and arp_announce stay as they are until the node boots: set them back if nothing else needs them.',
      check: 'sysctl net.ipv4.conf.all.arp_ignore net.ipv4.conf.all.arp_announce',
    },
  ],
  iptables: [
    {
      kind: 'sysctl',
      says: 'net.ipv4.conf.all.route_localnet stays 1, which iptables mode had set for node ports on 127.0.0.1: set it back to 0 if nothing else needs it.',
      check: 'sysctl net.ipv4.conf.all.route_localnet',
    },
  ],
};

const forwarding: MigrationNeed = {
  kind: 'sysctl',
  says: 'net.ipv4.ip_forward (and net.ipv6.conf.all.forwarding) stay 1.',
  check: 'sysctl net.ipv4.ip_forward',
};

function sysctlNeeds(from: ProxyMode, to: ProxyMode): readonly MigrationNeed[] {
  const order = ['ipvs', 'iptables'] as const;
  const ofModes = order.flatMap((mode) => [
    ...(to === mode ? sysctlsSet[mode] : []),
    ...(from === mode ? sysctlsLeft[mode] : []),
  ]);
  return [forwarding, ...ofModes];
}

/** Settings of a mode that no other has, if they differ from the default. */
const ownSettings: Readonly<Record<ProxyMode, (config: ProxyConfig) => readonly MigrationNeed[]>> = {
  iptables: ({ iptables }) =>
    iptables.localhostNodePorts
      ? []
      : [lost('iptables.localhostNodePorts false', 'nothing to set: the other modes never answer on localhost')],
  ipvs: ({ ipvs }) => [
    ...(['', 'rr'].includes(ipvs.scheduler)
      ? []
      : [lost(`ipvs.scheduler ${ipvs.scheduler}`, 'no counterpart; endpoints are chosen at random with equal shares')]),
    ...(ipvs.strictARP
      ? [lost('ipvs.strictARP', 'no counterpart, and none needed: addresses of Services are on no interface any more')]
      : []),
    ...(ipvs.excludeCIDRs.length > 0
      ? [lost('ipvs.excludeCIDRs', 'no counterpart: nothing else of IPVS is touched')]
      : []),
    ...(ipvs.tcpTimeout + ipvs.tcpFinTimeout + ipvs.udpTimeout > 0
      ? [lost('ipvs.tcpTimeout, tcpFinTimeout, udpTimeout', "no counterpart; conntrack's timeouts count (conntrack.*)")]
      : []),
  ],
  nftables: () => [],
  userspace: () => [],
};

function lost(setting: string, says: string): MigrationNeed {
  return { kind: 'setting', says: `${setting}: ${says}` };
}

/** Settings that are lost, or change their meaning. */
function settingNeeds(from: ProxyKind, to: ProxyKind, config: ProxyConfig): readonly MigrationNeed[] {
  const { nodePortAddresses, conntrack } = config;
  const [before, after] = [modeFacts[from.mode], modeFacts[to.mode]];
  const needs = [...ownSettings[from.mode](config), ...masqueradeNeeds(before.settingsIn, after.settingsIn, config)];
  if (nodePortAddresses.length === 0 && before.nodePortsByDefault !== after.nodePortsByDefault) {
    needs.push(
      lost(
        'nodePortAddresses (not set)',
        after.nodePortsByDefault === 'primaryAddress'
          ? `means the node's primary addresses in ${to.mode} mode, all addresses before`
          : 'means all addresses of the node, only its primary ones before',
      ),
    );
  }
  if (conntrack.tcpBeLiberal && readsLiberal(from) && !readsLiberal(to)) {
    needs.push(
      lost(
        'conntrack.tcpBeLiberal',
        `keeps its meaning for the kernel; only ${from.mode} mode has a rule that drops INVALID packets without it`,
      ),
    );
  }
  return needs;
}

/** Whether its rule that drops INVALID packets is left out if conntrack.tcpBeLiberal is set. */
function readsLiberal({ mode, version }: ProxyKind): boolean {
  return dialectOf(mode, version).plan.invalidDrop === 'unlessLiberal';
}

/** Each part of the configuration has these settings. */
function masqueradeNeeds(
  from: ModeFacts['settingsIn'],
  to: ModeFacts['settingsIn'],
  config: ProxyConfig,
): readonly MigrationNeed[] {
  if (from === to) return [];
  const [own, other] = [config[from], config[to]];
  return [
    ...(own.masqueradeAll === other.masqueradeAll
      ? []
      : [
          lost(
            `${from}.masqueradeAll ${own.masqueradeAll}`,
            `${to}.masqueradeAll is ${other.masqueradeAll}: set it too, if it is to stay`,
          ),
        ]),
    ...(own.masqueradeBit === other.masqueradeBit
      ? []
      : [
          lost(
            `${from}.masqueradeBit ${own.masqueradeBit}`,
            `${to}.masqueradeBit is ${other.masqueradeBit}: set it too, if others rely on the mark`,
          ),
        ]),
  ];
}
