import { Command, Option } from 'commander';
import { type Family, familyNames } from '../../../common/addresses/family.ts';
import { didYouMean } from '../../../common/text/didYouMean.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import { addressOfFamily } from '../../../model/addressOfFamily.ts';
import type { PolicyModel } from '../../../model/policyModel.ts';
import { factsMissing } from '../../../policy/missing/factsMissing.ts';
import type { PortSpec } from '../../../policy/portSpec.ts';
import type { MatrixForm } from '../../../policy/text/matrixText.ts';
import { readPolicyInput } from '../../objects/policyInput.ts';
import { type AssumeFlags, addAssumeOptions, addEmptyLabelsOption } from '../../options/assumeOptions.ts';
import {
  addInputOptions,
  addMessageOptions,
  collect,
  type InputOptions,
  type MessageOptions,
  type ValidateFlags,
  validateOption,
} from '../../options/commonOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { addVerdictOptions, type VerdictFlags } from '../../options/verdictOptions.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

type MatrixOptions = InputOptions &
  MessageOptions &
  ValidateFlags &
  AssumeFlags &
  VerdictFlags & {
    readonly pods: boolean;
    readonly namespace?: readonly string[];
    readonly port?: PortSpec;
    readonly family: 'ipv4' | 'ipv6';
    readonly output: MatrixForm;
  };

/** `k8snet policy matrix`: which parties may connect to which others. */
export function policyMatrixCommand(setExitCode: SetExitCode): Command {
  const command = new Command('matrix')
    .summary('show who may connect to whom')
    .description(
      'A table of namespaces, or of Pods: senders down, receivers across, and the outside world as external, parted by what the ipBlocks of policies tell apart.',
    )
    .option('--pods', 'Pods instead of namespaces', false)
    .option('-n, --namespace <namespace>', 'only Pods of this namespace; implies --pods; can be repeated', collect)
    .addOption(new Option('--family <family>', 'IP family').choices(['ipv4', 'ipv6']).default('ipv4'))
    .addOption(
      new Option('-o, --output <form>', 'how the table is written')
        .choices(['text', 'json', 'markdown', 'csv', 'html'])
        .default('text'),
    );
  addPortOptions(
    command,
    'port and protocol: 80, 53/udp, http/tcp, icmp',
    'protocol, where the port has none (default: tcp)',
  );
  addEmptyLabelsOption(addAssumeOptions(addVerdictOptions(addInputOptions(command, false))));
  addMessageOptions(command.addOption(validateOption()));
  return command.addHelpText('after', examples).action(async (options: MatrixOptions) => {
    setExitCode(await matrixAction(options));
  });
}

async function matrixAction(options: MatrixOptions): Promise<number> {
  const messages = collectMessages(options);
  const input = await readPolicyInput(options, messages);
  if (input === undefined) return exitCodes.badInput;
  const [{ policyMatrix }, { matrixText }, { missingPolicyFacts }] = await Promise.all([
    import('../../../policy/policyMatrix.ts'),
    import('../../../policy/text/matrixText.ts'),
    import('../../../policy/missing/missingPolicyFacts.ts'),
  ]);
  const { port, family, hairpin, icmp } = options;
  const namespaces = options.namespace ?? [];
  const zoom =
    options.pods || namespaces.length > 0 ? ({ kind: 'pods', namespaces } as const) : ({ kind: 'namespaces' } as const);
  sayMissing(input.model, namespaces, family, messages.report);
  if (messages.hasErrors()) {
    await messages.flush(input.sources);
    return exitCodes.badInput;
  }
  const matrix = policyMatrix(input.model, { zoom, port, family }, { hairpin, icmp });
  const isUnknown = matrix.cells.some((row) => row.some(({ unknown }) => unknown > 0));
  const facts = missingPolicyFacts(input.model, undefined);
  if (isUnknown && facts.length > 0) messages.report(factsMissing(facts, 'warning'));
  writeOut(matrixText(matrix, options.output));
  await messages.flush(input.sources);
  return isUnknown ? exitCodes.undecided : exitCodes.ok;
}

/** An empty table answers nothing; Pods that cannot be in it are named. */
function sayMissing(model: PolicyModel, namespaces: readonly string[], family: Family, report: Report): void {
  const refuse = (message: string, hint?: string) =>
    report({ code: 'policy-test-unanswerable', severity: 'error', message, at: [], ...(hint && { hint }) });
  const { pods, workloads } = model;
  const known = model.namespaces.map(({ name }) => name);
  for (const name of namespaces.filter((one) => !known.includes(one))) {
    const meant = didYouMean(name, known);
    refuse(`namespace ${escapeText(name)} not found in the input`, meant && `did you mean ${meant}?`);
    return;
  }
  const wanted = pods.filter(({ namespace }) => namespaces.length === 0 || namespaces.includes(namespace));
  const where = namespaces.length === 0 ? '' : ` of namespace ${namespaces.map((name) => escapeText(name)).join(', ')}`;
  const hint =
    workloads.length > 0
      ? '--assume-pods makes up the Pods of workloads'
      : 'add the Pods: `kubectl get pods -A -o yaml`';
  if (wanted.length === 0) {
    refuse(`the input has no Pods${where}: the table would be empty`, hint);
    return;
  }
  const silent = wanted.filter(({ ips, isHostNetwork }) => ips.length === 0 && !isHostNetwork);
  const names = silent.map(({ id }) => id);
  const who = `${silent.length === 1 ? 'Pod' : 'Pods'} ${firstFew(names, mostNamed)}`;
  const lack = `${who} ${silent.length === 1 ? 'has' : 'have'} no podIP in the input`;
  const further =
    'give what `kubectl get pods -o yaml` prints; --assume-pods makes up addresses of Pods without any status';
  if (!wanted.some((pod) => addressOfFamily(pod, family) !== undefined)) {
    if (silent.length > 0) refuse(`${lack}: the table would be empty`, further);
    else
      refuse(
        `no Pod${where} has an ${familyNames[family]} address`,
        `try --family ${family === 'ipv4' ? 'ipv6' : 'ipv4'}`,
      );
  } else if (silent.length > 0) {
    report({
      code: 'pods-without-address',
      severity: 'warning',
      message: `${lack}, and ${silent.length === 1 ? 'is' : 'are'} left out`,
      at: [],
      hint: further,
    });
  }
}

const mostNamed = 5;

const examples = `
Examples:
  k8snet policy matrix -f cluster.yaml
  k8snet policy matrix -f cluster.yaml -n shop --port 5432 -o markdown
  k8snet policy matrix -f cluster.yaml --pods -o html >matrix.html
  k8snet policy matrix -f app/ -R --assume-pods

Exit status: 0 done, 2 bad usage or input, 3 some of it is unknown (marked with ?), 70 a bug of k8snet.
`;
