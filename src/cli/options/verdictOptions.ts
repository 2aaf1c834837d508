import { type Command, Option } from 'commander';

/** Users choose where implementations of NetworkPolicy differ. */
export interface VerdictFlags {
  readonly hairpin: 'allow' | 'policy';
  readonly icmp: 'policy' | 'allow';
}

export function addVerdictOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--hairpin <verdict>',
        'a Pod that reaches itself through a Service: always allow, or ask its policies',
      )
        .choices(['allow', 'policy'])
        .default('allow'),
    )
    .addOption(
      new Option('--icmp <verdict>', 'echo requests: ask policies (only rules without ports cover them), or allow')
        .choices(['policy', 'allow'])
        .default('policy'),
    );
}
