import { machine, openLab } from '../src/lab/openLab.ts';
import { runIn } from '../src/lab/runIn.ts';
import { readPolicyModel } from '../src/model/policyModel.ts';
import { compilePolicies } from '../src/output/policies/compilePolicies.ts';
import { missingNeeds } from '../test/kernel/requirements.ts';
import { manifestsOf } from '../test/policy/readCase.ts';

/**
 * What a new connection costs in the kernel: UDP flows, each from a port of its own, from one pod to another of the same
 * node. Times hold for this machine and this run; ratios are what is looked at.
 */
export async function policyKernelCost(): Promise<void> {
  console.log('\nnew connections through the policies of a node, in microseconds (least of 11 rounds, 900 flows each)');
  const missing = missingNeeds(['nft', 'iptables-nft', 'ipset']);
  if (missing.length > 0) return console.log(`  not measured: this machine lacks ${missing.join('; ')}`);
  const pod = (name: string, address: string) => ({ name, node: 'node-0', addresses: [address] });
  const lab = await openLab({
    nodes: [{ name: 'node-0', addresses: ['192.168.0.1'], podCidrs: [] }],
    pods: [pod('client', addressOf(0)), pod('server', addressOf(1))],
    hosts: [],
  });
  try {
    const node = machine(lab, 'node-0');
    const server = machine(lab, 'server');
    await runIn(server, ['nft', '-f', '-'], sink);
    // Tracking is on in all cases, so that only the rules make a difference.
    await runIn(node, ['nft', '-f', '-'], tracking);
    const cost = async () => {
      const least = Number(await runIn(machine(lab, 'client'), ['perl', '-e', flows, addressOf(1)]));
      // What is denied costs less: it must not be taken for what is allowed.
      const arrived = await runIn(server, ['nft', 'reset', 'counter', 'ip', 'sink', 'arrived']);
      if (!arrived.includes('packets 9900 ')) throw new Error(`of 9900 flows these arrived: ${arrived}`);
      return least;
    };
    const none = await cost();
    console.log(`  no policies                             ${none.toFixed(2)}`);
    for (const [where, isOnPod] of [
      ['in the cluster', false],
      ['on one pod', true],
    ] as const) {
      for (const backend of ['nftables', 'iptables'] as const) {
        const costs: number[] = [];
        for (const policies of [10, 1000]) {
          const model = readPolicyModel(manifestsOf(cluster(policies, isOnPod)));
          const compiled = compilePolicies(model, { backends: [backend], node: 'node-0' }, () => undefined);
          await runIn(node, ['sh', '-s'], compiled.nftablesScript ?? compiled.iptablesScript ?? '');
          costs.push(await cost());
          await runIn(node, ['sh', '-c', 'nft flush ruleset; ipset destroy']);
          await runIn(node, ['nft', '-f', '-'], tracking);
        }
        const [few = 0, many = 0] = costs;
        console.log(
          `  ${`${backend}, 10 and 1000 ${where}`.padEnd(40)}${few.toFixed(2)} ${many.toFixed(2)}  x ${(many / few).toFixed(2)}; rules alone ${(few - none).toFixed(2)} ${(many - none).toFixed(2)}`,
        );
      }
    }
  } finally {
    await lab.close();
  }
}

/** A hundred pods are on the node whatever the size of the cluster; the client and the server are the first two. */
function cluster(policies: number, isOnPod: boolean): readonly object[] {
  const namespaces = policies;
  const pods = Math.max(100, 5 * policies);
  return [
    ...Array.from({ length: namespaces }, (_, at) => ({
      kind: 'Namespace',
      metadata: { name: `team-${at}`, labels: { stage: `stage-${at % 2}` } },
    })),
    ...Array.from({ length: pods }, (_, at) => ({
      kind: 'Pod',
      metadata: {
        name: `pod-${at}`,
        namespace: `team-${at < 2 ? 0 : at % namespaces}`,
        labels: { app: `app-${at % 7}` },
      },
      spec: { nodeName: `node-${Math.floor(at / 100)}` },
      status: { phase: 'Running', podIP: addressOf(at), hostIP: `192.168.0.${1 + Math.floor(at / 100)}` },
    })),
    ...Array.from({ length: policies }, (_, at) => ({
      kind: 'NetworkPolicy',
      metadata: { name: `policy-${at}`, namespace: isOnPod ? 'team-0' : `team-${at}` },
      spec: {
        podSelector: {},
        ingress: [
          {
            // The one that allows the flows comes last.
            from: [
              { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': `team-${policies - 1 - at}` } } },
            ],
            ports: [{ port: 5000, protocol: 'UDP' }],
          },
          ...(isOnPod ? [] : [{ from: [{ namespaceSelector: { matchLabels: { stage: 'stage-0' } } }] }]),
        ],
      },
    })),
  ];
}

function addressOf(pod: number): string {
  return `10.1.${pod >> 8}.${pod & 255}`;
}

/** Nothing of the server is measured. */
const sink =
  'table ip sink { counter arrived { }; chain in { type filter hook prerouting priority raw; udp dport 5000 counter name arrived drop; }; }';

const tracking = 'table ip tracking { chain in { type filter hook forward priority -300; ct state invalid drop; }; }';

const flows = `use Socket; use Time::HiRes qw(time);
my $to = pack_sockaddr_in(5000, inet_aton($ARGV[0])); my $least;
for my $round (1 .. 11) {
  my @sockets = map { socket(my $s, PF_INET, SOCK_DGRAM, 0) or die; bind($s, pack_sockaddr_in(0, INADDR_ANY)) or die; $s } 1 .. 900;
  my $start = time;
  send($_, 'x', 0, $to) or die "send: $!" for @sockets;
  my $took = (time - $start) / 900 * 1e6;
  $least = $took if !defined $least || $took < $least;
}
print $least;`;
