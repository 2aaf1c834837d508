/** One way to break a dump, and what must be said of it. */
export interface Mutation {
  readonly name: string;
  /** At least one of these must be found; all of them, if `isEach`. Empty: the rules must be shown as changed. */
  readonly ids: readonly string[];
  readonly isEach?: true;
  /** The finding is a remark and fails no run. */
  readonly isRemark?: true;
  /** Lines of a save with the fault; undefined: this dump has nothing to break so. */
  readonly apply: (lines: readonly string[]) => readonly string[] | undefined;
}

type Lines = readonly string[];

/** Takes off the nth line that matches (counted from `pick`). */
function without(pattern: RegExp, pick = 0) {
  return (lines: Lines) => {
    const at = matching(lines, pattern)[pick];
    return at === undefined ? undefined : lines.filter((_, other) => other !== at);
  };
}

function withoutAll(pattern: RegExp) {
  return (lines: Lines) => {
    const rest = lines.filter((line) => !pattern.test(line));
    return rest.length === lines.length ? undefined : rest;
  };
}

function edit(pattern: RegExp, change: (line: string) => string) {
  return (lines: Lines) => {
    const at = matching(lines, pattern)[0];
    if (at === undefined) return undefined;
    const changed = change(lines[at] as string);
    return changed === lines[at] ? undefined : lines.map((line, other) => (other === at ? changed : line));
  };
}

function insertBefore(pattern: RegExp, added: (line: string) => string, table?: string) {
  return (lines: Lines) => {
    const at = matching(lines, pattern).find((one) => table === undefined || tableAt(lines, one) === table);
    return at === undefined ? undefined : [...lines.slice(0, at), added(lines[at] as string), ...lines.slice(at)];
  };
}

function insertAfter(pattern: RegExp, added: (line: string) => string) {
  return (lines: Lines) => {
    const at = matching(lines, pattern).at(-1);
    return at === undefined
      ? undefined
      : [...lines.slice(0, at + 1), added(lines[at] as string), ...lines.slice(at + 1)];
  };
}

function matching(lines: Lines, pattern: RegExp): readonly number[] {
  return lines.flatMap((line, at) => (pattern.test(line) ? [at] : []));
}

function tableAt(lines: Lines, at: number): string {
  for (let before = at; before >= 0; before -= 1) if (lines[before]?.startsWith('*')) return lines[before] as string;
  return '';
}

function chainOf(line: string): string {
  return line.split(' ')[1] as string;
}

/** Ladders of at least so many steps: their first and last lines. */
function ladder(lines: Lines, steps: number): { readonly first: number; readonly last: number } | undefined {
  for (const first of matching(lines, /^-A KUBE-(?:SVC|SVL|XLB)-.* -m statistic .*-j KUBE-SEP-/)) {
    const chain = chainOf(lines[first] as string);
    if (lines[first - 1]?.startsWith(`-A ${chain} `) && lines[first - 1]?.includes('statistic')) continue;
    let last = first;
    while (lines[last + 1]?.startsWith(`-A ${chain} `) && lines[last + 1]?.includes('-j KUBE-SEP-')) last += 1;
    if (last - first + 1 >= steps) return { first, last };
  }
  return undefined;
}

function onLadder(steps: number, change: (lines: string[], first: number, last: number) => void) {
  return (lines: Lines) => {
    const found = ladder(lines, steps);
    if (found === undefined) return undefined;
    const copy = [...lines];
    change(copy, found.first, found.last);
    return copy;
  };
}

function targetOf(line: string): string {
  return / -j (\S+)/.exec(line)?.[1] as string;
}

const vip = /^-A KUBE-SERVICES .*-d (?!127\.|::1).*--dport \d+ -j KUBE-(?:SVC|SVL|EXT|FW|XLB)-/;
const clusterVip = /^-A KUBE-SERVICES .*-d .*cluster IP.*--dport \d+ -j KUBE-(?:SVC|SVL)-/;

function swapWithNext(pattern: RegExp) {
  return (lines: Lines) => {
    const at = matching(lines, pattern).find(
      (one) => chainOf(lines[one] as string) === chainOf(lines[one + 1] as string),
    );
    if (at === undefined) return undefined;
    const copy = [...lines];
    [copy[at], copy[at + 1]] = [copy[at + 1] as string, copy[at] as string];
    return copy;
  };
}

/** A chain that some rule leads to. */
function firstTarget(lines: Lines, pattern: RegExp): string | undefined {
  const at = matching(lines, pattern)[0];
  return at === undefined ? undefined : targetOf(lines[at] as string);
}

function onChain(pattern: RegExp, change: (lines: Lines, chain: string) => Lines) {
  return (lines: Lines) => {
    const chain = firstTarget(lines, pattern);
    return chain === undefined || !lines.some((line) => line.startsWith(`-A ${chain} `))
      ? undefined
      : change(lines, chain);
  };
}

const toEndpoint = /^-A KUBE-(?:SVC|SVL|XLB)-.* -j KUBE-SEP-/;

/** Moves a rule behind the last of its chain. */
function behindChain(pattern: RegExp) {
  return (lines: Lines) => {
    const at = matching(lines, pattern)[0];
    if (at === undefined) return undefined;
    const line = lines[at] as string;
    let last = at;
    while (lines[last + 1]?.startsWith(`-A ${chainOf(line)} `)) last += 1;
    if (last === at || !toEndpoint.test(lines[last] as string)) return undefined;
    return [...lines.slice(0, at), ...lines.slice(at + 1, last + 1), line, ...lines.slice(last + 1)];
  };
}

export const mutations: readonly Mutation[] = [
  {
    name: 'mark for masquerading behind the jumps to endpoints',
    ids: ['K8N401'],
    apply: behindChain(/^-A KUBE-(?:SVC|XLB)-.* -j KUBE-MARK-MASQ/),
  },
  {
    name: 'known clients are looked for behind the balancing rules',
    ids: ['K8N304'],
    apply: (lines) => {
      const at = matching(lines, /^-A KUBE-(?:SVC|SVL|XLB)-.* --rcheck .*-j KUBE-SEP-/)[0];
      const chain = at === undefined ? '' : chainOf(lines[at] as string);
      // Of one endpoint both rules lead to the same.
      const steps = lines.filter((line) => line.startsWith(`-A ${chain} `) && !line.includes('--rcheck'));
      return steps.length < 2 ? undefined : behindChain(/^-A KUBE-(?:SVC|SVL|XLB)-.* --rcheck .*-j KUBE-SEP-/)(lines);
    },
  },
  { name: 'chain with rules is not declared', ids: ['K8N205'], apply: without(/^:KUBE-(?:SVC|SEP|FW|EXT)-/) },
  {
    name: 'KUBE-FIREWALL asked twice',
    ids: ['K8N105'],
    apply: insertBefore(/^-A INPUT -j KUBE-FIREWALL/, (line) => line),
  },
  { name: 'rule of KUBE-FIREWALL twice', ids: ['K8N105'], apply: insertBefore(/^-A KUBE-FIREWALL /, (line) => line) },
  { name: 'cluster IP without rule', ids: ['K8N201'], apply: without(clusterVip) },
  {
    name: 'external or load-balancer IP without rule',
    ids: ['K8N201'],
    apply: without(/^-A KUBE-SERVICES .*--dport \d+ -j KUBE-(?:EXT|FW)-/),
  },
  {
    name: 'node port without rule',
    ids: ['K8N201'],
    apply: without(/^-A KUBE-NODEPORTS .*--dport \d+ -j KUBE-(?:EXT|SVC|XLB)-/),
  },
  {
    name: 'stale cluster IP',
    ids: ['K8N202'],
    apply: insertBefore(clusterVip, (line) =>
      line.replace(
        /-d \S+/,
        line.includes(':') && / -d \S*:/.test(line) ? '-d fd00:dead::99/128' : '-d 10.96.254.254/32',
      ),
    ),
  },
  {
    name: 'RETURN for an address',
    ids: ['K8N210'],
    apply: insertBefore(clusterVip, (line) => line.replace(/ -p .*/, ' -j RETURN')),
  },
  {
    name: 'stale node port',
    ids: ['K8N202'],
    apply: insertBefore(/^-A KUBE-NODEPORTS .*-j KUBE-EXT-/, (line) => line.replace(/--dport \d+/, '--dport 32767')),
  },
  {
    name: 'port of a cluster IP edited',
    ids: ['K8N201', 'K8N202'],
    isEach: true,
    apply: edit(clusterVip, (line) => line.replace(/--dport \d+/, '--dport 9')),
  },
  {
    name: 'cluster IP leads to another Service',
    ids: ['K8N201'],
    apply: (lines) => {
      const [one, other] = matching(lines, clusterVip);
      if (one === undefined || other === undefined) return undefined;
      const target = targetOf(lines[other] as string);
      if (target === targetOf(lines[one] as string)) return undefined;
      return lines.map((line, at) => (at === one ? line.replace(/-j \S+$/, `-j ${target}`) : line));
    },
  },
  {
    name: 'endpoint with another address',
    ids: ['K8N203'],
    apply: edit(/^-A KUBE-SEP-.*--to-destination/, (line) =>
      line.replace(/--to-destination (?:\[[^\]]+\]|[\d.]+)/, (text) =>
        text.includes('[') ? '--to-destination [fd00:dead::1]' : '--to-destination 10.244.99.99',
      ),
    ),
  },
  {
    name: 'endpoint with another port',
    ids: ['K8N203'],
    apply: edit(/^-A KUBE-SEP-.*--to-destination/, (line) => line.replace(/:\d+$/, ':1')),
  },
  { name: 'first balancing rule lost', ids: ['K8N204'], apply: onLadder(2, (lines, first) => lines.splice(first, 1)) },
  {
    name: 'last balancing rule lost',
    ids: ['K8N204', 'K8N301'],
    isEach: true,
    apply: onLadder(2, (lines, _, last) => lines.splice(last, 1)),
  },
  {
    name: 'probability edited',
    ids: ['K8N302'],
    apply: onLadder(2, (lines, first) => {
      lines[first] = (lines[first] as string).replace(/--probability \S+/, '--probability 0.90000000037');
    }),
  },
  {
    name: 'last balancing rule with a probability',
    ids: ['K8N301'],
    apply: onLadder(2, (lines, _, last) => {
      lines[last] = (lines[last] as string).replace(
        / -j /,
        ' -m statistic --mode random --probability 0.50000000000 -j ',
      );
    }),
  },
  {
    name: 'balancing rules in another order',
    ids: ['K8N302', 'K8N303', 'K8N204'],
    apply: onLadder(3, (lines, first, last) => {
      const [one] = lines.splice(last, 1);
      lines.splice(first, 0, one as string);
    }),
  },
  {
    name: 'balancing rule twice',
    ids: ['K8N105', 'K8N303', 'K8N302'],
    apply: onLadder(2, (lines, first) => lines.splice(first, 0, lines[first] as string)),
  },
  {
    name: 'probability of nothing',
    ids: ['K8N308'],
    apply: onLadder(2, (lines, first) => {
      lines[first] = (lines[first] as string).replace(/--probability \S+/, '--probability 0.00000000000');
    }),
  },
  {
    name: "another Service's rule in front",
    ids: ['K8N215', 'K8N210'],
    apply: (lines) => {
      const rules = matching(lines, /^-A KUBE-SERVICES .* cluster IP" .*-j KUBE-SVC-/);
      const [own, other] = [lines[rules[0] ?? -1], lines[rules.at(-1) ?? -1]];
      if (own === undefined || other === undefined || own === other) return undefined;
      const [, comment = ''] = /--comment "([^"]+)"/.exec(other) ?? [];
      const front = own
        .replace(/--comment "[^"]+"/, `--comment "${comment}"`)
        .replace(/-j \S+$/, `-j ${targetOf(other)}`);
      return lines.flatMap((line) => (line === own ? [front, line] : [line]));
    },
  },
  {
    name: 'dead rule at the end of a ladder',
    ids: ['K8N303'],
    apply: onLadder(2, (lines, first, last) =>
      lines.splice(last + 1, 0, (lines[last] as string).replace(/-j \S+$/, `-j ${targetOf(lines[first] as string)}`)),
    ),
  },
  {
    name: 'one endpoint takes the place of another',
    ids: ['K8N204'],
    apply: onLadder(2, (lines, first, last) => {
      lines[first] = (lines[first] as string).replace(/-j \S+$/, `-j ${targetOf(lines[last] as string)}`);
    }),
  },
  {
    name: 'endpoint chain removed',
    ids: ['K8N205'],
    apply: onChain(toEndpoint, (lines, chain) =>
      lines.filter((line) => !line.startsWith(`-A ${chain} `) && !line.startsWith(`:${chain} `)),
    ),
  },
  {
    name: 'endpoint chain flushed',
    ids: ['K8N205'],
    apply: onChain(toEndpoint, (lines, chain) => lines.filter((line) => !line.startsWith(`-A ${chain} `))),
  },
  {
    name: 'service chain flushed',
    ids: ['K8N205'],
    apply: onChain(clusterVip, (lines, chain) => lines.filter((line) => !line.startsWith(`-A ${chain} `))),
  },
  {
    name: 'service chain under another name',
    ids: ['K8N205'],
    apply: onChain(clusterVip, (lines, chain) =>
      lines.map((line) =>
        line.startsWith(`-A ${chain} `) || line.startsWith(`:${chain} `)
          ? line.replace(chain, 'KUBE-SVC-AAAAAAAAAAAAAAAA')
          : line,
      ),
    ),
  },
  {
    name: 'service chain and what leads to it under another name',
    ids: [],
    apply: onChain(clusterVip, (lines, chain) =>
      lines.map((line) => line.replaceAll(chain, 'KUBE-SVC-AAAAAAAAAAAAAAAA')),
    ),
  },
  {
    name: 'chain that nothing leads to',
    ids: ['K8N206'],
    isRemark: true,
    apply: insertBefore(/^:KUBE-SERVICES /, () => ':KUBE-SVC-BBBBBBBBBBBBBBBB - [0:0]', '*nat'),
  },
  {
    name: 'no masquerading in a service chain',
    ids: ['K8N401'],
    apply: without(/^-A KUBE-(?:SVC|SVL)-.*-j KUBE-MARK-MASQ/),
  },
  {
    name: 'another CIDR in a service chain',
    ids: ['K8N401'],
    apply: edit(/^-A KUBE-SVC-.*! -s .*-j KUBE-MARK-MASQ/, (line) =>
      line.replace(/! -s \S+/, line.includes('::') ? '! -s fd99::/16' : '! -s 10.99.0.0/16'),
    ),
  },
  {
    name: 'everything masqueraded',
    ids: ['K8N408', 'K8N401'],
    apply: insertBefore(toEndpoint, (line) => `-A ${chainOf(line)} -j KUBE-MARK-MASQ`),
  },
  { name: 'no hairpin mark', ids: ['K8N403'], apply: without(/^-A KUBE-SEP-.*-j KUBE-MARK-MASQ/) },
  {
    name: 'hairpin mark of another address',
    ids: ['K8N403'],
    apply: edit(/^-A KUBE-SEP-.*-j KUBE-MARK-MASQ/, (line) =>
      line.replace(/-s \S+/, / -s \S*:/.test(line) ? '-s fd00:dead::1/128' : '-s 10.244.99.99/32'),
    ),
  },
  { name: 'DNAT before the hairpin mark', ids: ['K8N403'], apply: swapWithNext(/^-A KUBE-SEP-.*-j KUBE-MARK-MASQ/) },
  { name: 'affinity rule lost', ids: ['K8N304'], apply: without(/^-A KUBE-(?:SVC|SVL|XLB)-.*--rcheck/) },
  {
    name: 'affinity for other seconds',
    ids: ['K8N304'],
    apply: edit(/^-A KUBE-.*--rcheck --seconds/, (line) => line.replace(/--seconds \d+/, '--seconds 77')),
  },
  {
    name: 'clients are not remembered',
    ids: ['K8N304'],
    apply: edit(/^-A KUBE-SEP-.*-m recent --set/, (line) =>
      line.replace(/ -m recent --set --name \S+ --mask \S+ --rsource/, ''),
    ),
  },
  {
    name: 'affinity that is not asked for',
    ids: ['K8N304'],
    apply: edit(/^-A KUBE-SEP-(?!.*recent).*-j DNAT/, (line) =>
      line.replace(/ -j DNAT/, ` -m recent --set --name ${chainOf(line)} --mask 255.255.255.255 --rsource -j DNAT`),
    ),
  },
  { name: 'KUBE-POSTROUTING without RETURN', ids: ['K8N410'], apply: without(/^-A KUBE-POSTROUTING .*-j RETURN/) },
  {
    name: 'KUBE-POSTROUTING without MASQUERADE',
    ids: ['K8N410'],
    apply: without(/^-A KUBE-POSTROUTING .*-j MASQUERADE/),
  },
  { name: 'KUBE-POSTROUTING keeps the mark', ids: ['K8N404'], apply: without(/^-A KUBE-POSTROUTING .*-j MARK/) },
  {
    name: 'KUBE-POSTROUTING masquerades first',
    ids: ['K8N410'],
    apply: (lines) => {
      const at = matching(lines, /^-A KUBE-POSTROUTING .*-j MASQUERADE/)[0];
      const first = matching(lines, /^-A KUBE-POSTROUTING .*-j RETURN/)[0];
      if (at === undefined || first === undefined) return undefined;
      const copy = [...lines];
      const [one] = copy.splice(at, 1);
      copy.splice(first, 0, one as string);
      return copy;
    },
  },
  {
    name: 'KUBE-POSTROUTING without --random-fully',
    ids: ['K8N407'],
    isRemark: true,
    apply: edit(/^-A KUBE-POSTROUTING .*--random-fully/, (line) => line.replace(' --random-fully', '')),
  },
  {
    name: 'old rule behind the new ones in KUBE-POSTROUTING',
    ids: ['K8N210'],
    apply: insertAfter(
      /^-A KUBE-POSTROUTING .*-j MASQUERADE --random-fully/,
      () =>
        '-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -m mark --mark 0x4000/0x4000 -j MASQUERADE',
    ),
  },
  {
    name: 'another mark is set',
    ids: ['K8N409'],
    apply: edit(/^-A KUBE-MARK-MASQ .*--set-xmark/, (line) => line.replace(/0x[0-9a-f]+\/0x[0-9a-f]+/, '0x800/0x800')),
  },
  {
    name: 'another mark is accepted',
    ids: ['K8N409'],
    apply: edit(/^-A KUBE-FORWARD .*--mark/, (line) => line.replace(/0x[0-9a-f]+\/0x[0-9a-f]+/, '0x800/0x800')),
  },
  { name: 'marked packets are not accepted', ids: ['K8N504'], apply: without(/^-A KUBE-FORWARD .*--mark/) },
  { name: 'answers are not accepted', ids: ['K8N504'], apply: without(/^-A KUBE-FORWARD .*RELATED,ESTABLISHED/) },
  { name: 'INVALID packets pass', ids: ['K8N505'], apply: without(/^-A KUBE-FORWARD .*INVALID/) },
  {
    name: 'neither RETURN nor a second mark before masquerading',
    ids: ['K8N404', 'K8N410'],
    isEach: true,
    apply: (lines) =>
      lines.some((line) => /^-A KUBE-POSTROUTING -m mark ! --mark/.test(line))
        ? withoutAll(/^-A KUBE-POSTROUTING (?:-m mark ! --mark|-j MARK)/)(lines)
        : undefined,
  },
  { name: 'PREROUTING does not jump', ids: ['K8N207'], apply: without(/^-A PREROUTING .*-j KUBE-SERVICES/) },
  { name: 'POSTROUTING does not jump', ids: ['K8N207'], apply: without(/^-A POSTROUTING .*-j KUBE-POSTROUTING/) },
  { name: 'FORWARD does not jump', ids: ['K8N207'], apply: without(/^-A FORWARD .*-j KUBE-FORWARD/) },
  {
    name: 'no jump to KUBE-NODEPORTS',
    ids: ['K8N201', 'K8N207'],
    apply: without(/^-A KUBE-SERVICES .*-j KUBE-NODEPORTS/),
  },
  {
    name: 'policy DROP of FORWARD',
    ids: ['K8N504'],
    apply: edit(/^:FORWARD ACCEPT/, (line) => line.replace('ACCEPT', 'DROP')),
  },
  {
    name: 'policy DROP of FORWARD in filter',
    ids: ['K8N504'],
    apply: (lines) => {
      const at = matching(lines, /^:FORWARD ACCEPT/).find((one) => tableAt(lines, one) === '*filter');
      return at === undefined
        ? undefined
        : lines.map((line, other) => (other === at ? line.replace('ACCEPT', 'DROP') : line));
    },
  },
  {
    name: 'REJECT before KUBE-FORWARD',
    ids: ['K8N504'],
    apply: insertBefore(/^-A FORWARD /, () => '-A FORWARD -j REJECT --reject-with icmp-port-unreachable'),
  },
  {
    name: 'DNAT before KUBE-SERVICES',
    ids: ['K8N606'],
    apply: insertBefore(
      /^-A PREROUTING .*-j KUBE-SERVICES/,
      () => '-A PREROUTING -p tcp -m tcp --dport 80 -j DNAT --to-destination 192.0.2.1:80',
    ),
  },
  {
    name: 'RETURN before KUBE-SERVICES',
    ids: ['K8N606'],
    apply: insertBefore(/^-A OUTPUT .*-j KUBE-SERVICES/, () => '-A OUTPUT -p tcp -j RETURN', '*nat'),
  },
  {
    name: 'another MASQUERADE first',
    ids: ['K8N405'],
    apply: insertBefore(/^-A POSTROUTING .*-j KUBE-POSTROUTING/, () => '-A POSTROUTING -s 10.244.0.0/16 -j MASQUERADE'),
  },
  {
    name: 'another program writes the mark',
    ids: ['K8N406'],
    apply: insertBefore(
      /^-A PREROUTING .*-j KUBE-SERVICES/,
      () => '-A PREROUTING -i eth9 -j MARK --set-xmark 0x4000/0x4000',
    ),
  },
  { name: 'rule of a Service twice', ids: ['K8N105'], apply: insertBefore(vip, (line) => line) },
  {
    name: 'rule behind the last one',
    ids: ['K8N213'],
    apply: (lines) => {
      const one = matching(lines, vip)[0];
      const last = matching(lines, /^-A KUBE-SERVICES .*-j KUBE-NODEPORTS/).at(-1);
      if (one === undefined || last === undefined) return undefined;
      const copy = [...lines];
      copy.splice(last + 1, 0, lines[one] as string);
      copy.splice(one, 1);
      return copy;
    },
  },
  {
    name: 'refusal lost',
    ids: ['K8N209'],
    apply: without(/^-A KUBE-(?:SERVICES|EXTERNAL-SERVICES) .*-j (?:REJECT|DROP)/),
  },
  {
    name: 'refusal of what has endpoints',
    ids: ['K8N209'],
    apply: (lines) => {
      const one = matching(lines, clusterVip)[0];
      const end = matching(lines, /^COMMIT/).find((at) => tableAt(lines, at) === '*filter');
      if (one === undefined || end === undefined) return undefined;
      const text = (lines[one] as string)
        .replace(/"([^" ]+) cluster IP"/, '"$1 has no endpoints"')
        .replace(/-j \S+$/, '-j REJECT --reject-with icmp-port-unreachable');
      return [...lines.slice(0, end), text, ...lines.slice(end)];
    },
  },
  {
    name: 'another source range',
    ids: ['K8N512'],
    apply: edit(/^-A KUBE-FW-.* -s /, (line) =>
      line.replace(/-s \S+/, / -s \S*:/.test(line) ? '-s fd77::/16' : '-s 192.0.2.0/24'),
    ),
  },
  { name: 'source range lost', ids: ['K8N512'], apply: without(/^-A KUBE-FW-.* -s /) },
  { name: 'strangers are let in', ids: ['K8N512'], apply: without(/^-A KUBE-PROXY-FIREWALL .*-j DROP/) },
  { name: 'external traffic is not masqueraded', ids: ['K8N401'], apply: without(/^-A KUBE-EXT-.*-j KUBE-MARK-MASQ/) },
  { name: 'external traffic leads nowhere', ids: ['K8N201'], apply: without(/^-A KUBE-EXT-\S+ -j KUBE-(?:SVC|SVL)-/) },
  { name: 'health check is not accepted', ids: ['K8N508'], apply: without(/^-A KUBE-NODEPORTS .*-j ACCEPT/) },
  { name: 'no guard of loopback', ids: ['K8N510'], apply: without(/^-A KUBE-FIREWALL .*127\.0\.0\.0/) },
  {
    name: 'canary lost',
    ids: ['K8N208'],
    apply: (lines) => {
      const at = matching(lines, /^:KUBE-PROXY-CANARY/).find((one) => tableAt(lines, one) === '*mangle');
      return at === undefined ? undefined : lines.filter((_, other) => other !== at);
    },
  },
  {
    name: 'ports lost by an older program',
    ids: ['K8N102'],
    apply: edit(vip, (line) => line.replace(/ --dport \d+/, '')),
  },
  {
    name: 'all chains empty',
    ids: ['K8N212'],
    apply: (lines) =>
      lines.some((line) => line.startsWith('-A KUBE-'))
        ? lines.filter((line) => !line.startsWith('-A KUBE-'))
        : undefined,
  },
  {
    name: 'table filter not dumped',
    ids: ['K8N107'],
    isRemark: true,
    apply: (lines) => {
      const from = lines.indexOf('*filter');
      const to = lines.indexOf('COMMIT', from);
      return from === -1 ? undefined : [...lines.slice(0, from), ...lines.slice(to + 1)];
    },
  },
  {
    name: 'table nat hidden',
    ids: ['K8N103'],
    apply: (lines) => {
      const from = lines.indexOf('*nat');
      const to = lines.indexOf('COMMIT', from);
      return from === -1
        ? undefined
        : [...lines.slice(0, from), "# Table `nat' is incompatible, use 'nft' tool.", ...lines.slice(to + 1)];
    },
  },
  {
    name: 'chains of Cilium',
    ids: ['K8N605'],
    isRemark: true,
    apply: (lines) =>
      lines.some((line) => line.startsWith('-A KUBE-SVC-'))
        ? insertBefore(/^:KUBE-SERVICES /, () => ':CILIUM_PRE_nat - [0:0]', '*nat')(lines)
        : undefined,
  },
  {
    name: 'chains of IPVS mode',
    ids: ['K8N211'],
    apply: (lines) =>
      lines.some((line) => line.startsWith('-A KUBE-SVC-'))
        ? insertBefore(/^:KUBE-SERVICES /, () => ':KUBE-LOAD-BALANCER - [0:0]', '*nat')(lines)
        : undefined,
  },
  {
    name: 'all service rules of one chain flushed',
    ids: ['K8N201'],
    apply: withoutAll(/^-A KUBE-SERVICES .*--dport \d+ -j KUBE-(?:SVC|EXT|FW|XLB)-/),
  },
];
