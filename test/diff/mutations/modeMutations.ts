/** A recorded file of a node in IPVS or nftables mode. */
export type ModeFile = 'nft' | 'ipset' | 'ipvsadm' | 'addresses' | 'iptables';

/** One way to break one of the dumps of a node in IPVS or nftables mode, and what must be said of it. */
export interface ModeMutation {
  readonly name: string;
  readonly mode: 'ipvs' | 'nftables';
  readonly file: ModeFile;
  /** At least one of these must be found. */
  readonly ids: readonly string[];
  /** The finding is a remark and fails no run. */
  readonly isRemark?: true;
  /** The text with the fault; the same text: this dump has nothing to break so. */
  readonly apply: (text: string) => string;
}

const nft = (name: string, ids: readonly string[], apply: ModeMutation['apply']): ModeMutation => ({
  name,
  mode: 'nftables',
  file: 'nft',
  ids,
  apply,
});

const ipvs = (file: ModeFile, name: string, ids: readonly string[], apply: ModeMutation['apply']): ModeMutation => ({
  name,
  mode: 'ipvs',
  file,
  ids,
  apply,
});

const put = (pattern: RegExp, by: string) => (text: string) => text.replace(pattern, by);

/** The first block that begins so, with all its lines. */
const block = (start: string) => new RegExp(`^\\t${start}[^\\n]*\\{\\n(?:\\t\\t[^\\n]*\\n)*\\t\\}\\n`, 'm');

const otherAddress = (text: string, pattern: RegExp) =>
  text.replace(pattern, (whole, before: string, ip: string) =>
    whole.replace(before + ip, before + (ip.includes(':') ? 'fd00:dead::99' : '10.254.254.254')),
  );

export const modeMutations: readonly ModeMutation[] = [
  nft(
    'first of several elements of service-ips removed',
    ['K8N201'],
    put(/(map service-ips \{(?:\n\t\t(?!elements).*)*\n\t\telements = \{ )[^,}]+,\s*/, '$1'),
  ),
  nft(
    'only element of service-ips removed',
    ['K8N201'],
    put(/(map service-ips \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{ [^,}]+\}/, '$1'),
  ),
  nft(
    'element of service-ips leads to another chain',
    ['K8N201'],
    put(/(map service-ips \{(?:\n\t\t(?!elements).*)*\n\t\telements = \{ [^,}]* : )goto [^\s,}]+/, '$1drop'),
  ),
  nft('element of service-ips for an address that no Service has', ['K8N202'], (text) =>
    otherAddress(text, /(map service-ips \{(?:\n\t\t(?!elements).*)*\n\t\telements = \{ )([0-9a-f.:]+)/),
  ),
  nft(
    'elements of service-nodeports removed',
    ['K8N201'],
    put(/(map service-nodeports \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{ [^}]+\}/, '$1'),
  ),
  nft('address of cluster-ips edited', ['K8N702'], (text) =>
    otherAddress(text, /(set cluster-ips \{(?:\n\t\t(?!elements).*)*\n\t\telements = \{ )([0-9a-f.:]+)/),
  ),
  nft(
    'elements of no-endpoint-services removed',
    ['K8N209'],
    put(/(map no-endpoint-services \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{ [^}]+\}/, '$1'),
  ),
  nft(
    'elements of firewall-ips removed',
    ['K8N512'],
    put(/(map firewall-ips \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{ [^}]+\}/, '$1'),
  ),
  nft('firewall chain lets everybody in', ['K8N512'], put(/\n\t\tip6? saddr != \{[^}]*\} drop/, '')),
  nft('endpoint chain removed', ['K8N204'], put(block('chain endpoint-'), '')),
  nft('endpoint chain flushed', ['K8N204'], put(/^(\tchain endpoint-[^\n]*\{\n)(?:\t\t[^\n]*\n)*/m, '$1')),
  nft('service chain removed', ['K8N205'], put(block('chain service-[A-Z0-9]{8}-'), '')),
  nft('service chain flushed', ['K8N205'], put(/^(\tchain service-[A-Z0-9]{8}-[^\n]*\{\n)(?:\t\t[^\n]*\n)*/m, '$1')),
  nft('external chain removed', ['K8N201'], put(block('chain external-'), '')),
  nft('endpoint with another address', ['K8N203'], (text) =>
    otherAddress(text, /(dnat to \[?)([0-9a-f.]+(?::[0-9a-f:]+(?=\]))?)/),
  ),
  nft('endpoint with another port', ['K8N203'], put(/(dnat to \S+:)\d+\n/, '$11\n')),
  nft('endpoint without DNAT', ['K8N203'], put(/\n\t\tmeta l4proto \S+ dnat to \S+/, '')),
  nft('no hairpin mark', ['K8N403'], put(/(chain endpoint-.*\{)\n\t\tip6? saddr \S+ jump mark-for-masquerade/, '$1')),
  nft(
    'no masquerading in a service chain',
    ['K8N401'],
    put(/(chain service-[A-Z0-9]{8}-.*\{)\n.*jump mark-for-masquerade/, '$1'),
  ),
  nft('another CIDR in a service chain', ['K8N401'], put(/saddr != 10\.244\.0\.0\/16/, 'saddr != 10.99.0.0/16')),
  nft(
    'first endpoint gets all',
    ['K8N204'],
    put(/numgen random mod (?:[2-9]|\d\d+) vmap \{ 0 : (goto [^\s,]+)[^}]*\}/, 'numgen random mod 1 vmap { 0 : $1 }'),
  ),
  nft(
    'first endpoint gets two shares',
    ['K8N302'],
    put(
      /numgen random mod 2 vmap \{ 0 : (goto [^\s,]+), 1 : (goto [^\s,]+) \}/,
      'numgen random mod 3 vmap { 0 : $1, 1 : $2, 2 : $1 }',
    ),
  ),
  nft('affinity set missing', ['K8N304'], put(block('set affinity-'), '')),
  nft('affinity set with another timeout', ['K8N304'], put(/(set affinity-(?:.*\n)+?\t\ttimeout )\S+/, '$177s')),
  nft('affinity is not looked for', ['K8N304'], put(/\n\t\tip6? saddr @affinity-\S+ goto \S+/, '')),
  nft('clients are not remembered', ['K8N304'], put(/\n\t\tupdate @affinity-.*/, '')),
  nft('masquerading without masquerade', ['K8N410'], put(/\n\t\tmasquerade fully-random/, '')),
  nft('the mark stays', ['K8N404'], put(/\n\t\tmeta mark set meta mark \^ \S+/, '')),
  nft('another mark is tested', ['K8N409'], put(/meta mark & 0x00004000 ==/, 'meta mark & 0x00008000 ==')),
  nft(
    'traffic of the node to an external address is not masqueraded',
    ['K8N401'],
    put(/\n\t\tfib saddr type local (?:jump mark-for-masquerade|meta mark set).*/, ''),
  ),
  nft('masquerading of everything', ['K8N410'], put(/\n\t\tmeta mark & \S+ == \S+ return/, '')),
  nft('nothing is marked', ['K8N409'], put(/(chain mark-for-masquerade \{)\n.*/, '$1')),
  nft('nat-prerouting without its jump', ['K8N207'], put(/(chain nat-prerouting \{\n.*)\n\t\tjump services/, '$1')),
  nft('services without its map', ['K8N207'], put(/(chain services \{(?:\n.*)??)\n.*vmap @service-ips/, '$1')),
  nft('clients of dead Services wait', ['K8N209'], put(/(chain service-endpoints-check \{)\n.*/, '$1')),
  nft('firewall is not asked', ['K8N512'], put(/(chain firewall-check \{)\n.*/, '$1')),

  // Versions before 1.30: source ranges as elements, one chain for what has no endpoints.
  nft(
    'elements of firewall removed',
    ['K8N512'],
    put(/(set firewall \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{ [^}]+\}/, '$1'),
  ),
  nft('another source range', ['K8N512'], (text) =>
    otherAddress(text, /(set firewall-allow \{(?:\n\t\t(?!elements).*)*\n\t\telements = \{ )([0-9a-f.:]+)/),
  ),
  nft('source ranges let everybody in', ['K8N512'], put(/(chain firewall-allow-check \{\n.*)\n\t\tdrop/, '$1')),
  nft('dead Services of all kinds wait', ['K8N209'], put(/(chain endpoints-check \{)\n.*/, '$1')),
  {
    ...nft('INVALID packets pass', ['K8N505'], put(/(chain forward \{)\n.*/, '$1')),
    isRemark: true,
  },

  // 1.36: DNAT by a map, marks in place, a set of Pods that reach themselves.
  nft('endpoint of a map with another address', ['K8N203'], (text) =>
    otherAddress(text, /(dnat ip6? to numgen random mod \d+ map \{ 0 : )([0-9a-f.:]+)/),
  ),
  nft('endpoint of a map with another port', ['K8N203'], put(/(map \{ 0 : \S+ \. )\d+/, '$11')),
  nft(
    'first endpoint of a map gets all',
    ['K8N204'],
    put(/numgen random mod (?:[2-9]|\d\d+) map \{ 0 : (\S+ \. \d+)[^}]*\}/, 'numgen random mod 1 map { 0 : $1 }'),
  ),
  nft(
    'first endpoint of a map gets two shares',
    ['K8N302'],
    put(
      /numgen random mod 2 map \{ 0 : (\S+ \. \d+), 1 : (\S+ \. \d+) \}/,
      'numgen random mod 3 map { 0 : $1, 1 : $2, 2 : $1 }',
    ),
  ),
  nft('map for another protocol', ['K8N203'], put(/meta l4proto tcp dnat ip/, 'meta l4proto sctp dnat ip')),
  nft(
    'elements of hairpin-connections removed',
    ['K8N403'],
    put(/(set hairpin-connections \{(?:\n\t\t(?!elements).*)*)\n\t\telements = \{ [^}]+\}/, '$1'),
  ),
  nft('hairpin connections are not masqueraded', ['K8N403'], put(/\n\t\tct status dnat .*@hairpin-connections .*/, '')),
  nft('marked packets are not masqueraded', ['K8N410'], put(/(meta mark set meta mark \^ \S+) masquerade.*/, '$1')),
  nft('the rule of marked packets is missing', ['K8N410'], put(/\n\t\tmeta mark .* masquerade fully-random/, '')),
  nft('the mark stays on a masqueraded packet', ['K8N404'], put(/ meta mark set meta mark \^ \S+ masq/, ' masq')),
  nft('another mark is tested and masqueraded', ['K8N409'], put(/mark & 0x00004000 !=/, 'mark & 0x00008000 !=')),
  nft('traffic to cluster IPs is not marked', ['K8N401'], put(/\n\t\tip6? daddr @cluster-ips .*mark set.*/, '')),
  nft(
    'traffic to external addresses is not marked',
    ['K8N401'],
    put(/\n\t\tmeta mark set .* comment "masquerade"/, ''),
  ),

  ipvs('ipvsadm', 'virtual server removed', ['K8N201'], put(/^-A -\w \S+ .*\n(?:-a .*\n)*(?=-A )/m, '')),
  ipvs('ipvsadm', 'virtual server that no Service has', ['K8N202'], (text) =>
    text
      .replace(
        /^-A -\w \[?[0-9a-f]*:.*\n|^-A .*\n/m,
        (line) => line + (/ \[/.test(line) ? '-A -t [fd00:dead::99]:80 -s rr\n' : '-A -t 10.254.254.254:80 -s rr\n'),
      )
      .replace(/^(-A .*\n)(-A -t (?:10\.254|\[fd00:dead).*\n)((?:-a .*\n)*)/m, '$1$3$2'),
  ),
  ipvs('ipvsadm', 'real server removed', ['K8N204'], put(/^-a .*\n/m, '')),
  ipvs('ipvsadm', 'all real servers removed', ['K8N204'], put(/^-a .*\n/gm, '')),
  ipvs(
    'ipvsadm',
    'real server that is no endpoint',
    ['K8N203'],
    put(/^(-a -\w \S+ -r )(\[\S+\]|[\d.]+):(\d+)( .*\n)/m, '$&$1$2:1$4'),
  ),
  ipvs('ipvsadm', 'real server with another port', ['K8N203'], put(/^(-a -\w \S+ -r \S+:)\d+ /m, '$11 ')),
  { ...ipvs('ipvsadm', 'weight 0', ['K8N703'], put(/^(-a .*-w )1$/m, '$10')), isRemark: true },
  ipvs('ipvsadm', 'weight changed', ['K8N702'], put(/^(-a .*-w )1$/m, '$15')),
  ipvs('ipvsadm', 'tunnelled', ['K8N203', 'K8N702'], put(/^(-a .*) -m /m, '$1 -i ')),
  ipvs('ipvsadm', 'another scheduler', ['K8N702'], put(/^(-A .*-s )rr\b/m, '$1lc')),
  ipvs('ipvsadm', 'persistence lost', ['K8N304'], put(/^(-A .*) -p \d+/m, '$1')),
  ipvs('ipvsadm', 'persistence of other seconds', ['K8N304'], put(/^(-A .*-p )\d+/m, '$177')),
  ipvs('ipvsadm', 'persistence that is not asked for', ['K8N304'], put(/^(-A (?!.* -p ).*)$/m, '$1 -p 60')),
  ipvs('ipset', 'member of KUBE-CLUSTER-IP removed', ['K8N702'], put(/^add KUBE-(?:6-)?CLUSTER-IP .*\n/m, '')),
  ipvs('ipset', 'member of KUBE-LOOP-BACK removed', ['K8N702'], put(/^add KUBE-(?:6-)?LOOP-BACK .*\n/m, '')),
  ipvs('ipset', 'member of a node-port set removed', ['K8N702'], put(/^add KUBE-(?:6-)?NODE-PORT-\S+ .*\n/m, '')),
  ipvs(
    'ipset',
    'member of KUBE-CLUSTER-IP that no Service has',
    ['K8N702'],
    put(/^(add KUBE-(?:6-)?CLUSTER-IP \S+,(?:tcp|udp|sctp):)\d+\n/m, '$&$19\n'),
  ),
  ipvs('ipset', 'set removed', ['K8N702'], put(/^(?:create|add) (KUBE-(?:6-)?CLUSTER-IP) .*\n(?:add \1 .*\n)*/m, '')),
  ipvs('addresses', 'address missing on kube-ipvs0', ['K8N701'], put(/^.+\n(?=.)/, '')),
  ipvs('addresses', 'address on kube-ipvs0 that no Service has', ['K8N701'], (text) =>
    text === '' ? text : text.includes(':') ? `${text}fd00:dead::99/128\n` : `${text}10.254.254.254/32\n`,
  ),
  ipvs(
    'iptables',
    'jump to the set of cluster IPs missing',
    ['K8N401', 'K8N201'],
    put(/^-A KUBE-SERVICES .*KUBE-(?:6-)?CLUSTER-IP .*\n/m, ''),
  ),
  ipvs(
    'iptables',
    'hairpin masquerading missing',
    ['K8N403', 'K8N410'],
    put(/^-A KUBE-POSTROUTING .*KUBE-(?:6-)?LOOP-BACK .*\n/m, ''),
  ),
  ipvs(
    'iptables',
    'masquerading missing',
    ['K8N410'],
    put(/^-A KUBE-POSTROUTING .*-j MASQUERADE --random-fully\n/m, ''),
  ),
  ipvs('iptables', 'node ports are not masqueraded', ['K8N401'], put(/^-A KUBE-NODE-PORT .* -j KUBE-MARK-MASQ\n/m, '')),
  ipvs('iptables', 'node ports are not looked at', ['K8N201'], put(/^-A KUBE-SERVICES .*-j KUBE-NODE-PORT\n/m, '')),
  ipvs(
    'iptables',
    'local load-balancer traffic masqueraded',
    ['K8N408'],
    put(/^-A KUBE-LOAD-BALANCER .*-LOCAL .*-j RETURN\n/m, ''),
  ),
  ipvs('iptables', 'source ranges let everybody in', ['K8N512'], put(/^-A KUBE-SOURCE-RANGES-FIREWALL -j DROP\n/m, '')),
  ipvs('iptables', 'guard of the host lost', ['K8N704'], put(/^-A KUBE-IPVS-FILTER .*-j REJECT.*\n/m, '')),
];
