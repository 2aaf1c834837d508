import { Command, Option } from 'commander';
import {
  addEmptyOption,
  addInputOptions,
  addTalkOptions,
  type EmptyFlags,
  type InputOptions,
  type TalkOptions,
} from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import { readInput } from '../readInput.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { talk } from '../talk.ts';
import { addTargetOptions, type TargetFlags } from '../targetOptions.ts';
import { writeOut } from '../writeOut.ts';

type LintOptions = InputOptions &
  TargetFlags &
  EmptyFlags &
  TalkOptions & { readonly output: 'text' | 'json'; readonly cni?: string };

/** `k8snet lint`: the diagnostics of a compile run, and what goes wrong although the API server takes it. */
export function lintCommand(setExitCode: SetExitCode): Command {
  const command = new Command('lint')
    .summary('check manifests')
    .description(
      'Checks manifests as the API server and kube-proxy would, across objects too, and prints what is wrong: what is refused, and what is taken and does not work or means something else than it looks like.',
    );
  addInputOptions(command);
  addTargetOptions(command);
  command.option('--cni <name>', 'network plugin of the cluster, such as flannel or calico', (text: string) =>
    text.toLowerCase(),
  );
  command.addOption(
    new Option('-o, --output <form>', 'text on standard error, or json on standard output')
      .choices(['text', 'json'])
      .default('text'),
  );
  addEmptyOption(command, 'nothing to check is no error');
  addTalkOptions(command);
  return command.addHelpText('after', examples).action(async (options: LintOptions) => {
    setExitCode(await lintAction(options));
  });
}

async function lintAction(options: LintOptions): Promise<number> {
  const said = talk(options);
  const { input, sources } = await readInput(options, said);
  const { lint } = await import('../../pipeline/lint.ts');
  const compiled = lint(input, options.cni, said.report);
  const hasConfig = [...input.objects, ...input.configObjects].some(({ kind }) => kind === 'KubeProxyConfiguration');
  if (compiled?.given.objects === 0 && !hasConfig && !options.allowEmpty) {
    said.report({
      code: 'no-objects',
      severity: 'error',
      message: 'nothing to check: no object of a kind that k8snet reads',
      at: [],
      hint: 'check the paths, or the command that writes the input; --allow-empty if it is meant',
    });
  }
  if (options.output === 'json') {
    const [{ renderJson }, { createLocator }] = await Promise.all([
      import('../../diagnostics/renderJson.ts'),
      import('../../load/locate.ts'),
    ]);
    writeOut([
      renderJson(
        said.diagnostics(),
        await createLocator(
          sources,
          said.diagnostics().flatMap(({ at }) => at),
        ),
      ),
    ]);
  } else {
    await said.flush(sources);
  }
  return said.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

const examples = `
Examples:
  k8snet lint -f service.yaml
  k8snet lint -f manifests/ -R -o json
  k8snet lint -f manifests/ -R --service-cidr 10.96.0.0/12 --cluster-cidr 10.244.0.0/16 --cni flannel
  helm template chart/ | k8snet lint -f -

Exit status: 0 no errors (warnings do not count), 2 errors or nothing to check, 70 a bug of k8snet.
`;
