import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { manifestChecks } from '../../src/findings/checks/manifestChecks.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { compileText } from '../support/compileText.ts';

const web = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  ipFamilyPolicy: RequireDualStack
  ipFamilies: [IPv4, IPv6]
  clusterIPs: [10.96.0.7, "fd00:96::7"]
  clusterIP: 10.96.0.7
  sessionAffinity: ClientIP
  ports: [{name: http, port: 80}, {name: admin, port: 81}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [10.244.1.1]}]
ports: [{name: http, protocol: TCP, port: 8080}, {name: admin, protocol: TCP, port: 8081}]
`;

const tables = ['iptables.v4.save', 'iptables.v6.save'].map((name) => ({
  name,
  text: '*nat\n:KUBE-SERVICES - [0:0]\nCOMMIT\n',
}));

describe('a Service with addresses of both families', () => {
  it('is told once what holds for both, and what holds for one', async () => {
    const { compiled } = await compileText(web, '--family', 'both');
    const dump = readDumps(tables, { name: 'node', family: undefined });
    const said = manifestChecks(compiled, dump, { ...noObjectFacts, family: 'both' })
      .filter(({ code }) => code === 'K8N305' || code === 'K8N501')
      .map(({ code, service, what }) => `${code} ${service}: ${what.replace(/[:,].*/, '')}`);
    assert.deepEqual(said.sort(), [
      'K8N305 shop/web:admin: each of 2 ports remembers clients by itself',
      'K8N305 shop/web:http: each of 2 ports remembers clients by itself',
      'K8N501 shop/web:admin: no endpoints at all',
      'K8N501 shop/web:http: no endpoints at all',
    ]);
  });
});
