import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelTests } from '../../kernel/requirements.ts';
import { runCli } from '../../support/runCli.ts';
import { makeCertificate, nginxCommand } from './nginx.ts';
import type { HttpOutcome, HttpProbe, Job, Server } from './probes.ts';
import { runJob } from './runJob.ts';

const nginxTest = kernelTests(['namespaces', 'nginx', 'openssl']);
const listensOn = { ip: '127.0.0.1', port: 18080 };

/** A Service with one endpoint: service `n` of the test answers at 10.9.0.n. */
function service(name: string, number: number): readonly object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'web' },
      spec: { clusterIP: `10.96.9.${number}`, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `${name}-1`, namespace: 'web', labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [`10.9.0.${number}`], conditions: { ready: true } }],
      ports: [{ name: 'http', port: 8080 }],
    },
  ];
}

const services = ['one', 'two', 'three'].flatMap((name, index) => service(name, index + 1));
const servers: readonly Server[] = [1, 2, 3].map((number) => ({ kind: 'http', ip: `10.9.0.${number}`, port: 8080 }));

function backend(name: string): object {
  return { service: { name, port: { number: 80 } } };
}

type Path = readonly [path: string, pathType: string, backend: string];

function ingress(name: string, host: string | undefined, paths: readonly Path[], more: object = {}): object {
  const http = { paths: paths.map(([path, pathType, to]) => ({ path, pathType, backend: backend(to) })) };
  const { metadata, spec } = more as { metadata?: object; spec?: object };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'web', ...metadata },
    spec: { rules: [{ ...(host === undefined ? {} : { host }), http }], ...spec },
  };
}

function compile(objects: readonly object[], args: readonly string[] = []) {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return runCli(['emit', 'ingress', '-f', '-', '--http-port', '18080', '--https-port', '18443', ...args], { input });
}

function get(host: string, path: string, more: Partial<HttpProbe> = {}): HttpProbe {
  return { kind: 'http', port: 18080, host, path, times: 1, ...more };
}

/** What nginx answers: the number of the service, or the status. */
async function answers(
  config: string,
  probes: readonly HttpProbe[],
  job: Partial<Job> = {},
): Promise<readonly string[]> {
  const all: Job = { servers, addresses: [], program: nginxCommand(config), listensOn, probes, ...job };
  const outcomes = (await runJob(all)) as readonly HttpOutcome[];
  return outcomes.map(({ statuses, bodies, location }) =>
    location !== undefined
      ? `${statuses} ${location}`
      : (/^10\.9\.0\.(\d)/.exec(bodies[0] ?? '')?.[1] ?? String(statuses)),
  );
}

nginxTest('paths go by type, length and elements, and hosts by labels', async () => {
  const { stdout } = compile([
    ...services,
    ingress('a', 'a.example', [
      ['/foo', 'Prefix', 'one'],
      ['/foo', 'ImplementationSpecific', 'two'],
      ['/foo/', 'ImplementationSpecific', 'three'],
      ['/bar/', 'Prefix', 'one'],
      ['/exact/', 'Exact', 'two'],
      ['/free/', 'ImplementationSpecific', 'three'],
      ['/', 'Exact', 'three'],
    ]),
    ingress('b', '*.wild.example', [['/', 'Prefix', 'one']]),
    ingress('c', 'own.wild.example', [['/x', 'Prefix', 'two']]),
    ingress('d', undefined, [['/any', 'Prefix', 'three']]),
  ]);
  const table: readonly (readonly [HttpProbe, string])[] = [
    [get('a.example', '/foo'), '1'],
    [get('a.example', '/foobar'), '2'],
    [get('a.example', '/foo/x'), '3'],
    [get('a.example', '/foo?q=/bar'), '1'],
    [get('a.example', '/bar'), '1'],
    [get('a.example', '/bar/x'), '1'],
    [get('a.example', '/barx'), '404'],
    [get('a.example', '/exact/'), '2'],
    [get('a.example', '/exact'), '404'],
    [get('a.example', '/exact/x'), '404'],
    [get('a.example', '/free/x'), '3'],
    [get('a.example', '/free'), '404'],
    [get('a.example', '/'), '3'],
    [get('a.example', '/other'), '404'],
    [get('A.Example', '/FOO'), '404'],
    [get('x.wild.example', '/'), '1'],
    [get('x.y.wild.example', '/'), '404'],
    [get('wild.example', '/'), '404'],
    [get('own.wild.example', '/x/1'), '2'],
    [get('own.wild.example', '/'), '404'],
    [get('unknown.example', '/any'), '3'],
    [get('a.example', '/any'), '404'],
  ];
  const seen = await answers(
    stdout,
    table.map(([probe]) => probe),
  );
  for (const [index, [{ host, path }, wanted]] of table.entries()) assert.equal(seen[index], wanted, `${host}${path}`);
});

nginxTest('hostile paths are text', async () => {
  const paths = [
    '/a b',
    '/"',
    "/'",
    '/$host',
    `/$${'{x}'}`,
    '/;return 200;',
    '/#',
    '/{',
    '/}',
    '/\\',
    '/\\"',
    '/%41',
    '/ü',
    `/${'x'.repeat(253)}`,
  ];
  const { status, stdout, stderr } = compile([
    ...services,
    ingress(
      'a',
      'a.example',
      paths.map((path, index): Path => [path, index % 2 === 0 ? 'Exact' : 'Prefix', 'one']),
    ),
  ]);
  assert.equal(status, 0, stderr);
  const probes = paths.map((path) => get('a.example', encodeURI(path).replaceAll('#', '%23').replaceAll('?', '%3f')));
  const seen = await answers(stdout, [...probes, get('a.example', '/a'), get('a.example', '/A')]);
  assert.deepEqual(seen, [...paths.map(() => '1'), '404', '404']);
});

nginxTest('the backend gets the original request and who asked', async () => {
  const { stdout } = compile([...services, ingress('a', 'a.example', [['/p', 'Prefix', 'one']])]);
  const headers = { 'X-Forwarded-For': '192.0.2.1', Upgrade: 'websocket', Connection: 'upgrade' };
  const probe = get('a.example:18080', '/p/%41?x=1', { headers });
  const [outcome] = (await runJob({
    servers,
    addresses: [],
    program: nginxCommand(stdout),
    listensOn,
    probes: [probe],
  })) as [HttpOutcome];
  const [url, raw] = JSON.parse((outcome.bodies[0] ?? '').replace(/^\S+ /, '')) as [string, readonly string[]];
  assert.equal(url, '/p/%41?x=1');
  const seen = (name: string) => raw[raw.findIndex((word) => word.toLowerCase() === name) + 1];
  assert.equal(seen('host'), 'a.example:18080');
  assert.equal(seen('x-real-ip'), '127.0.0.1');
  assert.equal(seen('x-forwarded-for'), '192.0.2.1, 127.0.0.1');
  assert.equal(seen('x-forwarded-proto'), 'http');
  assert.equal(seen('upgrade'), 'websocket');
  assert.equal(seen('connection'), 'upgrade');
});

nginxTest('TLS: certificates from Secrets, redirects, unknown names refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-tls-'));
  try {
    makeCertificate(folder, 'source', 'tls.example');
    const data = (suffix: string) => readFileSync(join(folder, `source.${suffix}`)).toString('base64');
    const tls = { tls: [{ hosts: ['tls.example', '*.under.example'], secretName: 'cert' }] };
    const redirect = { annotations: { 'nginx.ingress.kubernetes.io/ssl-redirect': 'true' } };
    const { status, stderr } = compile(
      [
        ...services,
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'cert', namespace: 'web' },
          data: { 'tls.crt': data('crt'), 'tls.key': data('key') },
        },
        ingress('a', 'tls.example', [['/', 'Prefix', 'one']], { metadata: redirect, spec: tls }),
        // Its certificate is that of the other Ingress, the redirect is not.
        ingress('b', 'x.under.example', [['/', 'Prefix', 'two']]),
        ingress('c', 'plain.example', [['/', 'Prefix', 'three']]),
        // Only `tls` names the host itself; its paths are those of the wildcard.
        ingress('d', '*.wild.example', [['/', 'Prefix', 'three']], {
          metadata: { annotations: { 'nginx.ingress.kubernetes.io/force-ssl-redirect': 'false' } },
          spec: { tls: [{ hosts: ['one.wild.example'], secretName: 'cert' }] },
        }),
      ],
      ['--tls-dir', folder, '--out-dir', folder],
    );
    assert.equal(status, 0, stderr);
    assert.equal(statSync(join(folder, 'web-cert.key')).mode & 0o777, 0o600);
    const https = { kind: 'https', port: 18443 } as const;
    const seen = await answers(readFileSync(join(folder, 'nginx.conf'), 'utf8'), [
      get('tls.example', '/', https),
      get('tls.example', '/a?b', {}),
      get('x.under.example', '/', https),
      get('x.under.example', '/'),
      get('plain.example', '/'),
      get('one.wild.example', '/', https),
      get('one.wild.example', '/'),
      get('two.wild.example', '/'),
      get('plain.example', '/', https),
    ]);
    assert.deepEqual(seen.slice(0, 8), ['1', '308 https://tls.example/a?b', '2', '2', '3', '3', '3', '3']);
    assert.match(seen[8] ?? '', /^error/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

nginxTest('an ExternalName is looked up when a request comes, and gets its own name as Host', async () => {
  const external = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'out', namespace: 'web' },
    spec: { type: 'ExternalName', externalName: 'out.example.' },
  };
  const paths = [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'out', port: { number: 8080 } } } }];
  const { stdout } = compile(
    [
      external,
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'a', namespace: 'web' },
        spec: { rules: [{ host: 'a.example', http: { paths } }] },
      },
    ],
    ['--cluster-dns', '127.0.0.1'],
  );
  const dns: Server = { kind: 'dns', ip: '127.0.0.1', port: 53, answer: '10.9.0.2' };
  const probe = get('a.example', '/', { headers: {} });
  const [outcome] = (await runJob({
    servers: [...servers, dns],
    addresses: [],
    program: nginxCommand(stdout),
    listensOn,
    probes: [probe],
  })) as [HttpOutcome];
  assert.match(outcome.bodies[0] ?? String(outcome.statuses), /^10\.9\.0\.2:8080 .*"Host","out\.example"/);
});

nginxTest('a thousand hosts and long names load', async () => {
  const host = (index: number) => `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.h${index}.example`;
  const many = Array.from({ length: 1000 }, (_, index) => ingress(`i${index}`, host(index), [['/', 'Prefix', 'one']]));
  const { stdout } = compile([...services, ...many]);
  assert.deepEqual(await answers(stdout, [get(host(0), '/'), get(host(999), '/'), get(host(1000), '/')]), [
    '1',
    '1',
    '404',
  ]);
});

/** What is refused stops the whole run: nothing is printed. */
const refused: readonly (readonly [what: string, code: string, object: object])[] = [
  ['a path without slash', 'bad-path', ingress('a', 'a.example', [['x', 'Prefix', 'one']])],
  ['a newline in a path', 'bad-path', ingress('a', 'a.example', [['/x\n}', 'Prefix', 'one']])],
  [
    'a path that nginx would not match',
    'bad-path',
    ingress('a', 'a.example', [[`/${'x'.repeat(254)}`, 'Exact', 'one']]),
  ],
  ['a path of a megabyte', 'bad-path', ingress('a', 'a.example', [[`/${'x'.repeat(2 ** 20)}`, 'Prefix', 'one']])],
  ['configuration as a host', 'bad-name', ingress('a', 'a;} server {', [['/', 'Prefix', 'one']])],
  ['a host of two stars', 'bad-name', ingress('a', '*.*.example', [['/', 'Prefix', 'one']])],
  [
    'a Secret that is a path',
    'bad-name',
    ingress('a', 'a.example', [['/', 'Prefix', 'one']], {
      spec: { tls: [{ hosts: ['a.example'], secretName: '../../key' }] },
    }),
  ],
  ['another path type', 'bad-value', ingress('a', 'a.example', [['/', 'Regex', 'one']])],
];

for (const [what, code, object] of refused) {
  test(`refused: ${what}`, () => {
    const { status, stdout, stderr } = compile([...services, object]);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, new RegExp(`error ${code}:`));
  });
}

test('two Secrets whose files would have one name are refused', () => {
  const inNamespace = (namespace: string, host: string, secretName: string) => ({
    ...ingress('a', host, [['/', 'Prefix', 'one']], { spec: { tls: [{ hosts: [host], secretName }] } }),
    metadata: { name: 'a', namespace },
  });
  const { status, stderr } = compile([inNamespace('a', 'a.example', 'b-c'), inNamespace('a-b', 'b.example', 'c')]);
  assert.equal(status, 2);
  assert.match(stderr, /error bad-value: the Secrets a\/b-c and a-b\/c would have files of one name/);
});

test('what is left out is said', () => {
  const annotations = {
    'nginx.ingress.kubernetes.io/rewrite-target': '/$1',
    'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
  };
  const { status, stdout, stderr } = compile(
    [
      ...services,
      ingress('a', 'a.example', [['/', 'Prefix', 'one']], {
        metadata: { annotations },
        spec: { ingressClassName: 'ours', tls: [{ hosts: [] }] },
      }),
      ingress('b', 'b.example', [['/', 'Prefix', 'one']], { spec: { ingressClassName: 'theirs' } }),
    ],
    ['--ingress-class', 'ours'],
  );
  assert.equal(status, 0);
  for (const code of ['annotation-ignored', 'other-class', 'tls-ignored'])
    assert.match(stderr, new RegExp(` ${code}:`));
  assert.match(stdout, /proxy_pass https:\/\/web_one_80;/);
  assert.doesNotMatch(stdout, /b\.example/);
});

test('a backend that is a resource, and none at all', () => {
  const paths = [{ path: '/', pathType: 'Prefix', backend: { resource: { kind: 'Bucket', name: 'x' } } }];
  const object = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'a', namespace: 'web' },
    spec: { rules: [{ host: 'a.example', http: { paths } }] },
  };
  const { stdout, stderr } = compile([object], ['--default-backend', 'web/none:80']);
  assert.match(stderr, /resource backend cannot be proxied to: requests get 503/);
  assert.match(stderr, /the input has no Service web\/none: requests get 503/);
  assert.match(stdout, /return 503;/);
  const empty = compile([...services]);
  assert.match(empty.stderr, /warning no-ingresses:/);
});
