import { Command } from 'commander';
import { addTargetOptions, type TargetFlags } from '../../src/cli/options/targetOptions.ts';

/** Target options as a shell would split them, read as the command line reads them. */
export function targetFlags(args: readonly string[]): TargetFlags {
  return addTargetOptions(new Command())
    .exitOverride()
    .parse([...args], { from: 'user' })
    .opts<TargetFlags>();
}
