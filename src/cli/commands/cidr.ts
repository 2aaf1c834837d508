import { Command, InvalidArgumentError } from 'commander';
import { type Network, parseNetwork } from '../../cidr/parseNetwork.ts';
import { formOption } from '../options/commonOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

interface CidrOptions {
  readonly binary: boolean;
  readonly contains?: readonly Network[];
  readonly output: 'text' | 'json';
}

/** `k8snet cidr`: calculates with networks and ranges of addresses. */
export function cidrCommand(setExitCode: SetExitCode): Command {
  return new Command('cidr')
    .summary('work out networks: ranges, prefixes, overlaps, membership')
    .description(
      'Says which addresses a network has and which prefixes make up a range, which of several networks overlap, and which of them an address is in.',
    )
    .argument(
      '<network...>',
      'CIDR, ADDRESS/MASK, address, or FIRST-LAST',
      (text: string, before: readonly Network[] | undefined) => network(text, before),
    )
    .option('--contains <address>', 'which of the networks this address (or network) is in; can be repeated', network)
    .option(
      '-b, --binary',
      'print first and last address in bits, with a bar behind those that all addresses share',
      false,
    )
    .addOption(formOption('text', 'json'))
    .addHelpText('after', examples)
    .action(async (networks: readonly Network[], options: CidrOptions) => {
      const [{ compareNetworks }, { membership }, { cidrJson, cidrText }] = await Promise.all([
        import('../../cidr/compareNetworks.ts'),
        import('../../cidr/membership.ts'),
        import('../../cidr/cidrForms.ts'),
      ]);
      const overlaps = compareNetworks(networks);
      const memberships = (options.contains ?? []).map((asked) => membership(asked, networks));
      const answer = { networks, overlaps, memberships };
      writeOut([options.output === 'json' ? cidrJson(answer) : cidrText(answer, options.binary)]);
      // If membership was asked for, it decides; otherwise networks are expected to be disjoint.
      const isFound = options.contains
        ? memberships.every(({ networks: around }) => around.length > 0)
        : overlaps.length === 0;
      setExitCode(isFound ? exitCodes.ok : exitCodes.differs);
    });
}

function network(text: string, before: readonly Network[] | undefined): readonly Network[] {
  const read = parseNetwork(text);
  if (read === undefined) {
    throw new InvalidArgumentError(
      'Give a CIDR (10.0.0.0/8, or 10.0.0.0/255.0.0.0), an address, or a range (10.0.0.0-10.0.1.255).',
    );
  }
  return [...(before ?? []), read];
}

const examples = `
Examples:
  k8snet cidr 222.80.18.18/25
  k8snet cidr 10.229.52.0/255.255.254.0
  k8snet cidr 125.203.96.0-125.203.127.255
  k8snet cidr --binary 125.203.96.0/19                       01111101.11001011.011|00000.00000000 …
  k8snet cidr 10.96.0.0/12 10.244.0.0/16 192.168.0.0/24      exit status 1 if two of them overlap
  k8snet cidr 10.244.0.0/16 10.244.1.0/24 --contains 10.244.1.5

Exit status: 0 done, 1 networks overlap, or with --contains an address is in none of them, 2 bad usage,
70 a bug of k8snet.
`;
