import { type Lab, machine } from '../../src/lab/openLab.ts';
import { runIn } from '../../src/lab/runIn.ts';
import type { PolicyModel } from '../../src/model/policyModel.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';

/** Loads the rules of all nodes. */
export type Load = (lab: Lab, model: PolicyModel) => Promise<void>;

export const backends: Readonly<Record<string, Load>> = {
  'nftables, forward hook': loadNftables('forward'),
  'nftables, postrouting hook': loadNftables('postrouting'),
  'iptables and ipset, strict': loadIptables,
};

export function loadNftables(hook: 'forward' | 'postrouting', change = (text: string) => text): Load {
  return (lab, model) =>
    onEveryNode(model, async (node) => {
      const { nftables } = compilePolicies(model, { backends: ['nftables'], node, hook }, unreported);
      const texts = [nftables?.v4 ?? '', nftables?.v6 ?? ''].map(change);
      for (const text of texts) await runIn(machine(lab, node), ['nft', '-f', '-'], text);
    });
}

/** By the script that users get. */
export async function loadIptables(lab: Lab, model: PolicyModel, path = ''): Promise<void> {
  await onEveryNode(model, async (node) => {
    const { iptablesScript } = compilePolicies(model, { backends: ['iptables'], node }, unreported);
    await runIn(machine(lab, node), ['env', `PATH=${path}${process.env.PATH}`, 'sh'], iptablesScript ?? '');
  });
}

export async function withoutRules(lab: Lab, model: PolicyModel): Promise<void> {
  await onEveryNode(model, async (node) => void (await runIn(machine(lab, node), ['nft', 'flush', 'ruleset'])));
}

async function onEveryNode({ nodes }: PolicyModel, run: (node: string) => Promise<void>): Promise<void> {
  await Promise.all(nodes.map(({ name }) => run(name)));
}

const unreported = (): void => undefined;
