import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { behaviourSide } from '../../src/behaviour/behaviourSide.ts';
import { prefixTexts } from '../../src/behaviour/outcome/prefixTexts.ts';
import { type Reach, type ReachClass, reach } from '../../src/behaviour/reach/reach.ts';
import { findReach, readFind } from '../../src/behaviour/reach/reachFind.ts';
import { reachHtml } from '../../src/behaviour/reach/reachHtml.ts';
import { foundJson, reachJson } from '../../src/behaviour/reach/reachJson.ts';
import { reachText } from '../../src/behaviour/reach/reachText.ts';
import { serviceRows } from '../../src/behaviour/reach/serviceRows.ts';
import { readReachQuestion } from '../../src/cli/words/reachQuestion.ts';
import { hasValue } from '../../src/common/ranges/valueSet.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { addressValue } from '../../src/netfilter/addressRanges.ts';
import { objectsOfManifests } from '../../src/trace/known/objectsOfManifests.ts';
import { protocolNumbers } from '../../src/trace/question/protocolName.ts';
import { endText } from '../../src/walk/values/text.ts';
import { asWritten } from '../support/asWritten.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';

type Probe = readonly [from: string, to: string, proto: string, outcomes: readonly (readonly string[])[]];

async function compiledReach(name: string, ...args: readonly string[]): Promise<Reach> {
  const { compiled } = await compileCase(`services/${name}`, ...args);
  assert.ok(compiled !== undefined);
  const { rules, objects } = objectsOfManifests(compiled, false);
  return reach(behaviourSide('manifests', rules, objects));
}

const folder = join(root, 'golden/recorded/outcomes');

describe('reach says what real packets did', () => {
  const files = readdirSync(folder).filter((_, at) => at % 4 === 1);
  for (const file of files.sort()) {
    it(file, () => {
      const [scenario = '', mode = ''] = file.split('.');
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { facts: object; probes: Probe[] };
      const tool = mode === 'nftables' ? 'nft' : 'iptables';
      const texts = ['v4', 'v6'].map((family) => `golden/recorded/services/${scenario}/${mode}/${tool}.${family}.save`);
      const dumps = texts
        .map((path) => join(root, path))
        .filter(existsSync)
        .map((path) => ({ name: path, text: readFileSync(path, 'utf8') }));
      const facts = { name: 'facts.json', text: JSON.stringify(recorded.facts), kind: 'facts' as const };
      const { rows } = reach(behaviourSide(scenario, readDumps([...dumps, facts], { name: scenario }), undefined));
      const byEnd = new Map(
        rows.flatMap(({ destination: { address, use, protocolPorts }, classes }) =>
          use === 'port'
            ? [[`${endText(address, protocolPorts[0]?.port)} ${protocolPorts[0]?.protocol}`, classes] as const]
            : [],
        ),
      );
      let judged = 0;
      for (const [from, to, proto, outcomes] of recorded.probes) {
        if (outcomes.some(([kind]) => kind === 'unjudged')) continue;
        const classes = byEnd.get(`${to} ${protocolNumbers.get(proto)}`);
        const own = classes && classOf(classes, from);
        if (own === undefined || own.outcome.isOpen) continue;
        judged += 1;
        assert.deepEqual(predicted(own), seen(outcomes), `${from} to ${to}/${proto}`);
      }
      assert.ok(judged > 0);
    });
  }
});

/** The class of a sender: endpoints are senders of their own. */
function classOf(classes: readonly ReachClass[], from: string): ReachClass | undefined {
  if (from === 'node') return classes.find(({ entrance }) => entrance === 'node');
  const address = addressValue(from);
  const own = classes.filter(({ sources }) => address !== undefined && hasValue(sources, address));
  return own.find(({ entrance }) => entrance.endsWith('endpoint')) ?? own[0];
}

function predicted({ outcome }: ReachClass): readonly string[] {
  const words = [...outcome.outcomes.values()].map(({ outcome: { kind, at } }) => {
    if (kind === 'arrives') return `arrives ${at && endText(at.address, at.port)}`;
    if (kind === 'leaves') return 'leaves';
    return kind === 'refused' || kind === 'node' ? 'refused' : 'nothing';
  });
  return [...new Set(words)].sort();
}

/** What a closed port of the node says is a refusal as well. */
function seen(outcomes: Probe[3]): readonly string[] {
  const words = outcomes.map(([kind, at]) =>
    kind === 'arrives' ? `arrives ${at}` : kind === 'leaked' ? 'leaves' : kind === 'refused' ? 'refused' : 'nothing',
  );
  return [...new Set(words)].sort();
}

describe('reach of manifests', () => {
  for (const mode of ['iptables', 'ipvs', 'nftables']) {
    it(`${mode}: load-balancer IP with source ranges and policy Local`, async () => {
      const reached = await compiledReach('lb-etp-local-source-ranges', '--mode', mode);
      const shown = { ...reached, rows: serviceRows(reached.rows) };
      assertGolden(`reach/ranges-${mode}.txt`, reachText(shown, { isVerbose: false, limit: 100 }));
      const balancer = shown.rows.find(({ name }) => name.kind === 'loadBalancerIP');
      assert.equal(balancer?.name.service, 'default/vpn:vpn');
      const outside = balancer?.classes.filter(({ entrance }) => entrance === 'outside') ?? [];
      assert.equal(outside.length, 2, 'in range and out of it');
    });
  }

  it('--find takes outcomes and endpoints', async () => {
    const reached = await compiledReach('lb-etp-local-source-ranges');
    const dropped = findReach(reached, [readFind('dropped') ?? assert.fail()]);
    assert.ok(dropped.length > 0);
    assert.ok(dropped.every(({ row }) => row.name.kind === 'loadBalancerIP'));
    const ended = findReach(reached, [readFind('to 10.244.3.60') ?? assert.fail()]);
    const isOutside = ended.filter(
      ({ row, found }) => row.name.kind === 'loadBalancerIP' && found.entrance === 'outside',
    );
    assert.deepEqual(isOutside, [], 'policy Local: from outside none of another node');
    assert.ok(ended.length > 0);
    assert.deepEqual(findReach(reached, [readFind('to 10.244.3.60:1') ?? assert.fail()]), []);
    assert.deepEqual(['lost', 'to', 'to shop/web', ''].map(readFind), [undefined, undefined, undefined, undefined]);
  });

  it('-o json keeps to its schema, also of what is found', async () => {
    const schema = JSON.parse(readFileSync(join(root, 'schema/reach-output.schema.json'), 'utf8'));
    const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    for (const mode of ['iptables', 'ipvs', 'nftables']) {
      const reached = await compiledReach('dualstack-lb-mixed', '--mode', mode);
      assert.ok(isValid(asWritten(reachJson(reached, 1000))), JSON.stringify(isValid.errors));
      const found = findReach(reached, [readFind('answered') ?? assert.fail()]);
      assert.ok(isValid(asWritten(foundJson(reached, found, 3))), JSON.stringify(isValid.errors));
    }
  });

  it('-o html escapes names and loads nothing', async () => {
    const reached = await compiledReach('lb-basic');
    const hostile = { ...reached, name: '<script>alert(1)</script>', unknown: [{ text: '<b>', rule: '"&' }] };
    const page = [...reachHtml(hostile)].join('');
    assert.doesNotMatch(page, /<script|<b>|https?:/);
    assert.match(page, /Content-Security-Policy/);
    assert.equal(page.match(/<section>/g)?.length, page.match(/<\/section>/g)?.length);
  });
});

describe('what reach is asked', () => {
  it('tells Services and addresses from dumps', () => {
    assert.deepEqual(readReachQuestion(['node1.save', 'svc/shop/web:http']), {
      question: { service: 'shop/web:http' },
      dumps: ['node1.save'],
    });
    assert.deepEqual(readReachQuestion(['service/web']), { question: { service: 'default/web' }, dumps: [] });
    assert.deepEqual(readReachQuestion(['[fd00::1]:80', 'a', 'b']), {
      question: { to: { address: addressValue('fd00::1'), port: 80 } },
      dumps: ['a', 'b'],
    });
    assert.equal(typeof readReachQuestion(['svc/a/b', '10.0.0.1']), 'string');
    assert.equal(typeof readReachQuestion(['svc/../x y']), 'string');
  });

  it('writes sets of addresses as prefixes', () => {
    const range = (first: string, last: string) => ({
      first: addressValue(first) ?? assert.fail(),
      last: addressValue(last) ?? assert.fail(),
    });
    assert.deepEqual(prefixTexts([range('0.0.0.0', '255.255.255.255')]), ['0.0.0.0/0']);
    assert.deepEqual(prefixTexts([range('10.0.0.1', '10.0.0.6')]), [
      '10.0.0.1',
      '10.0.0.2/31',
      '10.0.0.4/31',
      '10.0.0.6',
    ]);
    assert.deepEqual(prefixTexts([range('::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')]), ['::/0']);
    assert.deepEqual(prefixTexts([range('10.0.0.1', '10.0.0.1'), range('10.0.0.4', '10.0.0.6')], 1), [
      '10.0.0.1',
      '1 more',
    ]);
  });

  const manifests = ['-f', 'fixtures/services/lb-basic/manifests.yaml', '--node', 'node-1'];
  for (const [args, status] of [
    [['reach', ...manifests, 'svc/default/nobody'], 2],
    [['reach', ...manifests, '--find', 'lost'], 2],
    [['reach', ...manifests, '--find', 'unroutable'], 1],
    [['reach', ...manifests, '10.99.99.99:80', '-o', 'json'], 0],
    [['reach'], 2],
  ] as const) {
    it(`${args.join(' ')}: ${status}`, () => {
      const ended = runCli(args);
      assert.equal(ended.status, status, ended.stdout + ended.stderr);
    });
  }
});
