import type { ListedDetail } from './listedDetail.ts';
import { listedNumbers } from './listedNumbers.ts';

/**
 * The matches of Debian's iptables as `iptables -L` prints them, with and without `-n`. Options that it hides (the name
 * of a hashlimit, the time-out of a fingerprint) are missing in the result.
 */
export const listedMatches: readonly ListedDetail[] = [
  detail(
    /^(tcp|udp|sctp|dccp|udplite)((?: (?:[ds]pts?:|option=|flags:)\S+)*)((?: (?:any|all|only|!any|!all|!only) \S+)?)/,
    (m) => transport(m[1] as string, m[2] ?? '', m[3] ?? ''),
  ),
  detail(/^(icmp|ipv6-icmp) ?(!)?(?: ?type )(\d+)(?: code (\d+)(?:-\d+)?)?/, ([, name, sign, type, code]) =>
    icmp(name, sign, type, code),
  ),
  detail(/^(icmp|ipv6-icmp)type (\d+)(?: code (\d+)(?:-\d+)?)?/, ([, name, type, code]) => icmp(name, '', type, code)),
  detail(/^(icmp|ipv6-icmp) (!)?([a-z][\w-]*)/, ([, name, sign, type]) => icmp(name, sign, type, undefined)),
  detail(
    /^multiport (d|s)?ports +(!)?(\S+)/,
    ([, side = '', sign, ports]) => `-m multiport ${not(sign)}--${side}ports ${ports}`,
  ),
  detail(/^ADDRTYPE match( src-type !?[A-Z,]+)?( dst-type !?[A-Z,]+)?( limit-in)?( limit-out)?/, (m) => {
    const limits = `${m[3] ? ' --limit-iface-in' : ''}${m[4] ? ' --limit-iface-out' : ''}`;
    return `-m addrtype${addressType(m[1])}${addressType(m[2])}${limits}`;
  }),
  detail(
    /^statistic mode random( !)? probability ([\d.]+)/,
    ([, sign, p]) => `-m statistic --mode random ${not(sign)}--probability ${p}`,
  ),
  detail(
    /^statistic mode nth( !)? every (\d+)(?: packet (\d+))?/,
    ([, sign, every, packet = '0']) => `-m statistic --mode nth ${not(sign)}--every ${every} --packet ${packet}`,
  ),
  detail(
    /^(! ?)?recent: (SET|CHECK|UPDATE|REMOVE)((?: (?:seconds: \d+|reap|hit_count: \d+|TTL-Match))*)(?: name: (\S+))?(?: side: (source|dest))?(?: mask: (\S+))?/,
    recent,
  ),
  detail(/^mark match (! ?)?(0x[0-9a-f]+(?:\/0x[0-9a-f]+)?)/, ([, sign, mark]) => `-m mark ${not(sign)}--mark ${mark}`),
  detail(
    /^connmark match +(! ?)?(0x[0-9a-f]+(?:\/0x[0-9a-f]+)?)/,
    ([, sign, mark]) => `-m connmark ${not(sign)}--mark ${mark}`,
  ),
  detail(
    /^(?:! ?)?ct(?:state|proto|origsrc|origdst|replsrc|repldst|origsrcport|origdstport|replsrcport|repldstport|status|expire|dir) \S+(?: (?:! )?ct\w+ \S+)*/,
    ([words]) =>
      `-m conntrack ${words.replace(/(?:! ?)?\bct(\w+) (\S+)/g, (one, name, value) => `${not(one)}--ct${name} ${value}`)}`,
  ),
  detail(/^(! ?)?state ([A-Z,]+)/, ([, sign, states]) => `-m state ${not(sign)}--state ${states}`),
  detail(
    /^(! ?)?match-set (\S+) ([a-z,]+)((?: (?:!? ?return-nomatch|!? ?update-(?:sub)?counters|!? ?(?:packets|bytes)-(?:eq|lt|gt) \d+))*)/,
    ([, sign, set, sides, more = '']) =>
      `-m set ${not(sign)}--match-set ${set} ${sides}${more.replace(/ (! ?)?([a-z][a-z-]+)/g, (_, no, name) => ` ${not(no)}--${name}`)}`,
  ),
  detail(
    /^PHYSDEV match((?: !? ?--physdev-(?:is-[a-z]+|(?:in|out) \S+))+)/,
    ([, options = '']) => `-m physdev${physdev(options)}`,
  ),
  detail(
    /^(! ?)?owner (?:(UID|GID) match (\S+)|socket exists|suppl\. groups)((?: (?:! )?owner (?:(?:UID|GID) match \S+|socket exists|suppl\. groups))*)/,
    ([words]) => `-m owner${owner(words)}`,
  ),
  detail(/^limit: avg (\S+) burst (\d+)/, ([, rate, burst]) => `-m limit --limit ${rate} --limit-burst ${burst}`),
  detail(
    /^limit: (up to|above) (\S+)(?: burst (\S+))?(?: mode ([a-z-]+))?((?: (?:htable-size|htable-max|htable-gcinterval|htable-expire|srcmask|dstmask|rate-interval) \d+| rate-match)*)/,
    hashlimit,
  ),
  detail(
    /^#conn (src|dst)\/(\S+) (<=|>) (\d+)/,
    ([, side, mask, how, count]) =>
      `-m connlimit --connlimit-${how === '>' ? 'above' : 'upto'} ${count} --connlimit-mask ${mask} --connlimit-${side === 'dst' ? 'd' : 's'}addr`,
  ),
  detail(/^MAC ?(! ?)?([0-9A-Fa-f:]{17})/, ([, sign, mac]) => `-m mac ${not(sign)}--mac-source ${mac}`),
  detail(
    /^(source|destination) IP range (! )?(\S+-\S+)(?: destination IP range (! )?(\S+-\S+))?/,
    ([, side, sign, range, other, second]) =>
      `-m iprange ${not(sign)}--${side === 'source' ? 'src' : 'dst'}-range ${range}${second === undefined ? '' : ` ${not(other)}--dst-range ${second}`}`,
  ),
  detail(/^length (!)?([\d:]+)/, ([, sign, length]) => `-m length ${not(sign)}--length ${length}`),
  detail(/^(TTL|HL) match (?:TTL|HL) (==|!=|<|>) (\d+)/, ([, name = '', how = '', value]) => {
    const option = how === '<' ? 'lt' : how === '>' ? 'gt' : 'eq';
    return `-m ${name.toLowerCase()} ${how === '!=' ? '! ' : ''}--${name.toLowerCase()}-${option} ${value}`;
  }),
  detail(
    /^tos match ?(!)? ?(0x[0-9a-f]+(?:\/0x[0-9a-f]+)?|[A-Z][\w-]+)/,
    ([, sign, tos]) => `-m tos ${not(sign)}--tos ${tos}`,
  ),
  detail(/^DSCP match (!)?(0x[0-9a-f]+)/, ([, sign, dscp]) => `-m dscp ${not(sign)}--dscp ${dscp}`),
  detail(/^PKTTYPE (!?)= ([a-z]+)/, ([, sign, type]) => `-m pkttype ${not(sign)}--pkt-type ${type}`),
  detail(
    /^TIME((?: from [\d:]+ to [\d:]+| (?:! )?on (?:[A-Z][a-z]{2},?)+| (?:! )?on (?:\d+[a-z]{2},?)+| starting from [\d-]+ [\d:]+| until date [\d-]+ [\d:]+| UTC| contiguous)*)/,
    ([, parts = '']) => `-m time${time(parts)}`,
  ),
  detail(
    /^STRING match +(! ?)?"((?:[^"\\]|\\.)*)" ALGO name (bm|kmp)(?: FROM (\d+))?(?: TO (\d+))?( ICASE)?/,
    ([, sign, text = '', algorithm, from, to, icase]) => {
      const option = text.includes('|') ? 'hex-string' : 'string';
      return `-m string ${not(sign)}--${option} "${text}" --algo ${algorithm}${from ? ` --from ${from}` : ''}${to ? ` --to ${to}` : ''}${icase ? ' --icase' : ''}`;
    },
  ),
  detail(/^(! ?)?u32 "([^"]*)"/, ([, sign, tests]) => `-m u32 ${not(sign)}--u32 "${tests}"`),
  detail(
    /^rpfilter((?: loose| validmark| accept-local| invert)*)/,
    ([, flags = '']) => `-m rpfilter${flags.replace(/ (\S+)/g, ' --$1')}`,
  ),
  detail(/^socket((?: --(?:transparent|nowildcard|restore-skmark))*)/, ([, flags]) => `-m socket${flags}`),
  detail(/^tcpmss match (!)?([\d:]+)/, ([, sign, range]) => `-m tcpmss ${not(sign)}--mss ${range}`),
  detail(/^helper match (! ?)?"([^"]*)"/, ([, sign, name]) => `-m helper ${not(sign)}--helper "${name}"`),
  detail(
    /^(! ?)?connbytes ([\d:]+) connbytes mode ([a-z]+) connbytes direction ([a-z]+)/,
    ([, sign, bytes, mode, side]) =>
      `-m connbytes ${not(sign)}--connbytes ${bytes} --connbytes-mode ${mode} --connbytes-dir ${side}`,
  ),
  detail(
    /^(! ?)?connlabel '?([\w-]+)'?( set)?/,
    ([, sign, label, set]) => `-m connlabel ${not(sign)}--label "${label}"${set ? ' --set' : ''}`,
  ),
  detail(/^cgroup (! )?(\d+)/, ([, sign, id]) => `-m cgroup ${not(sign)}--cgroup ${id}`),
  detail(/^cpu (! ?)?(\d+)/, ([, sign, cpu]) => `-m cpu ${not(sign)}--cpu ${cpu}`),
  detail(
    /^(! ?)?(src|dst)-group (\S+)(?: (! )?dst-group (\S+))?/,
    ([, sign, side, group, other, second]) =>
      `-m devgroup ${not(sign)}--${side}-group ${group}${second === undefined ? '' : ` ${not(other)}--dst-group ${second}`}`,
  ),
  detail(/^realm (! ?)?(\S+)/, ([, sign, realm]) => `-m realm ${not(sign)}--realm ${realm}`),
  detail(
    /^ECN match((?: !?(?:ECT=\d|CWR|ECE))+)/,
    ([, parts = '']) =>
      `-m ecn${parts.replace(/ (!)?(ECT=(\d)|CWR|ECE)/g, (_, sign, name, ect) => ` ${not(sign)}--ecn-${ect === undefined ? `tcp-${name.toLowerCase()}` : `ip-ect ${ect}`}`)}`,
  ),
  detail(/^(esp|ah) spis?:(!)?([\d:]+)/, ([, name, sign, spi]) => `-m ${name} ${not(sign)}--${name}spi ${spi}`),
  detail(
    /^policy match((?: (?:! )?(?:dir|pol|reqid|spi|proto|mode|tunnel-src|tunnel-dst) \S+| strict)+)/,
    ([, options = '']) =>
      `-m policy${options.replace(/ (! )?(dir|pol|reqid|spi|proto|mode|tunnel-src|tunnel-dst|strict)\b/g, (_, sign, name) => ` ${not(sign)}--${name}`)}`,
  ),
  detail(/^OS fingerprint match (! ?)?(\S+)/, ([, sign, genre]) => `-m osf ${not(sign)}--genre ${genre}`),
  detail(
    /^(! ?)?cluster node_mask=(\S+) total_nodes=(\d+) hash_seed=(\S+)/,
    ([, sign, mask, nodes, seed]) =>
      `-m cluster ${not(sign)}--cluster-local-nodemask ${mask} --cluster-total-nodes ${nodes} --cluster-hash-seed ${seed}`,
  ),
  detail(/^nfacct-name +(\S+)/, ([, name]) => `-m nfacct --nfacct-name ${name}`),
  detail(/^match bpf pinned (\S+)/, ([, path]) => `-m bpf --object-pinned ${path}`),
  detail(
    /^match bpf ((?:\d+ \d+ \d+ \d+,?)+) ?/,
    ([, code = '']) => `-m bpf --bytecode "${code.split(',').length},${code}"`,
  ),
  detail(/^(! ?)?quota: (\d+) bytes/, ([, sign, bytes]) => `-m quota ${not(sign)}--quota ${bytes}`),
  detail(/^(! ?)?ipvs(?= |$)/, ([, sign]) => `-m ipvs ${not(sign)}--ipvs`),
  detail(
    /^(?:! )?v(?:proto|addr|port|dir|method|portctl) \S+(?: (?:! )?v(?:proto|addr|port|dir|method|portctl) \S+)*/,
    ([words]) =>
      `-m ipvs ${words.replace(/(! )?\b(v[a-z]+) (\S+)/g, (_, sign, name, value) => `${not(sign)}--${name} ${value}`)}`,
  ),
  detail(
    /^rt type:(!)?(\d+)(?: segslefts?:(!)?([\d:]+))?(?: length:(!)?(\d+))?( reserved)?/,
    ([, sign, type, other, left, third, length, reserved]) =>
      `-m rt ${not(sign)}--rt-type ${type}${left ? ` ${not(other)}--rt-segsleft ${left}` : ''}${length ? ` ${not(third)}--rt-len ${length}` : ''}${reserved ? ' --rt-0-res' : ''}`,
  ),
  detail(
    /^frag ids?:(!)?([\d:]+)((?: first| more| last)*)/,
    ([, sign, id, flags = '']) => `-m frag ${not(sign)}--fragid ${id}${flags.replace(/ (\S+)/g, ' --frag$1')}`,
  ),
  detail(/^(hbh|dst) length:(!)?(\d+)/, ([, name, sign, length]) => `-m ${name} ${not(sign)}--${name}-len ${length}`),
  detail(/^mh (!)?([\w:-]+)/, ([, sign, type]) => `-m mh ${not(sign)}--mh-type ${type}`),
  detail(/^eui64(?= |$)/, () => '-m eui64'),
  detail(
    /^ipv6header flags:(!)?(0x[0-9a-fA-F]+|[a-z][\w,-]*)( soft)?/,
    ([, sign, flags = '', soft]) =>
      `-m ipv6header ${not(sign)}--header ${flags.startsWith('0x') ? namesOf(Number(flags), listedNumbers.extensionHeaders) : flags}${soft ? ' --soft' : ''}`,
  ),
];

function detail(pattern: RegExp, write: ListedDetail['write']): ListedDetail {
  return { pattern, write };
}

function not(sign: string | undefined): string {
  return sign?.trim().startsWith('!') ? '! ' : '';
}

/** Ports, flags and chunks, which all follow the protocol's name. */
function transport(name: string, parts: string, chunks: string): string {
  let written = `-m ${name}`;
  for (const part of parts.trim().split(' ')) {
    const [, kind = '', sign, value = ''] = /^([ds]pts?:|option=|flags:)(!)?(.*)$/.exec(part) ?? [];
    if (kind === '') continue;
    if (kind === 'flags:') {
      const [mask = '', set = ''] = value.split('/');
      written += ` ${not(sign)}--tcp-flags ${flagNames(mask)} ${flagNames(set)}`;
    } else {
      written += ` ${not(sign)}--${kind === 'option=' ? `${name}-option` : `${kind[0]}port`} ${value}`;
    }
  }
  if (chunks === '') return written;
  const [how = '', list = ''] = chunks.trim().split(' ');
  const types = list
    .split(',')
    .map((type) => listedNumbers.chunkTypes[Number(/^0x[0-9A-Fa-f]+/.exec(type)?.[0] ?? -1)] ?? type);
  return `${written} ${not(how)}--chunk-types ${how.replace('!', '')} ${types.join(',')}`;
}

function flagNames(text: string): string {
  return text.startsWith('0x') ? namesOf(Number(text), listedNumbers.tcpFlags) || 'NONE' : text;
}

function namesOf(bits: number, names: readonly (readonly [string, number])[]): string {
  return names.flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : name)).join(',');
}

function icmp(name = '', sign = '', type = '', code: string | undefined): string {
  const value = type === '255' && name === 'icmp' ? 'any' : code === undefined ? type : `${type}/${code}`;
  return name === 'icmp' ? `-m icmp ${not(sign)}--icmp-type ${value}` : `-m icmp6 ${not(sign)}--icmpv6-type ${value}`;
}

function addressType(text: string | undefined): string {
  const [side, types = ''] = text?.trim().split(' ') ?? [];
  return side === undefined ? '' : ` ${not(types)}--${side} ${types.replace('!', '')}`;
}

function recent([, sign, action = '', options = '', name, side, mask]: readonly (string | undefined)[]): string {
  const verb = { SET: 'set', CHECK: 'rcheck', UPDATE: 'update', REMOVE: 'remove' }[action] ?? '';
  const more = options
    .replace(/ seconds: /, ' --seconds ')
    .replace(/ reap/, ' --reap')
    .replace(/ hit_count: /, ' --hitcount ')
    .replace(/ TTL-Match/, ' --rttl');
  const list = `${name ? ` --name ${name}` : ''}${mask ? ` --mask ${mask}` : ''}${side ? ` --r${side}` : ''}`;
  return `-m recent ${not(sign)}--${verb}${more}${list}`;
}

function physdev(options: string): string {
  return options.replace(/ !? ?--/g, (sign) => ` ${not(sign)}--`);
}

function owner(words: string): string {
  return words.replace(
    /(?:^| )(! ?)?owner (?:(UID|GID) match (\S+)|(socket exists)|suppl\. groups)/g,
    (_, sign, who, id, socket) => {
      const option =
        who === undefined ? (socket ? 'socket-exists' : 'suppl-groups') : `${who.toLowerCase()}-owner ${id}`;
      return ` ${not(sign)}--${option}`;
    },
  );
}

function hashlimit([, how, rate, burst, mode, options = '']: readonly (string | undefined)[]): string {
  const limit = `--hashlimit-${how === 'above' ? 'above' : 'upto'} ${rate}`;
  const modes = mode === undefined ? '' : ` --hashlimit-mode ${mode.replaceAll('-', ',')}`;
  return `-m hashlimit ${limit}${burst ? ` --hashlimit-burst ${burst}` : ''}${modes}${options.replace(/ ([a-z][a-z-]+)/g, ' --hashlimit-$1')}`;
}

function time(parts: string): string {
  return parts
    .replace(/ from ([\d:]+) to ([\d:]+)/, ' --timestart $1 --timestop $2')
    .replace(/ (! )?on ([A-Z]\S*)/, (_, sign, days) => ` ${not(sign)}--weekdays ${days}`)
    .replace(/ (! )?on (\d\S*)/, (_, sign, days) => ` ${not(sign)}--monthdays ${days.replace(/[a-z]/g, '')}`)
    .replace(/ starting from ([\d-]+) ([\d:]+)/, ' --datestart $1T$2')
    .replace(/ until date ([\d-]+) ([\d:]+)/, ' --datestop $1T$2')
    .replace(/ contiguous/, ' --contiguous')
    .replace(/ UTC/, '');
}
