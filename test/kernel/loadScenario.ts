import type { Namespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import type { CompiledScenario } from './compiledScenario.ts';
import { type Backend, jumpSkeleton, loadNft, loadRestore, loadSysctls } from './loadRules.ts';

export type How =
  | { readonly mode: 'iptables'; readonly backend: Backend }
  /** Of this version of kube-proxy, else of 1.30. */
  | { readonly mode: 'nftables'; readonly kubeVersion?: string }
  | { readonly mode: 'ipvs'; readonly kubeVersion?: string };

/**
 * Brings a namespace to what a scenario compiles to. `edit` may spoil the rules before they are loaded: a test of the
 * test. IPVS is state of five tools, so the compiled script applies it; it needs a kernel that has it (uml.ts).
 */
export async function loadScenario(
  namespace: Namespace,
  { text }: Pick<CompiledScenario, 'text'>,
  how: How,
  edit: (rules: string) => string = (rules) => rules,
): Promise<void> {
  if (how.mode === 'ipvs') {
    await runIn(namespace, ['sh', '-s'], edit(text('apply.sh')));
    return;
  }
  for (const family of ['v4', 'v6'] as const) {
    const rules = text(how.mode === 'iptables' ? `iptables.${family}.restore` : `nft.${family}.restore`);
    if (rules === '') continue;
    if (how.mode === 'nftables') {
      await loadNft(namespace, edit(rules));
    } else {
      const skeleton = jumpSkeleton(text(`iptables.${family}.save`));
      await loadRestore(namespace, family, how.backend, edit(rules), skeleton);
    }
  }
  await loadSysctls(namespace, text('sysctl.conf'));
}
