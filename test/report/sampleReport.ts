import type { Origin } from '../../src/diagnostics/diagnostic.ts';
import type { Locate } from '../../src/diagnostics/place.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import type { ReportContext } from '../../src/report/reportContext.ts';
import { plainReportStyle } from '../../src/report/reportStyle.ts';

/** A place in a manifest; the line is what {@link locate} finds. */
function origin(file: string, line: number, document = 0): Origin {
  return { file, document, path: ['spec', line] };
}

/** Lines are written into the paths of {@link origin}. */
const locate: Locate = ({ path }) => {
  const line = path.at(-1);
  if (typeof line !== 'number') return undefined;
  return { line, column: 5, lineText: 'x', index: 4, pathText: 'spec', object: `Service shop/web` };
};

export const sampleContext: ReportContext = { locate, style: plainReportStyle, toolVersion: '1.2.3' };

const staleEndpoint: Finding = {
  code: 'K8N203',
  severity: 'error',
  service: 'shop/web:http',
  what: 'KUBE-SEP-LMJFKQLXGZYZQMCS sends to 10.244.1.9:8080, which is not an endpoint of shop/web:http',
  why: 'kube-proxy lost an update, or has lost its connection to the API server; the Pod behind is gone.',
  fix: 'Restart kube-proxy and look at its connection to the API server.',
  places: [origin('cluster.yaml', 31)],
  found: [{ file: 'node1.save', line: 812 }],
  rules: [
    {
      table: 'nat',
      chain: 'KUBE-SEP-LMJFKQLXGZYZQMCS',
      expected:
        '-A KUBE-SEP-LMJFKQLXGZYZQMCS -p tcp -m comment --comment "shop/web:http" -m tcp -j DNAT --to-destination 10.244.1.7:8080',
      found:
        '-A KUBE-SEP-LMJFKQLXGZYZQMCS -p tcp -m comment --comment "shop/web:http" -m tcp -j DNAT --to-destination 10.244.1.9:8080',
      place: { file: 'node1.save', line: 812 },
    },
    {
      table: 'nat',
      chain: 'KUBE-SVC-BYOSWABBXUZZ6UDU',
      expected:
        '-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.5 -j KUBE-SEP-LMJFKQLXGZYZQMCS',
    },
  ],
  isAdvice: false,
};

const otherStaleEndpoint: Finding = {
  ...staleEndpoint,
  service: 'shop/api',
  what: 'KUBE-SEP-AAAAAAAAAAAAAAAA sends to 10.244.1.10:80, which is not an endpoint of shop/api',
  places: Array.from({ length: 6 }, (_, index) => origin('api.yaml', index + 1)),
  found: [],
  rules: [],
};

const forwardDrop: Finding = {
  code: 'K8N504',
  severity: 'error',
  what: 'the policy of FORWARD is DROP and nothing accepts traffic to Pods',
  why: 'Docker sets the policy; firewalld, ufw and hand-made rules put refusals in front.',
  fix: 'Set the policy to ACCEPT or accept the Pods’ traffic, and keep refusals behind KUBE-FORWARD.',
  places: [],
  found: [{ file: 'node1.save', line: 4 }],
  isAdvice: false,
};

const noLocalEndpoints: Finding = {
  code: 'K8N502',
  severity: 'info',
  service: 'shop/lb:https',
  what: 'traffic to 192.0.2.10:443 is dropped here: none of the 3 endpoints is on this node',
  why: 'By design: clients of this node time out, and load balancers learn it from the health check.',
  fix: 'Nothing to do behind a load balancer that checks health; else use policy Cluster.',
  places: [origin('lb.yaml', 12)],
  found: [],
  isAdvice: true,
};

const uneven: Finding = {
  code: 'K8N302',
  severity: 'warning',
  service: 'shop/web:http',
  what: 'endpoints of shop/web:http get 25 %, 75 % of the traffic, not 50 % each',
  why: 'An old endpoint is still listed beside new ones, or the chain was edited.',
  fix: 'Force a full sync.',
  places: [],
  found: [{ file: 'node1.save', line: 820 }],
  rules: [
    {
      table: 'nat',
      chain: 'KUBE-SVC-BYOSWABBXUZZ6UDU',
      expected: '-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.5 -j KUBE-SEP-B',
      found: '-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.25 -j KUBE-SEP-B',
      place: { file: 'node1.save', line: 820 },
    },
    {
      table: 'nat',
      chain: 'KUBE-SVC-BYOSWABBXUZZ6UDU',
      expected: '-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-C',
      found: '-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-C',
      place: { file: 'node1.save', line: 819 },
      isMoved: true,
    },
  ],
  isAdvice: false,
};

/** One of everything that a report can hold. */
export const sampleReport: DiffReport = {
  kind: 'diffReport',
  comparison: 'manifests',
  expectedName: 'cluster.yaml',
  foundName: 'node1.save',
  summary: { services: 12, same: 9, missing: 1, differ: 2, extra: 0, staleChains: 3, foreignRules: 214 },
  findings: [noLocalEndpoints, uneven, staleEndpoint, otherStaleEndpoint, forwardDrop],
  changes: [
    {
      table: 'filter',
      chain: 'KUBE-FORWARD',
      found: '-A KUBE-FORWARD -s 203.0.113.0/24 -j DROP',
      place: { file: 'node1.save', line: 60 },
    },
    {
      table: 'filter',
      chain: 'KUBE-FORWARD',
      expected: '-A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
      found: '-A KUBE-FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT',
      place: { file: 'node1.save', line: 61 },
    },
  ],
  unread: [{ file: 'node1.save', line: 99, text: '-A KUBE-SVC -j', message: 'a target is missing' }],
  notes: ['written by kube-proxy 1.29 or 1.30'],
};

/** Nothing differs. */
export const sameReport: DiffReport = {
  ...sampleReport,
  summary: { services: 12, same: 12, missing: 0, differ: 0, extra: 0, staleChains: 0, foreignRules: 1 },
  findings: [],
  changes: [],
  unread: [],
  notes: [],
};

const esc = '\u001b[31m';
const evil = `${esc}<script>alert(1)</script>]]>"'&%\r\n::error::owned\u202e`;

/** Everything that comes from an input is hostile. */
export const hostileReport: DiffReport = {
  ...sampleReport,
  expectedName: `${evil}.yaml`,
  foundName: `${evil}.save`,
  findings: [
    {
      code: 'K8N203',
      severity: 'error',
      service: `shop/${evil}`,
      what: evil,
      why: evil,
      fix: evil,
      places: [{ file: `a,b:c%${evil}.yaml`, document: 0, path: ['spec', 3] }],
      found: [{ file: `${evil}.save`, line: 1 }],
      rules: [{ table: evil, chain: evil, expected: `-A ${evil} -j A`, found: `-A ${evil} -j B` }],
      isAdvice: false,
    },
  ],
  changes: [{ table: evil, chain: evil, expected: evil, found: `${evil}2`, place: { file: evil, line: 2 } }],
  unread: [{ file: evil, line: 2, text: evil, message: evil }],
  notes: [evil],
};
