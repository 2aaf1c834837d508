/**
 * Whether an unreadable line is text between rules: a sentence, a prompt, a table of another program. A line that
 * begins like a rule, or is a single word, may be a damaged rule.
 */
export function isProse(line: string): boolean {
  const text = line.replace(/^[\s>|+]+/, '').trim();
  if (placeOfDiff.test(text) || /^\d+$/.test(text)) return true;
  if (!/\S\s+\S/.test(text) || ruleStart.test(text) || row.test(text)) return false;
  return !/[^\P{Cc}\t]/u.test(text);
}

/** `12,13c12`, as diff prints it. */
const placeOfDiff = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/;
/** Words that lines of iptables, nft, ipset, ipvsadm, conntrack and ip begin with. */
const ruleStart =
  /^(?:-|[:*#{}[]|\d|(?:add|create|delete|insert|replace|flush|table|chain|set|map|type|elements?|jump|goto|counter|limit|meta|ct|ip6?|tcp|udp|sctp|icmp(?:v6)?|th|[io]if(?:name)?|fib|numgen|update|dnat|snat|masquerade|accept|drop|reject|return|local|default|blackhole|unicast|inet6?|link)\s|(?:TCP|UDP|SCTP|FWM)\s|Chain\s|Name:|COMMIT\b)/;
/** `ACCEPT  all  --  anywhere …` from iptables -L, `10.0.0.1:80  Masq  1 …` from ipvsadm. */
const row = /^\S+\s+\S+\s+(?:--|-f|!f)\s|\s(?:Masq|Route|Tunnel)\s/;
