import { Command } from 'commander';
import { didYouMean } from '../../../common/text/didYouMean.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { othersText } from '../../../model/othersText.ts';
import { readPolicyInput } from '../../objects/policyInput.ts';
import { type AssumeFlags, addAssumeOptions, addEmptyLabelsOption } from '../../options/assumeOptions.ts';
import {
  addInputOptions,
  addMessageOptions,
  formOption,
  type InputOptions,
  type MessageOptions,
  type ValidateFlags,
  validateOption,
} from '../../options/commonOptions.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

type ExplainOptions = InputOptions &
  MessageOptions &
  ValidateFlags &
  AssumeFlags & { readonly output: 'text' | 'json' };

/** `k8snet policy explain`: what a policy really does, in words. */
export function policyExplainCommand(setExitCode: SetExitCode): Command {
  const command = new Command('explain')
    .summary('say in words what policies do')
    .description(
      'Says what each policy isolates and allows, or decides for the whole cluster, and what readers tend to get wrong about it.',
    )
    .argument('[policy]', 'policy: NAME or NAMESPACE/NAME (default: all)')
    .addOption(formOption('text', 'json'));
  addEmptyLabelsOption(addAssumeOptions(addInputOptions(command)));
  addMessageOptions(command.addOption(validateOption()));
  return command.addHelpText('after', examples).action(async (name: string | undefined, options: ExplainOptions) => {
    setExitCode(await explainAction(name, options));
  });
}

async function explainAction(name: string | undefined, options: ExplainOptions): Promise<number> {
  const messages = collectMessages(options);
  const input = await readPolicyInput(options, messages);
  if (input === undefined) return exitCodes.badInput;
  const [{ explainPolicy, explanationText }, { explainClusterPolicy }] = await Promise.all([
    import('../../../policy/text/explainPolicy.ts'),
    import('../../../policy/cluster/explainClusterPolicy.ts'),
  ]);
  const { policies, clusterPolicies } = input.model;
  const isWanted = (policy: { readonly id: string; readonly name: string }) =>
    name === undefined || policy.id === name || policy.name === name;
  const own = policies.filter(isWanted);
  const wide = clusterPolicies.filter(isWanted);
  const wanted = [...own, ...wide];
  if (name !== undefined && wanted.length === 0) {
    const meant = didYouMean(
      name,
      [...policies, ...clusterPolicies].flatMap((policy) => [policy.id, policy.name]),
    );
    messages.report({
      code: 'policy-test-unanswerable',
      severity: 'error',
      message: `policy ${JSON.stringify(name)} not found in the manifests`,
      at: [],
      ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
    });
  }
  if (name === undefined && wanted.length === 0) {
    messages.report({
      code: 'policy-test-unanswerable',
      severity: 'error',
      message:
        othersText(input.model.otherPolicies)?.replace('unknown: ', 'there is nothing to explain: ') ??
        'the input has no policies: there is nothing to explain',
      at: [],
    });
  }
  const explained = [
    ...own.map((policy) => explainPolicy(input.model, policy)),
    ...wide.map((policy) => explainClusterPolicy(input.model, policy)),
  ];
  writeOut(
    options.output === 'json'
      ? jsonText({ schema: 'k8snet.policy-explain/v1', policies: explained })
      : explained.map(explanationText),
  );
  await messages.flush(input.sources);
  return messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

const examples = `
Examples:
  k8snet policy explain -f policies/
  k8snet policy explain shop/default-deny -f cluster.yaml
  k8snet policy explain -f app/ -R --assume-pods

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
