import type { ListedDetail } from './listedDetail.ts';

/** The options of the targets of Debian's iptables as `iptables -L` prints them, with and without `-n`. */
export const listedTargets: readonly ListedDetail[] = [
  of(/^(?:DNAT|SNAT|NETMAP)$/, /^to:(\S+)/, ([, to], target) => `--${natOptions[target]} ${to}`),
  of(/^(?:DNAT|SNAT|MASQUERADE|REDIRECT)$/, /^(random-fully|random|persistent)(?=\s|$)/, ([, flag]) => `--${flag}`),
  of(/^MASQUERADE$/, /^masq ports: (\S+)/, ([, ports]) => `--to-ports ${ports}`),
  of(/^REDIRECT$/, /^redir ports (\S+)/, ([, ports]) => `--to-ports ${ports}`),
  of(
    /^MARK$/,
    /^MARK (or|and|xor|set|xset) (0x[0-9a-f]+(?:\/0x[0-9a-f]+)?)/,
    ([, how, value]) => `--${markOption(how)} ${value}`,
  ),
  of(
    /^CONNMARK$/,
    /^CONNMARK (or|and|xor|set|xset) (0x[0-9a-f]+(?:\/0x[0-9a-f]+)?)/,
    ([, how, value]) => `--${markOption(how)} ${value}`,
  ),
  of(
    /^CONNMARK$/,
    /^CONNMARK (save|restore)((?: (?:nf|ct)?mask ~?0x[0-9a-f]+)*)/,
    ([, how, masks = '']) => `--${how}-mark${masks.replace(/ (nfmask|ctmask|mask) /g, ' --$1 ')}`,
  ),
  of(/^REJECT$/, /^reject-with (\S+)/, ([, kind]) => `--reject-with ${kind}`),
  of(
    /^(?:LOG)$/,
    /^LOG(?: flags (\d+))?(?: level (\w+))?((?: (?:tcp-sequence|tcp-options|ip-options|uid|macdecode|unknown-flags))*)(?: prefix ["`]([^"]*?)["'](?=\s|$))?/,
    log,
  ),
  of(/^NFLOG$/, /^nflog-prefix +"?([^"]*?)"?(?= nflog-|$)/, ([, prefix]) => `--nflog-prefix "${prefix}"`),
  of(/^NFLOG$/, /^nflog-(group|size|range|threshold) (\d+)/, ([, name, value]) => `--nflog-${name} ${value}`),
  of(
    /^NFQUEUE$/,
    /^NFQUEUE (num|balance) ([\d:]+)( bypass)?( cpu-fanout)?/,
    ([, how, queue, bypass, fanout]) =>
      `--queue-${how} ${queue}${bypass ? ' --queue-bypass' : ''}${fanout ? ' --queue-cpu-fanout' : ''}`,
  ),
  of(/^(?:CT|NOTRACK)$/, /^NOTRACK(?=\s|$)/, (_, target) => (target === 'CT' ? 'NOTRACK' : '')),
  of(
    /^CT$/,
    /^CT((?: notrack| (?:helper|timeout|ctevents|expevents|zone|zone-orig|zone-reply) \S+)*)/,
    ([, options = '']) =>
      options
        .replace(/(?<=^ | )(notrack|helper|timeout|ctevents|expevents|zone-orig|zone-reply|zone)(?=\s|$)/g, '--$1')
        .trim(),
  ),
  of(
    /^TPROXY$/,
    /^TPROXY redirect (\S+):(\d+) mark (\S+)/,
    ([, ip, port, mark]) => `--on-port ${port} --on-ip ${ip} --tproxy-mark ${mark}`,
  ),
  of(
    /^SET$/,
    /^(add|del|map)-set (\S+) ([a-z,]+)((?: exist| timeout \d+| map-(?:mark|prio|queue))*)/,
    ([, how, set, sides, options = '']) =>
      `--${how}-set ${set} ${sides}${options.replace(/ ([a-z][a-z-]*)/g, ' --$1')}`,
  ),
  of(/^TCPMSS$/, /^TCPMSS (?:set (\d+)|clamp to PMTU)/, ([, mss]) =>
    mss === undefined ? '--clamp-mss-to-pmtu' : `--set-mss ${mss}`,
  ),
  of(/^CHECKSUM$/, /^CHECKSUM fill/, () => '--checksum-fill'),
  of(/^CLASSIFY$/, /^CLASSIFY set (\S+)/, ([, name]) => `--set-class ${name}`),
  of(/^DSCP$/, /^DSCP set (0x[0-9a-f]+)/, ([, dscp]) => `--set-dscp ${dscp}`),
  of(/^TOS$/, /^TOS (set|or|and|xor) ?(\S+)/, ([, how, tos]) => `--${how}-tos ${tos}`),
  of(
    /^(?:TTL|HL)$/,
    /^(TTL|HL) (set to|increment by|decrement by) (\d+)/,
    ([, name = '', how = '', count]) => `--${name.toLowerCase()}-${how.slice(0, 3)} ${count}`,
  ),
  of(/^AUDIT$/, /^AUDIT (\w+)/, ([, type]) => `--type ${type}`),
  of(
    /^TEE$/,
    /^TEE gw:(\S+)(?: oif:(\S+))?/,
    ([, gateway, oif]) => `--gateway ${gateway}${oif ? ` --oif ${oif}` : ''}`,
  ),
  of(/^TCPOPTSTRIP$/, /^TCPOPTSTRIP options (\S+)/, ([, options]) => `--strip-options ${options}`),
  of(/^SYNPROXY$/, /^SYNPROXY((?: sack-perm| timestamp| ecn| (?:wscale|mss) \d+)*)/, ([, options = '']) =>
    options.replace(/ ([a-z][a-z-]*)/g, ' --$1').trim(),
  ),
  of(/^ECN$/, /^ECN TCP remove/, () => '--ecn-tcp-remove'),
  of(
    /^RATEEST$/,
    /^name (\S+) interval (\S+) ewmalog (\S+)/,
    ([, name, interval, log]) => `--rateest-name ${name} --rateest-interval ${interval} --rateest-ewmalog ${log}`,
  ),
  of(
    /^IDLETIMER$/,
    /^timeout:(\d+) label:(\S+)( alarm)?/,
    ([, timeout, label, alarm]) => `--timeout ${timeout} --label ${label}${alarm ? ' --alarm' : ''}`,
  ),
  of(
    /^HMARK$/,
    /^HMARK mod (\d+)(?: \+ (0x[0-9a-f]+))?((?: [a-z-]+ \S+)*)/,
    ([, modulus, offset = '0x0', options = '']) =>
      `${options
        .replace(/ ([a-z][a-z-]*) /g, ' --hmark-$1 ')
        .replace(/0x([0-9a-f]+)/, (_, hex) => `0x${hex.padStart(8, '0')}`)
        .trim()} --hmark-mod ${modulus} --hmark-offset ${Number(offset)}`,
  ),
];

function of(targets: RegExp, pattern: RegExp, write: (match: RegExpExecArray, target: string) => string): ListedDetail {
  return { pattern, write: (match, target) => (targets.test(target) ? write(match, target) : undefined) };
}

const natOptions: Readonly<Record<string, string>> = { DNAT: 'to-destination', SNAT: 'to-source', NETMAP: 'to' };

function markOption(how = ''): string {
  return how === 'xset' ? 'set-xmark' : `${how}-mark`;
}

function log([, flags = '0', level, names = '', prefix]: readonly (string | undefined)[]): string {
  const bits = Number(flags);
  const set = logFlags.filter(([name, bit]) => (bits & bit) !== 0 || names.split(' ').includes(name));
  return [
    ...(prefix === undefined ? [] : [`--log-prefix "${prefix}"`]),
    ...(level === undefined ? [] : [`--log-level ${level}`]),
    ...set.map(([name]) => `--log-${name}`),
  ].join(' ');
}

const logFlags = [
  ['tcp-sequence', 1],
  ['tcp-options', 2],
  ['ip-options', 4],
  ['uid', 8],
  ['macdecode', 32],
] as const;
