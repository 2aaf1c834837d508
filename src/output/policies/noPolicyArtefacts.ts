import type { Family } from '../../common/addresses/family.ts';
import { policyHooks } from '../../netfilter/policyParts.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { noTable } from '../../script/noTable.ts';
import { policyRemovalScript } from '../../script/policy/policyRemovalScript.ts';
import type { Artefact } from '../artefact.ts';
import { shortFamily } from '../shortFamily.ts';
import type { PolicyFiles } from './policyArtefacts.ts';
import { policyBackend } from './policyBackend.ts';
import type { PolicySettings } from './policySettings.ts';

/**
 * The files of input that concerns policies and has none: what removes those of earlier loads. `isWhole`: rules as well
 * as the script, for they are all that is asked for.
 */
export function noPolicyArtefacts(compiled: Compiled, settings: PolicySettings, isWhole: boolean): PolicyFiles {
  const backend = policyBackend(compiled, settings);
  const families = compiled.plans.map(({ family }) => family);
  const script = policyRemovalScript({ backend, families, removesKubeRouters: settings.layout === 'kube-router' });
  const rules = families.flatMap(backend === 'nftables' ? nftables : iptables);
  return {
    backend,
    families: [],
    policies: 0,
    size: { rules: 0, setElements: 0 },
    artefacts: [
      ...(isWhole ? rules : []),
      { name: 'policy.sh', family: undefined, form: 'script', text: () => [script] },
    ],
  };
}

function nftables(family: Family): readonly Artefact[] {
  return [{ name: `policy.${shortFamily(family)}.nft`, family, form: 'restore', text: () => [noTable(family)] }];
}

/** Chains of policies have many names, and iptables-restore removes none that it is not told: nothing leads to them. */
function iptables(family: Family): readonly Artefact[] {
  const name = `policy.${shortFamily(family)}`;
  const table =
    (...chains: readonly string[]) =>
    () => ['*filter\n', ...chains, 'COMMIT\n'];
  const builtin = Object.keys(policyHooks);
  const hooks = Object.values(policyHooks);
  return [
    { name: `${name}.save`, family, form: 'save', text: table(...builtin.map((chain) => `:${chain} ACCEPT [0:0]\n`)) },
    {
      name: `${name}.restore`,
      family,
      form: 'restore',
      text: table(...hooks.map((chain) => `:${chain} - [0:0]\n`)),
    },
  ];
}
