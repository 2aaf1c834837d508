import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runMany } from '../support/runMany.ts';

const folder = join(root, 'fixtures/posts-rows');

/** A claim of a post, the command that tries it, how that ends, and what it says. `B/` is the folder of code blocks. */
type Row = readonly [id: string, args: string, status: number, ...said: readonly RegExp[]];

const rows: readonly Row[] = [
  ['T3', 'compile -f whoami.yaml --service-node-port-range 20000-40000 --node n100', 0, /KUBE-SERVICES/],
  [
    'T15',
    'trace -f extip2.yaml --from outside --to 23.251.152.56:32453',
    0,
    /→ 10\.240\.0\.5:32453/,
    /to 10\.244\.3\.5:443/,
    /assumed: 23\.251\.152\.56 is an ExternalIP/,
  ],
  [
    'C7',
    'whois KUBE-SEP-VN72UHNM6XOXLRPW -f whoami.yaml',
    0,
    /as kube-proxy through 1\.18 names it; here it has KUBE-SEP-EQRD2OJ2I333TJKC/,
  ],
  [
    'C12',
    'trace -f p2s.yaml --node zenlinnode1 --routes B/004-12-L282.txt --from zenlin/fnssv --to zenlin/nwzk9:80',
    0,
    /leaves by flannel\.1/,
  ],
  [
    'G11',
    'why -f p2s.yaml --node zenlinnode1 --routes B/004-12-L282.txt --from zenlin/fnssv --to zenlin/nwzk9:80',
    0,
    /It arrives/,
  ],
  [
    'C14',
    'trace -f p2s.yaml --node zenlinnode1 --from zenlin/fnssv --to default/nginx-service:8000',
    0,
    /wire: zenlin\/fnssv sends by its eth0/,
  ],
  [
    'C16',
    'why -f p2s.yaml --node zenlinnode1 --from zenlin/fnssv --to 8.8.8.8:53',
    3,
    /own address 10\.244\.1\.145: no rule here masquerades it/,
  ],
  ['C16', 'why masq.save -f p2s.yaml --node zenlinnode1 --from zenlin/fnssv --to 8.8.8.8:53', 0, /It arrives/],
  ['R3', 'diff -f p2s.yaml --node zenlinnode1 --routes rt.txt n1.save', 0, /1 same/],
  [
    'R3',
    'diff -f p2s.yaml --node zenlinnode1 --routes badroutes.txt n1.save',
    1,
    /K8N522 Pods of this node are in 10\.244\.1\.0\/24, and its route leads away, to 10\.229\.52\.77/,
  ],
  [
    'R3',
    'diff -f p2s.yaml --node zenlinnode1 --routes noroutes.txt n1.save',
    1,
    /K8N521 .* only the default route leads there/,
  ],
  [
    'R5',
    'trace n1.save -f p2s.yaml --node zenlinnode1 --routes rt.txt --from zenlin/fnssv --to zenlin/nwzk9:80',
    0,
    /in UDP as VXLAN, 10\.229\.53\.146 → 10\.229\.45\.161:8472/,
    /zenlinnode2 unwraps it/,
  ],
  ['R19', 'doctor n1.save --addresses addr-mtu.txt', 0, /^(?![\s\S]*K8N523)/],
  ['R20', 'cidr 10.229.52.0/255.255.254.0', 0, /10\.229\.52\.0\/23: 10\.229\.52\.0 - 10\.229\.53\.255, 512 addresses/],
  ['I2', 'lint -f B/001-50-L1367.txt --kube-version 1.36', 2, /no Ingress in networking\.k8s\.io\/v1beta1 since 1\.22/],
  ['P22', 'lint -f B/004-05-L111.txt --kube-version 1.36', 2, /no Deployment in extensions\/v1beta1 since 1\.16/],
  [
    'I3',
    'trace -f ing.yaml --to http://a.kuboard.cn/abc/',
    0,
    /taken by Ingress default\/ingress-b: host a\.kuboard\.cn, path \/abc \(Prefix\)/,
    /leaves by \S+ to 10\.244\.1\.9:8080 \(default\/b-1\)/,
  ],
  ['I3', 'trace -f ing.yaml --to http://a.kuboard.cn/other', 1, /no rule of an Ingress takes/],
  [
    'I5',
    'emit lb -f i5.yaml --host-ports nginx-ingress/nginx-ingress',
    0,
    /server w1 192\.168\.2\.69:80 check/,
    /server w2 192\.168\.2\.70:443 check/,
  ],
  ['I5', 'emit lb -f i5.yaml', 0, /--host-ports nginx-ingress\/nginx-ingress/],
  ['G2', 'versions --detect np-L.txt', 2, /it looks like what iptables -L prints/],
  ['G2', 'versions --detect ipvs-ln.txt', 2, /it looks like what ipvsadm -L prints/],
  ['G4', 'explain service -f B/004-06-L146.txt', 0, /selector: not shown/, /8000\/TCP: endpoints not shown/],
  ['G4', 'compile -f p2s.yaml --node zenlinnode1 -f B/004-04-L76.txt', 0, /--to-destination 10\.244\.1\.53:80/],
  [
    'G4',
    'emit routes -f B/004-01-L21.txt -f B/004-02-L38.txt --node zenlinnode1',
    0,
    /10\.244\.2\.0\/24 via 10\.244\.2\.0 dev flannel\.1/,
    /dst 10\.229\.45\.161/,
  ],
  [
    'G4',
    'explain service -f B/001-27-L952.txt',
    0,
    /cluster IP 10\.0\.0\.10/,
    /port <unset> 53\/UDP/,
    /port <unset> 53\/TCP/,
  ],
  ['G16', 'lint -f B/001-42-L1167.txt', 2, /part of a Service: apiVersion, kind and metadata are missing/],
  [
    'X14',
    'lint -f B/000-03-L135.txt -f desc000.txt',
    0,
    /selector app=whoami,env=dev in the manifest, app=whoami in the cluster/,
  ],
  [
    'G17',
    'diff -f scale1.yaml -f scale.yaml',
    1,
    /port 80\/TCP: 1 → 3 endpoints/,
    /rules of the node: 7 rules more, 1 less/,
  ],
  ['G18', 'lint -f B/000-02-L104.txt', 0, /1 object checked: no problems/],
  ['G18', 'lint -f B/000-07-L220.txt', 0, /1 object checked: no problems/],
  [
    'X21',
    'lint -f tlsing.yaml -f B/001-32-L1007.txt',
    0,
    /expired on 2018-10-26/,
    /is not for "my-nginx": it is for nginxsvc/,
  ],
  ['S24', 'lint -f mixed.yaml --kube-version 1.18', 2, /ports of TCP and UDP and SCTP: Kubernetes 1\.18 refuses it/],
  ['S25', 'lint -f s21all.yaml', 0, /no Pod that Service default\/whoami selects is ready/],
  [
    'D21',
    'lint -f B/001-12-L702.txt --kube-version 1.8',
    0,
    /dnsPolicy: None: Kubernetes 1\.8 does not know that|dnsConfig: Kubernetes 1\.8 does not know that/,
  ],
  [
    'D22',
    'emit dns -f dns.yaml --resolve _http._tcp.my-service.my-ns',
    0,
    /has records of type SRV: ask with --type SRV/,
  ],
];

/** Rows that have always been right, one a line with what is said below it: `S1 | compile -f s1.yaml | 0`. */
function writtenRows(): readonly Row[] {
  const written: { id: string; args: string; status: number; said: RegExp[] }[] = [];
  for (const line of readFileSync(join(folder, 'rows.txt'), 'utf8').trimEnd().split('\n')) {
    const [id = '', args = '', status] = line.split(' | ');
    if (line.startsWith('  ')) written.at(-1)?.said.push(new RegExp(line.trim(), 'm'));
    else written.push({ id, args, status: Number(status), said: [] });
  }
  return written.map(({ id, args, status, said }) => [id, args, status, ...said]);
}

describe('rows of the posts', () => {
  const all = [...rows, ...writtenRows()];
  const commands = all.map(([, args]) => args.replaceAll('B/', 'blocks/').split(' '));
  const ended = runMany(commands, folder);
  for (const [at, [id, args, status, ...said]] of all.entries()) {
    it(`${id}: ${args}`, () => {
      const { status: code, stdout, stderr } = ended[at] as (typeof ended)[number];
      assert.equal(code, status, stdout + stderr);
      assert.ok(said.length > 0);
      for (const words of said) assert.match(stdout + stderr, words);
    });
  }

  it('are nearly all of those in which something can be computed', () => {
    assert.ok(new Set(all.map(([id]) => id)).size > 150, `${new Set(all.map(([id]) => id)).size}`);
  });
});

/**
 * What becomes of each code block, one a line: `objects` that lint reads, `rules` that doctor reads, a `row` above that
 * computes the same, `refused` with a sentence that says why; or `nothing` can be computed in it.
 */
type Block = readonly [id: string, how: 'objects' | 'rules' | 'row' | 'refused' | 'nothing', what: string];

const blocks = readFileSync(join(folder, 'blocks.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' | ') as unknown as Block);

describe('a block of the posts is read, computed, or refused with a sentence', () => {
  const files = readdirSync(join(folder, 'blocks')).sort();
  const manifests = runMany(
    files.map((file) => ['lint', '-f', `blocks/${file}`]),
    folder,
  );
  const dumps = runMany(
    files.map((file) => ['doctor', `blocks/${file}`]),
    folder,
  );
  const known = new Set([...rows, ...writtenRows()].map(([id]) => id));

  it('all blocks have a line', () => {
    assert.deepEqual(
      blocks.map(([id]) => id),
      files.map((file) => file.slice(0, 6)),
    );
    assert.ok(blocks.filter(([, how]) => how !== 'nothing').length >= 100);
  });

  for (const [at, [id, how, what]] of blocks.entries()) {
    it(`${id}: ${how}`, () => {
      const [lint, doctor] = [manifests[at], dumps[at]];
      assert.ok(lint && doctor);
      const [asObjects, asRules] = [lint, doctor].map(({ stdout, stderr }) => stdout + stderr);
      for (const text of [asObjects, asRules]) assert.doesNotMatch(text ?? '', /undefined|\[object|NaN|bug of k8snet/);
      // What is not read is refused, and says so.
      for (const one of [lint, doctor])
        if (one.status === 2) assert.match(one.stdout + one.stderr, /^(?:error|.*:\d+:\d+ error) \S+: \S+ /m);
      if (how === 'objects') {
        assert.notEqual(lint.status, 2);
        assert.ok(lint.stdout.includes(what), lint.stdout);
      } else if (how === 'rules') {
        assert.equal(doctor.status, 0);
        assert.ok(doctor.stdout.includes(what), doctor.stdout);
      } else {
        assert.deepEqual([lint.status, doctor.status], [2, 2]);
        if (how === 'row') assert.ok(known.has(what), what);
        if (how === 'refused') assert.ok(`${asObjects}${asRules}`.includes(what), `${asObjects}${asRules}`);
        if (how === 'nothing') assert.notEqual(what, '');
      }
    });
  }
});
