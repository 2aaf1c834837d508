import { Command, Option } from 'commander';
import type { MatrixForm } from '../../policy/matrixText.ts';
import type { PortSpec } from '../../policy/portSpec.ts';
import {
  addInputOptions,
  addTalkOptions,
  collect,
  type InputOptions,
  type TalkOptions,
  type ValidateFlags,
  validateOption,
} from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import { readPolicyInput } from '../policyInput.ts';
import { addVerdictOptions, portOption, type VerdictFlags } from '../policyOptions.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { talk } from '../talk.ts';
import { writeOut } from '../writeOut.ts';

type MatrixOptions = InputOptions &
  TalkOptions &
  ValidateFlags &
  VerdictFlags & {
    readonly pods: boolean;
    readonly namespace?: readonly string[];
    readonly port?: PortSpec;
    readonly family: 'ipv4' | 'ipv6';
    readonly output: MatrixForm;
  };

/** `k8snet policy matrix`: who may connect to whom. */
export function policyMatrixCommand(setExitCode: SetExitCode): Command {
  const command = new Command('matrix')
    .summary('show who may connect to whom')
    .description(
      'A table of namespaces, or of Pods: senders down, receivers across, and the outside world as external, parted by what the ipBlocks of policies tell apart.',
    )
    .option('--pods', 'Pods instead of namespaces', false)
    .option('-n, --namespace <name>', 'only Pods of this namespace; implies --pods; can be repeated', collect)
    .addOption(portOption())
    .addOption(new Option('--family <family>', 'IP family').choices(['ipv4', 'ipv6']).default('ipv4'))
    .addOption(
      new Option('-o, --output <form>', 'how the table is written')
        .choices(['text', 'json', 'markdown', 'csv', 'html'])
        .default('text'),
    );
  addVerdictOptions(addInputOptions(command));
  addTalkOptions(command.addOption(validateOption()));
  return command.addHelpText('after', examples).action(async (options: MatrixOptions) => {
    setExitCode(await matrixAction(options));
  });
}

async function matrixAction(options: MatrixOptions): Promise<number> {
  const said = talk(options);
  const input = await readPolicyInput(options, said);
  if (input === undefined) return exitCodes.badInput;
  const [{ policyMatrix }, { matrixText }] = await Promise.all([
    import('../../policy/policyMatrix.ts'),
    import('../../policy/matrixText.ts'),
  ]);
  const { port, family, hairpin, icmp } = options;
  const namespaces = options.namespace ?? [];
  const zoom =
    options.pods || namespaces.length > 0 ? ({ kind: 'pods', namespaces } as const) : ({ kind: 'namespaces' } as const);
  const matrix = policyMatrix(input.model, { zoom, port, family }, { hairpin, icmp });
  writeOut([matrixText(matrix, options.output)]);
  await said.flush(input.sources);
  return exitCodes.ok;
}

const examples = `
Examples:
  k8snet policy matrix -f cluster.yaml
  k8snet policy matrix -f cluster.yaml -n shop --port 5432 -o markdown
  k8snet policy matrix -f cluster.yaml --pods -o html >matrix.html

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
