import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { defaultMode, proxyModeOf } from '../../common/proxy/proxyMode.ts';
import { didYouMean } from '../../common/text/didYouMean.ts';
import type { DiagnosticCode } from '../../problems/problemCode.ts';
import type { ReadDocument } from '../json/readJson.ts';
import { flagsOf, type GivenFlag } from './flagsOf.ts';
import { type ProxyLog, readProxyLog } from './readProxyLog.ts';

/** The settings that flags make, and the diagnostics about them. */
export interface ReadFlags {
  readonly documents: readonly ReadDocument[];
  readonly remarks: readonly FlagRemark[];
}

export interface FlagRemark {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
}

/** Whether a text is kube-proxy's command line in some form, or its log, and no manifest. */
export function looksLikeFlags(text: string): boolean {
  if (/^[ \t]*(?:- +)?"?(?:kind|apiVersion)"?[ \t]*:/m.test(text) || /^\s*[[{]\s*["}\]{]/.test(text)) return false;
  return /(?:^|[\s"'=])--[a-z][a-z-]*(?:[=\s"']|$)/m.test(text) || readProxyLog(text) !== undefined;
}

/**
 * Reads kube-proxy's flags from a unit file, a file of variables for one, a line of `ps`, or the FLAG lines of its log,
 * as the equivalent KubeProxyConfiguration. The mode that the log reports takes precedence over all flags.
 */
export function readFlags(text: string): ReadFlags {
  const log = readProxyLog(text);
  if (log === undefined) return fromFlags(text);
  const isLogged = /\bFLAG: --/.test(text);
  const told: ReadFlags = isLogged ? fromFlags(text) : { documents: [], remarks: [] };
  const config = {
    ...emptyConfig,
    ...(told.documents[0]?.value as Tree | undefined),
    ...(log.mode && { mode: log.mode }),
  };
  const others = told.remarks.filter(({ code }) => code !== 'read-from-flags');
  return { documents: [{ document: 0, value: config }], remarks: [...others, ...remarksOf(log)] };
}

function remarksOf({ mode, fallback, hasDefaultScheduler, nodeIPs, version }: ProxyLog): readonly FlagRemark[] {
  const facts = [
    ...(mode === undefined ? [] : [`${mode} mode`]),
    ...(hasDefaultScheduler ? ['scheduler rr, as none is named'] : []),
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(nodeIPs.length === 0 ? [] : [`node IP ${nodeIPs.join(' and ')}`]),
  ];
  const remarks: FlagRemark[] = [];
  if (fallback === 'unusable') {
    const message = `kube-proxy was configured for another mode, could not use it, and runs in ${mode ?? defaultMode} mode`;
    const hint =
      'the lines of its log before say why: IPVS needs the modules ip_vs, ip_vs_rr, ip_vs_wrr, ip_vs_sh and nf_conntrack';
    remarks.push({ code: 'proxy-mode-fallback', severity: 'warning', message, hint });
  } else if (fallback === 'none-given') {
    const message = 'kube-proxy was started without a mode, which means iptables';
    remarks.push({ code: 'proxy-mode-fallback', severity: 'note', message });
  }
  const message = `kube-proxy's settings are read from its log: ${facts.join(', ')}`;
  return [...remarks, { code: 'read-from-flags', severity: 'note', message }];
}

function fromFlags(text: string): ReadFlags {
  const found = flagsOf(text);
  if (found.kind === 'several') {
    const message = 'several command lines of kube-proxy that differ: which one is meant is not known';
    return { documents: [], remarks: [{ code: 'bad-value', severity: 'error', message, hint: 'keep one of them' }] };
  }
  const remarks: FlagRemark[] = [];
  const hasFile = found.flags.some(({ name, value }) => name === 'config' && value);
  if (hasFile) {
    const message =
      'kube-proxy was started with --config: that file decides, and of the flags only --hostname-override';
    remarks.push({ code: 'unknown-flag', severity: 'warning', message, hint: 'give that file instead' });
  }
  if (found.variables.length > 0) {
    const message = `what ${found.variables.map(quoted).join(', ')} stands for is not in this text`;
    const hint = 'give the file that sets it, or the line that ps shows';
    remarks.push({ code: 'unknown-flag', severity: 'warning', message, hint });
  }
  const config: Tree = { ...emptyConfig };
  const mode = proxyModeOf(found.flags.findLast(({ name }) => name === 'proxy-mode')?.value);
  const isNftables = mode !== undefined && modeFacts[mode].settingsIn === 'nftables';
  const unknown: string[] = [];
  for (const flag of found.flags) {
    const setting = settings.get(flag.name);
    if (setting === undefined) {
      if (!withoutEffect.has(flag.name)) unknown.push(flag.name);
    } else if (!hasFile || flag.name === 'hostname-override') {
      set(config, setting.path, settingOf(flag, setting.type));
      // nftables mode looks at settings of its own, and takes them from the same flags.
      if (isNftables && sharedByNftables.has(flag.name))
        set(config, ['nftables', setting.path[1] as string], settingOf(flag, setting.type));
    }
  }
  for (const name of new Set(unknown)) {
    const meant = didYouMean(name, [...settings.keys(), ...withoutEffect]);
    const hint = meant === undefined ? {} : { hint: `did you mean --${meant}?` };
    remarks.push({
      code: 'unknown-flag',
      severity: 'warning',
      message: `unknown flag ${quoted(`--${name}`)}`,
      ...hint,
    });
  }
  const message = `kube-proxy's settings are read from ${found.from}`;
  remarks.push({ code: 'read-from-flags', severity: 'note', message });
  return { documents: [{ document: 0, value: config }], remarks };
}

type Tree = { [key: string]: unknown };

const emptyConfig: Tree = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration' };

type FlagType = 'text' | 'boolean' | 'number' | 'list' | 'mapping';

interface FlagSetting {
  readonly path: readonly string[];
  readonly type: FlagType;
}

/** The flags that are fields of the configuration too. */
const settings: ReadonlyMap<string, FlagSetting> = new Map(
  (
    [
      ['bind-address', 'bindAddress', 'text'],
      ['cluster-cidr', 'clusterCIDR', 'text'],
      ['config-sync-period', 'configSyncPeriod', 'text'],
      ['conntrack-max-per-core', 'conntrack.maxPerCore', 'number'],
      ['conntrack-min', 'conntrack.min', 'number'],
      ['conntrack-tcp-be-liberal', 'conntrack.tcpBeLiberal', 'boolean'],
      ['conntrack-tcp-timeout-close-wait', 'conntrack.tcpCloseWaitTimeout', 'text'],
      ['conntrack-tcp-timeout-established', 'conntrack.tcpEstablishedTimeout', 'text'],
      ['conntrack-udp-timeout', 'conntrack.udpTimeout', 'text'],
      ['conntrack-udp-timeout-stream', 'conntrack.udpStreamTimeout', 'text'],
      ['detect-local-mode', 'detectLocalMode', 'text'],
      ['feature-gates', 'featureGates', 'mapping'],
      ['hostname-override', 'hostnameOverride', 'text'],
      ['iptables-localhost-nodeports', 'iptables.localhostNodePorts', 'boolean'],
      ['iptables-masquerade-bit', 'iptables.masqueradeBit', 'number'],
      ['iptables-min-sync-period', 'iptables.minSyncPeriod', 'text'],
      ['iptables-sync-period', 'iptables.syncPeriod', 'text'],
      ['ipvs-exclude-cidrs', 'ipvs.excludeCIDRs', 'list'],
      ['ipvs-min-sync-period', 'ipvs.minSyncPeriod', 'text'],
      ['ipvs-scheduler', 'ipvs.scheduler', 'text'],
      ['ipvs-strict-arp', 'ipvs.strictARP', 'boolean'],
      ['ipvs-sync-period', 'ipvs.syncPeriod', 'text'],
      ['ipvs-tcp-timeout', 'ipvs.tcpTimeout', 'text'],
      ['ipvs-tcpfin-timeout', 'ipvs.tcpFinTimeout', 'text'],
      ['ipvs-udp-timeout', 'ipvs.udpTimeout', 'text'],
      ['masquerade-all', 'iptables.masqueradeAll', 'boolean'],
      ['nodeport-addresses', 'nodePortAddresses', 'list'],
      ['pod-bridge-interface', 'detectLocal.bridgeInterface', 'text'],
      ['pod-interface-name-prefix', 'detectLocal.interfaceNamePrefix', 'text'],
      ['proxy-mode', 'mode', 'text'],
      ['proxy-port-range', 'portRange', 'text'],
    ] as const
  ).map(([flag, path, type]) => [flag, { path: path.split('.'), type }]),
);

const sharedByNftables: ReadonlySet<string> = new Set(['masquerade-all', 'iptables-masquerade-bit']);

/** Flags of any version that no rule depends on. */
const withoutEffect: ReadonlySet<string> = new Set([
  ...['add-dir-header', 'alsologtostderr', 'azure-container-registry-config', 'bind-address-hard-fail', 'boot-id-file'],
  ...['cleanup', 'cleanup-iptables', 'cleanup-ipvs', 'config', 'conntrack-max', 'enable-profiling', 'google-json-key'],
  ...['healthz-bind-address', 'healthz-port', 'help', 'httptest.serve', 'init-only', 'kube-api-burst'],
  ...['kube-api-content-type', 'kube-api-qps', 'kubeconfig', 'log-backtrace-at', 'log-cadvisor-usage', 'log-dir'],
  ...['log-file', 'log-file-max-size', 'log-flush-frequency', 'log-json-info-buffer-size', 'log-json-split-stream'],
  ...['log-text-info-buffer-size', 'log-text-split-stream', 'logging-format', 'logtostderr', 'machine-id-file'],
  ...[
    'master',
    'metrics-bind-address',
    'metrics-port',
    'one-output',
    'oom-score-adj',
    'profiling',
    'resource-container',
  ],
  ...['show-hidden-metrics-for-version', 'skip-headers', 'skip-log-headers', 'stderrthreshold', 'udp-timeout'],
  ...['v', 'version', 'vmodule', 'windows-line-endings', 'write-config-to'],
]);

/** What cannot be read as its type stays text: the check of the configuration names it. */
function settingOf({ value }: GivenFlag, type: FlagType): unknown {
  const text = value ?? 'true';
  if (type === 'boolean') return booleans.get(text) ?? text;
  if (type === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'list') return itemsOf(text);
  if (type === 'text') return text;
  const pairs = itemsOf(
    text
      .replace(/^map(?=\[)/, '')
      .replaceAll(' ', ',')
      .replaceAll(':', '='),
  );
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', is = 'true'] = pair.split('=');
      return [name, booleans.get(is) ?? is];
    }),
  );
}

/** Logs write lists in brackets. */
function itemsOf(text: string): readonly string[] {
  return text
    .replace(/^\[(.*)\]$/, '$1')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false] as const),
]);

function set(tree: Tree, [first, second]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  if (second === undefined) tree[first] = value;
  else tree[first] = { ...(tree[first] as Tree | undefined), [second]: value };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
