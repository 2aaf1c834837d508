import { type Command, InvalidArgumentError, Option } from 'commander';
import { parsePortSpec } from '../../policy/portSpec.ts';

/** `--port`, and its protocol in every spelling; `settlePort` reads them together. */
export function addPortOptions(command: Command, port: string, proto: string): Command {
  return command
    .addOption(
      new Option('--port <port>', port).argParser((text) => {
        if (parsePortSpec(text) !== undefined) return text;
        throw new InvalidArgumentError('A port looks like 80, 53/udp, http/tcp or icmp.');
      }),
    )
    .option('--proto <protocol>', proto)
    .addOption(new Option('--protocol <protocol>', 'the same as --proto').hideHelp());
}
