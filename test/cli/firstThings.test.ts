import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';
import { runMany } from '../support/runMany.ts';

const folder = join(root, 'fixtures/first');

/** What somebody types first, how it ends, and a line that says what to do, or that it was done. */
type Typed = readonly [args: string, status: number, said: RegExp];

const tried: readonly Typed[] = [
  ['-h', 0, /^Usage: k8snet \[options\] \[command\]$/m],
  ['help', 0, /^ {2}doctor \[options\] \[dump\.\.\.\]/m],
  ['--version', 0, /^\d+\.\d+\.\d+/],
  ['-v', 2, /^ {2}hint: k8snet --version prints the version$/m],
  ['version', 2, /^ {2}hint: k8snet --version prints the version$/m],
  ['get svc -A', 2, /^ {2}hint: to read a cluster: k8snet compile --live; nothing else contacts one$/m],
  ['compile -k overlay', 2, /^ {2}hint: render it first: kubectl kustomize overlay \| k8snet compile -f -$/m],
  ['diff', 2, /^ {2}hint: k8snet diff -f MANIFESTS DUMP compares with manifests, k8snet diff OLD NEW two dumps$/m],
  [
    'diff -f dump.txt svc.yaml',
    2,
    /^ {2}hint: manifests go with -f, the dump behind them: .* -f svc\.yaml dump\.txt$/m,
  ],
  ['whois dump.txt', 2, /say what to look for: k8snet whois NAME dump\.txt$/m],
  ['split dump.txt', 2, /say what to look for: k8snet split WHERE dump\.txt$/m],
  ['explain svc/shop/web', 2, /^ {2}hint: k8snet explain service --service shop\/web -f MANIFESTS explains it/m],
  ['versions --between 1.30..1.31', 0, /^iptables mode, kube-proxy 1\.31 against 1\.30$/m],
  ['versions --between 1.30', 2, /takes two versions: --between 1\.30 1\.36$/m],
  ['trace dump.txt --from 10.244.1.5 --to 10.96.0.10 --port 53/udp', 0, /^udp 10\.244\.1\.5/m],
  ['trace dump.txt --from 10.244.1.5 --to 10.96.0.10:53/UDP', 0, /^udp 10\.244\.1\.5/m],
  ['why dump.txt --from 10.244.1.5 --to 10.96.0.10:53 --proto UDP', 0, /^It arrives/m],
  ['diff --nodes dump.txt', 2, /^error bad-option: --nodes needs the dumps of two nodes or more$/m],
  ['diff dump.txt', 2, /several with --nodes; doctor looks at one dump alone$/m],
  ['doctor dump.txt --fail-on warn', 2, /warn is no severity; did you mean warning\?$/m],
  ['doctor dump.txt --fail-on K8N23', 2, /K8N23 is not a finding; did you mean K8N203\?$/m],
  ['doctor dump.txt --fail-on all', 2, /all is not a finding; severities are error, warning and info$/m],
  ['check', 2, /k8snet\.yaml: no such file or directory\n {2}hint: this file names the cases: k8snet check --help/m],
  ['policy test -f getall.yaml --from outside --to 10.0.0.1:80', 0, /allowed/m],
  ['emit hosts -f getall.yaml --pod shop/web-1', 2, /^ {2}hint: did you mean default\/web-1\?$/m],
  ['lnit -f svc.yaml', 2, /^\(Did you mean lint\?\)$/m],
  ['apply -f svc.yaml', 2, /^ {2}hint: k8snet changes no rules; .*: k8snet compile -f MANIFESTS -o script$/m],
  ['diagnose', 2, /^ {2}hint: to find what is wrong with a dump: k8snet doctor DUMP$/m],
  ['help diagnose', 2, /^ {2}hint: to find what is wrong with a dump: k8snet doctor DUMP$/m],
  ['behaviour', 2, /^ {2}hint: to compare what two nodes do with packets: k8snet diff --compare behaviour A B$/m],
  ['compare a b', 2, /^error: unknown command 'compare'\n {2}hint: to compare: k8snet diff -f MANIFESTS DUMP,/m],
  ['versions 1.31', 2, /^ {2}hint: to see what a version changed: k8snet versions --explain-version 1\.31$/m],
  ['versions v1.29 v1.31', 2, /^ {2}hint: to compare two versions: k8snet versions --between v1\.29 v1\.31$/m],
  ['versions dump.txt', 2, /^ {2}hint: to find out who wrote a dump: k8snet versions --detect dump\.txt$/m],
  ['convert dump.txt --to nft', 2, /^\(Did you mean nftables\?\)$/m],
  ['convert dump.txt --to 1.31', 2, /^ {2}hint: --to names a mode; a version: --kube-version 1\.31$/m],
  ['migrate --to 1.31', 2, /^ {2}hint: --to names a mode; a version: --to-version 1\.31$/m],
  ['compile -f svc.yaml --family 6', 2, /^\(Did you mean ipv6\?\)$/m],
  ['compile -f svc.yaml --family ip', 2, /Allowed choices are ipv4, ipv6, both\.\nRun /],
  ['compile -f svc.yaml --json', 2, /^ {2}hint: that is --output json here$/m],
  ['compile --kubeconfig config', 2, /^ {2}hint: add --live to read the cluster: /m],
  ['why dump.txt --src a --dst b', 2, /unknown option '--src'\n {2}hint: that is --from here$/m],
  ['cleanup nft', 2, /^ {2}hint: name the mode with --mode: k8snet cleanup --mode nftables$/m],
  ['cleanup node.save', 2, /Expected 0 arguments but got 1\.\nRun /],
  ['lab svc.yaml', 2, /^ {2}hint: pass manifests with -f: k8snet lab -f svc\.yaml$/m],
  ['cidr 10.0.0.0/8 ten', 2, /^error: 'ten' is not a valid network\. Give a CIDR/],
  ['collect node1', 2, /^ {2}hint: it prints commands to run on the node: k8snet collect -o script/m],
  ['check -f svc.yaml', 2, /^ {2}hint: the cases are in k8snet\.yaml, or in the file that -c names$/m],
  ['emit dns svc.yaml', 2, /^ {2}hint: pass manifests with -f: k8snet emit dns -f svc\.yaml$/m],
  ['svc.yaml', 2, /^ {2}hint: to compile manifests: k8snet compile -f svc\.yaml$/m],
  ['dump.txt', 2, /^ {2}hint: to look at a dump: k8snet doctor dump\.txt;/m],
  ['compile', 2, /^ {2}hint: pass manifests with -f FILE, or -f - for standard input$/m],
  ['compile -h', 0, /^Usage: k8snet compile /m],
  ['help compile', 0, /^Usage: k8snet compile /m],
  ['policy test -h', 0, /^Usage: k8snet policy test /m],
  ['compile svc.yaml', 2, /^ {2}hint: pass manifests with -f: k8snet compile -f svc\.yaml$/m],
  ['compile svc.yaml --mode nftables -o save', 2, /^ {2}hint: pass manifests with -f: k8snet compile -f svc\.yaml$/m],
  ['lint svc.yaml', 2, /^ {2}hint: pass manifests with -f: k8snet lint -f svc\.yaml$/m],
  ['compile svc.yaml -f', 2, /^error bad-option: option '-f, --filename <path>' argument missing$/m],
  ['compile -f svc.yaml', 0, /^-A KUBE-SERVICES -d 10\.96\.\S+ .*default\/web has no endpoints/m],
  ['compile -f folder', 0, /^-A KUBE-SERVICES -d 10\.96\.\S+ .*default\/web has no endpoints/m],
  ['compile -f getall.yaml', 0, /-j DNAT --to-destination 10\.244\.1\.5:8080$/m],
  [
    'compile -f https://k8s.io/examples/service.yaml',
    2,
    /^ {2}hint: k8snet reads no URLs: fetch it and give the file/m,
  ],
  ['compile -f nosuch.yaml', 2, /^error cannot-read: nosuch\.yaml: no such file or directory$/m],
  ['compile -f blank.yaml', 0, /^blank\.yaml:1:1 warning no-objects: no objects found$/m],
  ['compile -f helm.txt', 0, /^helm\.txt:10:1 warning no-endpoints: Service default\/shop-web has no endpoints/m],
  ['lint -f helm-template.yaml', 0, /^1 object checked, 1 of other kinds skipped: no problems$/m],
  ['compile -f chart-template.yaml', 2, /^ {2}hint: a template of Helm: render it first, helm template/m],
  ['compile -f dump.txt', 2, /error not-an-object: this is a dump of a node, not manifests$/m],
  ['compile -f refused.txt', 2, /this is an error message of kubectl, not manifests$/m],
  ['compile -f none.txt', 2, /^ {2}hint: ask for all namespaces: kubectl get services,/m],
  ['compile -f page.html', 2, /this is a web page, not manifests$/m],
  ['compile -f getsvc.txt', 0, /note read-from-table: read from what kubectl prints/m],
  [
    'compile -f svc.yaml --mode ipvs --kube-version 1.2',
    2,
    /^error mode-not-in-version: kube-proxy 1\.2 has no ipvs mode$/m,
  ],
  ['compile -f svc.yaml --mode iptable', 2, /^\(Did you mean iptables\?\)$/m],
  [
    'compile -f svc.yaml --kube-version latest',
    2,
    /A version looks like 1\.36,.*\n {2}hint: without this option it is the version of the Node,/,
  ],
  ['compile -f svc.yaml -n default', 2, /^ {2}hint: objects without a namespace are in default;/m],
  ['compile -f svc.yaml -o yaml', 2, /Allowed choices are save, restore, script, json, ipvsadm-list\.$/m],
  ['doctor', 2, /^ {2}hint: name the file of a dump, or - for standard input: k8snet doctor -$/m],
  ['doctor dump.txt', 0, /^2 Services; /m],
  ['doctor -f dump.txt', 2, /^ {2}hint: doctor takes dumps as arguments: k8snet doctor dump\.txt$/m],
  ['doctor svc.yaml', 2, /svc\.yaml holds no rules: it looks like Kubernetes objects$/m],
  ['doctor empty.txt', 2, /^error not-a-dump: empty\.txt is empty$/m],
  ['doctor nosuch.txt', 2, /^error cannot-read: cannot read nosuch\.txt: no such file or directory$/m],
  ['doctor getsvc.txt', 2, /it looks like a table of kubectl get$/m],
  ['diff -f svc.yaml', 2, /^ {2}hint: -f takes the \.yaml files behind it: name the dump as well/m],
  ['diff -f getall.yaml svc.yaml', 2, /^ {2}hint: -f takes the \.yaml files behind it: name the dump as well/m],
  ['diff dump.txt svc.yaml', 2, /^ {2}hint: objects go with -f, .*: k8snet diff -f svc\.yaml DUMP;/m],
  ['doctor svc.yaml dump.txt', 2, /^ +hint: objects go with -f, /m],
  ['diff -f svc.yaml dump.txt', 1, /^1 Service: 0 same, 1 missing/m],
  ['explain KUBE-SVC-LOLE4ISW44XBNF3G', 2, /^ {2}hint: k8snet whois KUBE-SVC-LOLE4ISW44XBNF3G DUMP says/m],
  ['explain k8n203', 0, /^K8N203 error /m],
  ['explain NodePort', 0, /^node-port /m],
  ['explain no-endpoints', 0, /^no-endpoints warning$/m],
  ['whois KUBE-SVC-TCOU7JCQXEZGVUNU dump.txt', 0, /^KUBE-SVC-TCOU7JCQXEZGVUNU is .* kube-system\/kube-dns:dns/m],
  ['whois dump.txt 10.96.0.10', 0, /is of Service kube-system\/kube-dns:dns/],
  ['split dump.txt 10.96.0.10:53', 0, /100\.00 %/],
  ['whois kube-system/kube-dns dump.txt', 0, /is of Service kube-system\/kube-dns:dns/],
  ['reach dump.txt shop/web', 2, /shop\/web: no such file; a Service is written svc\/shop\/web$/m],
  ['trace dump.txt', 2, /^error bad-option: name sender and receiver: --from and --to, or --batch$/m],
  [
    'trace dump.txt 10.96.0.10:53',
    2,
    /^error bad-option: name sender and receiver: --from and --to, or --batch; --from is missing$/m,
  ],
  ['why dump.txt --from node', 2, /^error bad-option: name sender and receiver: --from and --to; --to is missing$/m],
  [
    'why dump.txt --from 10.244.1.5 --to kube-system/kube-dsn --proto udp',
    2,
    /no Pod or Service of this name with an ipv4 address is known; did you mean kube-system\/kube-dns\?$/m,
  ],
  ...['diff - -', 'diff -f - -', 'diff --nodes - dump.txt -', 'trace - --batch -', 'versions --detect - -'].map(
    (args): Typed => [
      args,
      2,
      /^error bad-option: standard input can be read only once\n.*write one of the two to a file$/m,
    ],
  ),
  [
    'why dump.txt --from [fd00::9] --to [fd00::1]:80',
    2,
    /^error bad-option: there are no rules of IPv6, only of IPv4: add what ip6tables-save, or nft list ruleset, prints/m,
  ],
];

describe('what people type first', () => {
  const ends = runMany(
    tried.map(([args]) => args.split(' ')),
    folder,
  );
  for (const [at, [args, status, said]] of tried.entries()) {
    it(`k8snet ${args}`, () => {
      const { status: ended, stdout, stderr } = ends[at] as (typeof ends)[number];
      assert.equal(ended, status, stderr);
      assert.match(`${stdout}${stderr}`, said);
    });
  }

  it('why of the dumps of two nodes says that it takes them for one', () => {
    const nodes = mkdtempSync(join(tmpdir(), 'k8snet-two-nodes-'));
    const text = readFileSync(join(root, 'fixtures/trace/nodeport-legacy/iptables.legacy.v4.save'), 'utf8').replace(
      /^#.*\n/gm,
      '',
    );
    writeFileSync(join(nodes, 'a.save'), text);
    writeFileSync(join(nodes, 'b.save'), text.replaceAll('10.244.3.102', '10.244.3.103'));
    const { stdout } = runCli(['why', 'a.save', 'b.save', '--from', '10.244.1.5', '--to', '10.96.100.1:80'], {
      cwd: nodes,
    });
    rmSync(nodes, { recursive: true });
    assert.match(
      stdout,
      /^assumed: one node: a\.save, b\.save hold the table \w+ more than once, and all of them are walked/m,
    );
  });

  it('diff of nodes of two modes says how to compare them', () => {
    const other = join(root, 'fixtures/trace/clusterip-nftmode/nft.txt');
    const { stdout, stderr } = runCli(['diff', 'dump.txt', other], { cwd: folder });
    assert.match(
      `${stdout}${stderr}`,
      /^note: no rules to compare with each other: `k8snet diff --compare behaviour` compares/m,
    );
  });

  it('kubectl get all -o yaml | k8snet compile -f -', () => {
    const input = readFileSync(join(folder, 'getall.yaml'), 'utf8');
    const { status, stdout, stderr } = runCli(['compile', '-f', '-'], { input });
    assert.equal(status, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /-j DNAT --to-destination 10\.244\.1\.5:8080$/m);
  });

  it('iptables-save | k8snet doctor -', () => {
    const input = readFileSync(join(folder, 'grep.txt'), 'utf8');
    assert.match(runCli(['doctor', '-'], { input }).stdout, /K8N501 prod\/my-api:http has no endpoints/);
  });
});
