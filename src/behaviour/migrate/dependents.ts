import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { Target } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { isIptablesModeChain, isNeighbourChain, isProxyChain, isProxyTable } from '../../netfilter/proxyChains.ts';
import { chainPlace, linesOf, placeOf } from '../../node/lines/chainLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { foreignOwner } from '../../node/programs/foreignPrograms.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { rulesOf } from '../../node/rulesOf.ts';

/** A rule or chain of another program that depends on kube-proxy's. */
export interface Dependent {
  readonly kind: 'jump' | 'notrack' | 'forward-drop';
  /** The program, if it is known. */
  readonly program?: string;
  readonly rule: string;
  readonly file?: string;
  readonly line?: number;
  readonly says: string;
}

/** What other programs on the node have that changes meaning if kube-proxy's chains disappear or work differently. */
export function dependents(dump: NodeRules, to: ProxyMode): readonly Dependent[] {
  const listed = dump.chainsListedByNft.filter(
    ({ name, policy }) => name === 'FORWARD' && policy?.toUpperCase() === 'DROP',
  );
  const all = [
    ...dump.iptables.flatMap(ofIptables),
    ...dump.nft.flatMap(ofNft),
    ...listed.map(
      (chain): Dependent => ({
        kind: 'forward-drop',
        rule: ':FORWARD DROP',
        ...placed(chain, undefined),
        says: forwardDrop,
      }),
    ),
  ];
  // The other modes accept what they translate.
  return modeFacts[to].acceptsForwarded ? all.filter(({ kind }) => kind !== 'forward-drop') : all;
}

function ofIptables(rules: ToolRules): readonly Dependent[] {
  return [...rules.tables.values()].flatMap((table) =>
    [...table.chains.values()].flatMap((chain): readonly Dependent[] => {
      // kube-proxy's own chains are many; the kubelet jumps to none of kube-proxy's.
      if (isProxyChain(chain.name) || isNeighbourChain(table.name, chain.name)) return [];
      const dropping: readonly Dependent[] =
        table.name === 'filter' && chain.name === 'FORWARD' && chain.policy === 'DROP'
          ? [{ kind: 'forward-drop', rule: ':FORWARD DROP', ...placed(chain, undefined), says: forwardDrop }]
          : [];
      return [...dropping, ...jumpsOf(table.name, chain, rules)];
    }),
  );
}

const forwardDrop =
  'forwarded packets are dropped unless a rule accepts them: KUBE-FORWARD does so for Services in iptables and IPVS mode; nftables mode accepts nothing, so allow it yourself before the switch';

function jumpsOf(table: string, chain: RuleChain, rules: ToolRules): readonly Dependent[] {
  // In a piece of a dump, nothing declares it.
  const isBuiltIn = builtinChains(table).some((name) => name === chain.name);
  const lines = linesOf(chain);
  return rulesOf(chain, rules.family).flatMap(({ target }, at): readonly Dependent[] => {
    const rule = lines[at] ?? '';
    const program = foreignOwner(chain.name);
    const common = { ...(program !== undefined && { program }), rule, ...placed(chain, at) };
    if (target?.kind === 'jump' && isProxyChain(target.chain)) {
      // kube-proxy's own jumps are in built-in chains; a mark there belongs to another program.
      if (isBuiltIn && target.chain !== 'KUBE-MARK-MASQ' && !isIptablesModeChain(target.chain)) return [];
      return [
        {
          kind: 'jump',
          ...common,
          says: `leads to ${target.chain}, which kube-proxy writes: without it the rule does nothing, or cannot be loaded`,
        },
      ];
    }
    if (target !== undefined && isNotrack(target)) {
      return [
        {
          kind: 'notrack',
          ...common,
          says: 'these packets are not tracked, so kube-proxy translates none of them; a DNS cache of the node listens there itself: check that it does so in the new mode too (in IPVS mode it cannot bind the cluster IP)',
        },
      ];
    }
    return [];
  });
}

function isNotrack(target: Target): boolean {
  if (target.kind !== 'other') return false;
  return target.name === 'NOTRACK' || (target.name === 'CT' && target.options.some(({ name }) => name === 'notrack'));
}

function ofNft({ tables }: ToolRules): readonly Dependent[] {
  return [...tables.values()].flatMap((table) => {
    if (isProxyTable(table.name)) return [];
    return [...table.chains.values()].flatMap((chain): readonly Dependent[] =>
      dropsForwarded(chain)
        ? [
            {
              kind: 'forward-drop',
              rule: `chain ${chain.name} of table ${table.name}`,
              ...placed(chain, undefined),
              says: forwardDrop,
            },
          ]
        : [],
    );
  });
}

function dropsForwarded({ content }: RuleChain): boolean {
  if (content?.kind !== 'nftChain') return false;
  const { base } = content.chain;
  return base?.hook === 'forward' && base.policy === 'drop';
}

function placed(chain: RuleChain, at: number | undefined): { readonly file?: string; readonly line?: number } {
  const place = at === undefined ? chainPlace(chain)[0] : placeOf(chain, at);
  return place === undefined || place.file === '' ? {} : { file: place.file, line: place.line };
}
