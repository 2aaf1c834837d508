import { Command } from 'commander';
import type { Value } from '../../../common/ranges/valueRange.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { type NodeTracer, openTracer } from '../../../public/core.ts';
import { type AskedParty, readParty } from '../../../trace/question/readParty.ts';
import { addressText } from '../../../walk/values/text.ts';
import { addWalkOptions, readWalkNode, type WalkFlags } from '../../dumps/readWalkNode.ts';
import { walkMessages } from '../../dumps/walkMessages.ts';
import { namelessServices } from '../../objects/namelessServices.ts';
import { addMessageOptions, collect, formOption, type MessageOptions } from '../../options/commonOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { endMisused } from '../../options/refuseOption.ts';
import { nameComesFirst } from '../../words/nameComesFirst.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

interface WhoisFlags extends WalkFlags, MessageOptions {
  readonly guess?: readonly string[];
  readonly output: 'text' | 'json';
}

/** `k8snet whois`: what a name on a node is. */
export function whoisCommand(setExitCode: SetExitCode): Command {
  const command = new Command('whois')
    .summary('say what a chain, address, port, mark or set of a node is')
    .description(
      'Says which Service, endpoint, Pod and rule a name on a node belongs to: a chain (KUBE-SVC-…, KUBE-SEP-…, a chain of nftables mode), an address with or without a port, a node port, a hostPort, a mark (0x4000), a set or one of its entries ("SET ENTRY"), a probability (0.33333333349).',
    )
    .argument('<name>', 'what to look up')
    .argument('[dump...]', 'files or folders of one node (- for standard input)')
    .option('--guess <service>', 'namespace/name:port whose chains the name may be one of; can be repeated', collect);
  addPortOptions(
    command,
    'port of NAME, where it has none: 80, http, 53/udp',
    'any: what is said is of all protocols of the port',
  );
  addWalkOptions(command);
  command.addOption(formOption('text', 'json'));
  addMessageOptions(command);
  return command
    .addHelpText('after', examples)
    .action(async (name: string, dumps: readonly string[], options: WhoisFlags) => {
      setExitCode(await whoisAction(name, dumps, options));
    });
}

async function whoisAction(name: string, paths: readonly string[], options: WhoisFlags): Promise<number> {
  const messages = walkMessages(options);
  const swapped = nameComesFirst('whois', name, paths, options.filename !== undefined);
  if (swapped !== undefined) return endMisused(messages, 'whois', swapped);
  const read = await readWalkNode(paths, options, messages, false, { purpose: 'questions' });
  if (read === undefined) return exitCodes.badInput;
  const [{ whois }, { escapeText }] = await Promise.all([
    import('../../../trace/whois/whois.ts'),
    import('../../../common/text/escapeText.ts'),
  ]);
  const tracer = await openTracer({ rules: read.node, objects: read.objects });
  const inputs = (['ipv4', 'ipv6'] as const).map((family) => tracer.tracerOf(family).input);
  const { hostPorts = [], ...objects } = read.objects ?? {};
  const found = whois(name, inputs, { ...objects, hostPorts, guesses: options.guess ?? [] });
  const facts = found.length > 0 ? found : ofObject(name, tracer, (address) => whois(address, inputs, { hostPorts }));
  if (options.output === 'json') {
    writeOut(jsonText({ schema: 'k8snet.whois/v1', name, facts }));
  } else if (facts.length === 0) {
    const meant = tracer.names.meant(name);
    const isNameless = readParty(name)?.kind === 'object' && !tracer.names.hasServices();
    const more = meant !== undefined ? `; did you mean ${meant}?` : isNameless ? `; ${namelessServices}` : '';
    writeOut([escapeText(`${name}: not found${more}`), '\n']);
  } else {
    const place = (file?: string, line?: number) =>
      file === undefined ? '' : `   ${file}${line === undefined ? '' : `:${line}`}`;
    writeOut(facts.map(({ sentence, file, line }) => `${escapeText(`${sentence}${place(file, line)}`)}\n`));
  }
  await messages.flush(read.sources);
  return facts.some(({ kind }) => kind !== 'closed') ? exitCodes.ok : exitCodes.differs;
}

/** A Service is explained by its cluster IPs, a Pod or a Node by its addresses. */
function ofObject<Fact>(name: string, tracer: NodeTracer, ask: (address: string) => readonly Fact[]): readonly Fact[] {
  const party = readParty(name);
  const addresses = addressesOf(party, tracer);
  return [...new Set(addresses.map(addressText))].flatMap((address) =>
    ask(address.includes(':') ? `[${address}]` : address),
  );
}

function addressesOf(party: AskedParty | undefined, { names, tracerOf }: NodeTracer): readonly Value[] {
  if (party?.kind === 'object') return [...names.serviceAddresses(party.name), ...names.podAddresses(party.name)];
  if (party?.kind !== 'node') return [];
  const { name } = party;
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const { node, interfaces } = tracerOf(family).input.topology;
    if (name !== undefined && name !== node) return names.nodeAddress(name, family) ?? [];
    const own = [...interfaces.values()].flatMap(({ addresses }) => addresses);
    return own.flatMap(({ address, scope }) => (scope === 'global' ? [address] : []));
  });
}

const examples = `
Examples:
  k8snet whois KUBE-SVC-ERIFXISQEP7F7OF4 node1.save
  k8snet whois 10.96.0.10:53 node1/
  k8snet whois shop/web node1.save
  k8snet whois shop/web-0 node1.save -f cluster.yaml
  k8snet whois node/n2 node1.save -f cluster.yaml
  k8snet whois 30080 -f cluster.yaml --node n1
  k8snet whois 0x4000 node1.save
  k8snet whois KUBE-SVC-4SW47YFZTEDKD3PK node1.save --guess shop/web:http --guess shop/db

Exit status: 0 found, 1 not found, 2 bad usage or input, 70 a bug of k8snet.
`;
