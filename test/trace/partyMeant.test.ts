import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partyMeant } from '../../src/trace/question/partyMeant.ts';
import { runMany } from '../support/runMany.ts';

const known = {
  services: ['shop/web', 'shop/db', 'team/db', 'default/kubernetes'],
  pods: ['shop/web-1', 'team/db-0'],
  nodes: ['n1'],
};

/** What was asked, and who it is taken for; undefined: nobody. */
const cases: readonly (readonly [asked: string, meant: string | undefined])[] = [
  ['web', 'shop/web'],
  ['web:http', 'shop/web:http'],
  ['svc/web:80', 'svc/shop/web:80'],
  ['team/web', 'shop/web'],
  ['db:5432', 'shop/db:5432 or team/db:5432'],
  ['other/db', 'shop/db or team/db'],
  ['shop/wep', 'shop/web'],
  ['kubernets', 'default/kubernetes'],
  ['web-1:8080', 'shop/web-1:8080'],
  ['pod/web-1:8080', 'pod/shop/web-1:8080'],
  ['pod/default/kubernetes', undefined],
  ['web.shop', 'shop/web'],
  ['web.shop.svc.cluster.local:80', 'shop/web:80'],
  ['http://web.shop.svc:80/path', 'shop/web:80'],
  ['https://10.96.0.10:443/', '10.96.0.10:443'],
  ['n1:30080', 'node/n1:30080'],
  ['node/n11:30080', 'node/n1:30080'],
  ['deploy/shop/web:8080', 'shop/web-1:8080'],
  ['statefulset/db', 'team/db-0'],
  ['deploy/shop/api', undefined],
  ['localhost', 'node'],
  ['localhost:30080', '127.0.0.1:30080'],
  ['shop/localhost:30080', '127.0.0.1:30080'],
  ['nothing/like-it', undefined],
  ['', undefined],
];

describe('who was meant by a name that is not known', () => {
  for (const [asked, meant] of cases) {
    it(`${asked || 'nothing'}: ${meant ?? 'nobody'}`, () => assert.equal(partyMeant(asked, known), meant));
  }

  const manifests = '-f fixtures/services/nodeport-basic/manifests.yaml --node node-1';
  const dump = 'fixtures/first/dump.txt';
  const typed: readonly (readonly [args: string, said: RegExp])[] = [
    [`why ${dump} --from 10.244.1.5 --to kube-dns:dns --proto udp`, /; did you mean kube-system\/kube-dns:dns\?$/m],
    [`trace ${dump} --from 10.244.1.5 --to svc/kube-dns`, /; did you mean svc\/kube-system\/kube-dns\?$/m],
    // A Service sends nothing, and the dump names no Pod.
    [`trace ${dump} --from kube-dns --to 10.96.0.10:53`, /--from kube-dns: .*, node\/NAME or outside$/m],
    [`trace ${dump} --from 10.244.1.5 --to pod/kube-dns`, /nothing here shows Pods: give its address, or the objects/],
    [`split kube-dns ${dump}`, /kube-dns: .*; did you mean kube-system\/kube-dns\?$/m],
    [`whois default/kube-dns ${dump}`, /^default\/kube-dns: not found; did you mean kube-system\/kube-dns\?$/m],
    [`why ${manifests} --from 10.244.9.9 --to node/node-1:30080`, /^It arrives, /],
    [`why ${manifests} --from 10.244.9.9 --to node-1:30080`, /; did you mean node\/node-1:30080\?$/m],
    [
      `emit lb ${manifests.replace(/ --node .*/, '')} --service fornt`,
      /no such Service\n {2}hint: did you mean default\/front\?$/m,
    ],
    [`canon ${dump} --service default/kube-dns`, /^ {2}hint: did you mean kube-system\/kube-dns\?$/m],
  ];
  const ends = runMany(typed.map(([args]) => args.split(' ')));
  for (const [at, [args, said]] of typed.entries()) {
    it(`k8snet ${args}`, () => {
      const { stdout, stderr } = ends[at] as (typeof ends)[number];
      assert.match(`${stdout}${stderr}`, said);
    });
  }
});
