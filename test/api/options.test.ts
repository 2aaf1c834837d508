import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import * as api from '../../src/public/api.ts';

// Programs without types get a diagnostic for each mistake, and never an exception.
const { orThrow } = api;
const text = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { clusterIP: 10.96.0.10, ports: [{ name: http, port: 80 }] }
`;
const { objects } = (await api.loadTexts([{ name: 'shop.yaml', text }])).value;
const dump = await orThrow(
  api.readDump([{ name: 'n1.save', text: '*nat\n:KUBE-SERVICES - [0:0]\nCOMMIT\n' }], { name: 'n1' }),
);
const compiled = await orThrow(api.compile(objects, { node: 'n1' }));
const expected = await orThrow(api.compileForDump(objects, dump, { node: 'n1' }));
const input = await orThrow(api.behaviourInput(compiled));
const files = await orThrow(api.toFiles(compiled));
const policies = await orThrow(api.readPolicies(objects));
const report = await orThrow(api.diff(expected));
const checked = await orThrow(api.checkObjects(objects));
const question = { service: 'shop/web', objects, nodes: [dump] };

/** Every function that takes options, called with given ones. */
const calls: Readonly<Record<string, (options: never) => Promise<api.Result<unknown>>>> = {
  load: (options) => api.load([], options),
  readCluster: (options) => api.readCluster(options),
  readNode: (options) => api.readNode('n1', options),
  lint: (options) => api.lint(objects, options),
  compile: (options) => api.compile(objects, options),
  checkObjects: (options) => api.checkObjects(objects, options),
  compileNode: (options) => api.compileNode(checked, options),
  compileForDump: (options) => api.compileForDump(objects, dump, options),
  compileBesideDump: (options) => api.compileBesideDump(objects, dump, options),
  resolveCluster: (options) => api.resolveCluster(objects, options),
  readSettings: (options) => api.readSettings(options),
  toFiles: (options) => api.toFiles(compiled, options),
  toText: (options) => api.toText(compiled, files, options),
  rulesOf: (options) => api.rulesOf(compiled, options),
  readDump: (options) => api.readDump([], options),
  detectVersions: (options) => api.detectVersions([], options),
  importRules: (options) => api.importRules(dump, options),
  printImported: (options) => api.printImported({} as never, options),
  diff: (options) => api.diff(expected, options),
  diffDumps: (options) => api.diffDumps(dump, dump, options),
  diffNodes: (options) => api.diffNodes([dump, dump], options),
  diagnose: (options) => api.diagnose(dump, options),
  renderReport: (options) => api.renderReport(report, options),
  checkService: (options) => api.checkService(question, options),
  judge: (options) => api.judge(objects, { from: 'outside', to: 'shop/web', port: '80' }, options),
  judgeAll: (options) => api.judgeAll(objects, [], options),
  readPolicies: (options) => api.readPolicies(objects, options),
  policyMatrix: (options) => api.policyMatrix(policies, options),
  behaviourInput: (options) => api.behaviourInput(compiled, options),
  compareBehaviour: (options) => api.compareBehaviour(input, input, options),
  reach: (options) => api.reach(input, options),
  migrate: (options) => api.migrate(objects, options),
  convert: (options) => api.convert(dump, options),
  trace: (options) => api.trace(input, { from: 'node', to: '10.96.0.10:80' }, options),
};

const errors = (diagnostics: readonly Diagnostic[]) =>
  diagnostics
    .filter(({ severity, code }) => severity === 'error' && code === 'bad-option')
    .map(({ message }) => message);

describe('options of the API', () => {
  for (const [name, call] of Object.entries(calls)) {
    it(`${name} names an option that there is not, and options that are none`, async () => {
      const { diagnostics } = await call({ colour: 'red' } as never);
      assert.deepEqual(errors(diagnostics), ['unknown option "colour"']);
      for (const wrong of [null, 'x', 7, []])
        assert.deepEqual(errors((await call(wrong as never)).diagnostics), ['options must be an object']);
    });
  }

  it('a name that is nearly right is answered with the right one', async () => {
    const { value, diagnostics } = await api.compile(objects, { nodeIP: ['192.168.0.1'] } as never);
    assert.equal(value, undefined);
    assert.deepEqual(
      diagnostics.map(({ hint }) => hint),
      ['did you mean nodeIPs?'],
    );
  });

  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ mode: 'foo' }, /^mode must be iptables, ipvs, nftables or userspace, and is "foo"$/],
    [{ nodeIPs: '10.0.0.1' }, /^nodeIPs must be an array of one IP address, or of one of each family, and is "10/],
    [{ nodeIPs: ['10.0.0.1', '10.0.0.2'] }, /^nodeIPs must be/],
    [{ nodeAddresses: ['10.0.0.5'] }, /^nodeAddresses must be an array of addresses with prefix lengths/],
    [{ clusterCIDR: '10.0.0.0/8,10.1.0.0/16' }, /^clusterCIDR must be a CIDR, or one of each family/],
    [{ masqueradeBit: 32 }, /^masqueradeBit must be a whole number from 0 to 31, and is 32$/],
    [{ ipvsScheduler: 'RR' }, /^ipvsScheduler must be rr, /],
    [{ nodePortRange: { first: 9, last: 3 } }, /^nodePortRange must be a range of ports/],
    [{ interfaceNamePrefix: 've th' }, /^interfaceNamePrefix must be a name of an interface/],
    [{ kubeVersion: '2.0' }, /^kubeVersion must be a version of kube-proxy/],
    [{ cpus: Number.NaN }, /^cpus must be a whole number from 1 to 65536, and is NaN$/],
    [{ allocates: 1n }, /^allocates must be true or false, and is 1$/],
    [{ podCIDRs: ['x'.repeat(500)] }, /^podCIDRs must be .{0,120}…$/],
  ];
  for (const [options, message] of wrong) {
    it(`wrong values are named: ${message.source}`, async () => {
      const { value, diagnostics } = await api.compile(objects, options as never);
      assert.equal(value, undefined);
      const [first, ...others] = errors(diagnostics);
      assert.match(first ?? '', message);
      assert.deepEqual(others, []);
    });
  }

  it('all of them are named at once', async () => {
    const { diagnostics } = await api.compile(undefined as never, { mode: 1, family: 2 } as never);
    assert.equal(errors(diagnostics).length, 3);
  });

  it('objects that another program has parsed are refused, with what reads them', async () => {
    const manifest = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } };
    for (const call of [api.compile, api.lint, api.checkObjects, api.resolveCluster, api.readPolicies]) {
      const { value, diagnostics } = await call([manifest] as never);
      assert.equal(value, undefined);
      assert.match(diagnostics[0]?.hint ?? '', /^loadTexts/);
    }
  });

  it('orThrow says what was reported', async () => {
    await assert.rejects(orThrow(api.compile(objects, { mode: 'foo' as never })), /^Error: mode must be /);
  });
});
