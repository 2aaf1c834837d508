import { escapeText } from '../../common/escapeText.ts';
import { type DumpPlace, linesOf, placeOf } from '../../node/chainLines.ts';
import type { RuleChain, ToolRules } from '../../node/nodeRules.ts';
import { targetName } from '../../node/rulesOf.ts';
import { servicePortInLine } from '../../node/servicePortInLine.ts';
import type { Finding } from '../finding.ts';
import { makeFinding } from '../makeFinding.ts';

/**
 * What a dump shows that is meant and still surprises: K8N408, masqueradeAll; K8N506, ranges that a load balancer is open
 * to; K8N505, packets that were dropped as INVALID. Beside manifests the manifests say it.
 */
export function* settingChecks(set: ToolRules): Iterable<Finding> {
  yield* masqueradeAll(set);
  yield* sourceRanges(set);
  yield* invalidDropped(set);
}

function* masqueradeAll(set: ToolRules): Iterable<Finding> {
  // A bridge that Pods are known by is an interface.
  if (set.hidesInterfaces) return;
  const names = new Set<string>();
  const found: DumpPlace[] = [];
  for (const chain of set.tables.get('nat')?.chains.values() ?? []) {
    if (!/^KUBE-(?:SERVICES$|SVC-)/.test(chain.name)) continue;
    for (const [at, line] of linesOf(chain).entries()) {
      if (!line.endsWith(' -j KUBE-MARK-MASQ') || !line.includes(' cluster IP"') || limits.test(line)) continue;
      const service = servicePortInLine(line);
      if (service === '' || names.has(service)) continue;
      names.add(service);
      if (found.length < mostShown) found.push(placeOf(chain, at));
    }
  }
  if (names.size === 0) return;
  const seen = `masqueradeAll is set: every packet for the cluster IP of ${listed([...names])} is marked`;
  yield makeFinding('K8N408', { seen, found });
}

const limits = / (?:! )?(?:-[si]|--src|--match-set|--physdev-\S+) /;
const mostShown = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostShown).map((name) => escapeText(name));
  return names.length > mostShown ? `${shown.join(', ')} and ${names.length - mostShown} more` : shown.join(', ');
}

function* sourceRanges(set: ToolRules): Iterable<Finding> {
  const open: string[] = [];
  const found: DumpPlace[] = [];
  for (const chain of set.tables.get('nat')?.chains.values() ?? []) {
    const guarded = guardedBy(chain, set);
    if (guarded === undefined) continue;
    open.push(guarded.text);
    if (found.length < mostShown) found.push(placeOf(chain, guarded.at));
  }
  if (open.length > 0) yield makeFinding('K8N506', { ...meant, seen: listed(open), found });
}

const meant = {
  severity: 'info',
  why: 'loadBalancerSourceRanges: what comes to the load balancer’s addresses from elsewhere is dropped.',
  fix: 'Nothing to do if that is meant; else add the clients’ ranges to `spec.loadBalancerSourceRanges`.',
} as const;

/** A load balancer’s chain that lets some ranges in and has the rest dropped. */
function guardedBy(chain: RuleChain, set: ToolRules): { readonly text: string; readonly at: number } | undefined {
  if (!chain.name.startsWith('KUBE-FW-')) return undefined;
  const lines = linesOf(chain);
  const at = lines.findIndex((line) => / -s \S+ /.test(line));
  const service = servicePortInLine(lines[at] ?? '');
  if (at === -1 || service === '') return undefined;
  const last = lines.findIndex((line) => targetName(line) === 'KUBE-MARK-DROP');
  const dropped = last === -1 ? droppedInFilter(chain.name, set) : (chain.packets?.[last] ?? 0);
  if (dropped === undefined) return undefined;
  const ranges = [...new Set(lines.flatMap((line) => / -s (\S+) /.exec(line)?.[1] ?? []))];
  const loss = dropped === 0 ? '' : ` and has dropped ${dropped.toLocaleString('en-US')} from elsewhere`;
  return { text: `${service} is open to ${listed(ranges)} only${loss}`, at };
}

/** Since 1.25 the rest is dropped in filter; undefined: the dump does not show it. */
function droppedInFilter(name: string, { tables }: ToolRules): number | undefined {
  const firewall = tables.get('filter')?.chains.get('KUBE-PROXY-FIREWALL');
  const at = linesOf(firewall).findIndex((line) => line.includes(` ${name}"`));
  return at === -1 ? undefined : (firewall?.packets?.[at] ?? 0);
}

function* invalidDropped(set: ToolRules): Iterable<Finding> {
  const forward = set.tables.get('filter')?.chains.get('KUBE-FORWARD');
  const at = linesOf(forward).findIndex((line) => line.endsWith(' --ctstate INVALID -j DROP'));
  const dropped = forward?.packets?.[at] ?? 0;
  if (forward === undefined || dropped === 0) return;
  const packets = `${dropped.toLocaleString('en-US')} ${dropped === 1 ? 'packet' : 'packets'}`;
  const seen = `KUBE-FORWARD has dropped ${packets} that conntrack calls INVALID`;
  yield makeFinding('K8N505', { ...usual, seen, found: [placeOf(forward, at)] });
}

const usual = {
  why: 'They belong to no connection that conntrack knows: they came late, or this node sees one direction only. Without the DROP they would reach a Pod with the wrong address, and the connection would be reset.',
  fix: 'A few are normal. If connections hang on asymmetric routes, set `conntrack.tcpBeLiberal: true` (--conntrack-tcp-be-liberal).',
} as const;
