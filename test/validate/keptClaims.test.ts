import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourceObject } from '../../src/load/sourceObject.ts';
import { loadTexts } from '../../src/public/core.ts';
import { told } from '../../src/public/result.ts';
import { type Claims, keptClaims } from '../../src/validate/keptClaims.ts';
import type { Manifest } from '../../src/validate/kinds/manifest.ts';
import type { Manifests } from '../../src/validate/kinds/manifests.ts';
import { soundObjects } from '../../src/validate/soundObjects.ts';
import { validate } from '../../src/validate/validate.ts';
import { seededRandom } from '../fleet/randomCluster.ts';

const claims: Claims = {
  lists: ['services', 'pods'],
  of: ({ value }) => value as readonly string[],
};

it('whether claims are all different is known after any edits', () => {
  const random = seededRandom(2);
  const manifest = (): Manifest<unknown> => {
    const value = new Set(Array.from({ length: random(3) }, () => `claim-${random(30)}`));
    return { value: [...value], origin: {} as never };
  };
  const kept = keptClaims();
  const lists = { services: [manifest()], pods: [manifest()] };
  const answers = new Set<boolean>();
  for (let edit = 0; edit < 3000; edit += 1) {
    const list = random(2) === 0 ? 'services' : 'pods';
    const at = random(lists[list].length + 1);
    const own = [...lists[list]];
    own.splice(at, random(2), ...(own.length > 6 || random(2) === 0 ? [] : [manifest()]));
    lists[list] = own;
    const different = kept.areAllDifferent(lists as unknown as Manifests, claims);
    assert.equal(different, [lists.services, lists.pods].every(areDifferent));
    answers.add(different);
  }
  assert.equal(answers.size, 2);
});

describe('an object beside others that are known to be sound', () => {
  const service = (name: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: {
      ports: [{ port: 80, ...('nodePort' in spec && { nodePort: spec.nodePort }) }],
      ...spec,
      nodePort: undefined,
    },
  });
  const dual = (first: string, second: string) => ({ clusterIP: first, clusterIPs: [first, second] });
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
  for (const [what, one, other, code] of [
    ['a name', service('a', {}), service('a', {}), 'duplicate-object'],
    [
      'a cluster IP',
      service('a', { clusterIP: '10.96.0.7' }),
      service('b', { clusterIP: '10.96.0.7' }),
      'duplicate-cluster-ip',
    ],
    [
      'a second cluster IP, written otherwise',
      service('a', dual('10.96.0.7', 'fd00::7')),
      service('b', dual('10.96.0.8', 'FD00:0::7')),
      'duplicate-cluster-ip',
    ],
    [
      'a node port',
      service('a', { type: 'NodePort', nodePort: 30_001 }),
      service('b', { type: 'NodePort', nodePort: 30_001 }),
      'duplicate-node-port',
    ],
    [
      'a node port for health checks',
      service('a', { type: 'NodePort', nodePort: 30_001 }),
      service('b', { ...local, nodePort: 30_002, healthCheckNodePort: 30_001 }),
      'duplicate-node-port',
    ],
  ] as const) {
    it(`has ${what} that is taken`, async () => {
      const sound = soundObjects();
      const [first, second, third] = (await read([one, service('z', {}), other])) as [
        SourceObject,
        SourceObject,
        SourceObject,
      ];
      const codes = (objects: readonly SourceObject[]) => {
        const said: string[] = [];
        validate(objects, ({ severity, code: own }) => severity === 'error' && said.push(own), { sound });
        return said;
      };
      assert.deepEqual(codes([first, second]), []);
      assert.deepEqual(codes([second, first]), []);
      assert.deepEqual(codes([first, second, third]), [code]);
      assert.deepEqual(codes([first, second]), []);
      assert.deepEqual(codes([third, second]), []);
      assert.deepEqual(codes([third, second, first]), [code]);
    });
  }
});

async function read(items: readonly object[]): Promise<readonly SourceObject[]> {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  return (await told(loadTexts([{ name: 'objects.json', text }]), () => {})).objects;
}

function areDifferent(list: readonly Manifest<unknown>[]): boolean {
  const all = list.flatMap(({ value }) => value as readonly string[]);
  return new Set(all).size === all.length;
}
