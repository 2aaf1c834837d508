/**
 * Blocks of two transactions that differ: what stands about no Service, in its order; and for each chain, set or map of a
 * Service all lines about it, in theirs. kube-proxy goes through its Services in no order, so elements of a map, and rules
 * of Services in one chain, stand in none. For `iptables-restore` and `nft -f`.
 */
export function differentBlocks(ours: string, theirs: string): readonly string[] {
  const [own, real] = [blocksOf(ours), blocksOf(theirs)];
  return [...new Set([...own.keys(), ...real.keys()])].flatMap((key) => {
    const [mine, other] = [own.get(key) ?? '', real.get(key) ?? ''];
    return mine === other ? [] : [`${key}\nours:\n${mine}\nreal:\n${other}`];
  });
}

interface Block {
  readonly key: string;
  readonly isUnordered?: boolean;
}

function blocksOf(text: string): ReadonlyMap<string, string> {
  const blocks = new Map<string, string[]>();
  const unordered = new Set<string>();
  let table = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) table = line;
    const { key, isUnordered } = /^(?:add|flush|delete|destroy) /.test(line) ? nftBlock(line) : iptablesBlock(line);
    const name = `${table} ${key}`;
    if (isUnordered) unordered.add(name);
    const lines = blocks.get(name) ?? [];
    lines.push(line);
    blocks.set(name, lines);
  }
  return new Map([...blocks].map(([key, lines]) => [key, (unordered.has(key) ? lines.sort() : lines).join('\n')]));
}

const skeleton: Block = { key: 'skeleton' };

/** `add rule ip kube-proxy CHAIN …`; what belongs to a Service has its name, with a slash. */
function nftBlock(line: string): Block {
  const [, object, name = ''] = /^\w+ (\w+) ip6? \S+ ?(\S*)/.exec(line) ?? [];
  if (object === 'element') return { key: `elements of ${name}`, isUnordered: true };
  return name.includes('/') ? { key: name } : skeleton;
}

/** `:CHAIN …`, `-A CHAIN …`, `-X CHAIN`. Rules of Services in chains that they share have a comment of theirs. */
function iptablesBlock(line: string): Block {
  const [, chain] = /^(?:-[AX] |:)(\S+)/.exec(line) ?? [];
  if (chain === undefined) return skeleton;
  // One an address, as the interfaces list them.
  if (line.endsWith('-j KUBE-NODEPORTS')) return { key: 'jumps to KUBE-NODEPORTS', isUnordered: true };
  if (/^KUBE-(?:SVC|SVL|SEP|EXT|FW|XLB)-/.test(chain)) return { key: chain };
  const isOfService = line.startsWith('-A') && /--comment "?[^" ]+\//.test(line);
  return isOfService ? { key: `rules of Services in ${chain}`, isUnordered: true } : skeleton;
}
