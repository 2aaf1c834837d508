import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { drawn } from '../support/drawn.ts';
import { type Ended, runCli } from '../support/runCli.ts';
import { faults } from './faults.ts';
import { openShop, type Shop, webAddress, webAddress6 } from './openShop.ts';
import { lacksCluster } from './programs.ts';
import { createProxyPods } from './proxyPods.ts';
import { until } from './until.ts';

const missing = lacksCluster([]);
const skip = missing !== undefined && process.env.K8SNET_REQUIRE_CLUSTER !== '1' ? missing : false;

/**
 * From a Service's name to the cause: what is planted into a healthy cluster is what check-service names first, with
 * nothing else given; and it names nothing before and afterwards.
 */
suite('check-service names what was planted', { skip }, () => {
  let shop: Shop;
  let environment: Record<string, string>;
  const took: number[] = [];
  /** Of each fault, the answer that named it, in milliseconds. */
  const named = new Map<string, number>();
  const ask = () => {
    const start = performance.now();
    const ended = runCli(['check-service', 'shop/web', '--live'], { environment });
    took.push(performance.now() - start);
    return ended;
  };

  before(async () => {
    shop = await openShop([
      { version: '1.36.3', mode: 'iptables' },
      { version: '1.36.3', mode: 'nftables' },
    ]);
    await createProxyPods(shop);
    const { programs, folder } = shop.plane;
    environment = { PATH: `${programs}:${process.env.PATH}`, KUBECONFIG: join(folder, 'kubeconfig') };
    await until('the shop is in order', patience, async () => ask().status === 0);
  });
  after(async (context) => {
    const inSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
    const seconds = took.sort((a, b) => a - b).map(inSeconds);
    // Nothing asserts a time: whoever changes what is asked sees it here.
    if ('diagnostic' in context) {
      for (const [name, milliseconds] of named) context.diagnostic(`${inSeconds(milliseconds)} s: ${name}`);
      context.diagnostic(`${took.length} answers: median ${seconds[seconds.length >> 1]} s, most ${seconds.at(-1)} s`);
    }
    await shop?.close();
  });

  const everybodyConnects = async () => {
    for (const pod of ['client-1', 'client-2'])
      for (const address of [webAddress, webAddress6]) if (!(await shop.connects(pod, address, 80))) return false;
    return true;
  };

  for (const { name, plant, cause, feltBy, feltAt = webAddress } of drawn(faults)) {
    test(name, async () => {
      const repair = await plant(shop);
      let last: Ended | undefined;
      try {
        // A connection is tried in a moment; an answer of check-service takes the processors a second.
        if (feltBy !== undefined)
          await until(`${feltBy} feels it`, patience, async () => !(await shop.connects(feltBy, feltAt, 80)));
        await until(
          () => `the cause is named:\n${last?.stdout}${last?.stderr}`,
          patience,
          async () => {
            last = ask();
            if (last.status === 0 || !cause.test(firstCause(last))) return false;
            named.set(name, took.at(-1) ?? 0);
            return true;
          },
          pause,
        );
      } finally {
        await repair();
      }
      await until('everybody connects again', patience, everybodyConnects);
      await until(
        () => `the shop is in order again:\n${last?.stdout}${last?.stderr}`,
        patience,
        async () => {
          last = ask();
          return last.status === 0;
        },
        pause,
      );
    });
  }

  test('other Services come and go meanwhile', async () => {
    const services = '/api/v1/namespaces/other/services';
    const name = (round: number) => `passing-${round}`;
    for (let round = 0; round < 12; round += 1) {
      await shop.api.create(services, {
        metadata: { name: name(round) },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      });
      if (round >= 4) await shop.api.remove(`${services}/${name(round - 4)}`);
      const { status, stdout } = ask();
      assert.equal(status, 0, stdout);
    }
  });
});

const patience = 60_000;
/** Between two answers: kube-proxy needs the processors too. */
const pause = 400;

/** Below the verdict: a line, and its evidence, indented. */
function firstCause({ stdout }: Ended): string {
  const [, first = '', ...others] = stdout.split('\n').filter((line) => line.trim() !== '');
  const end = others.findIndex((line) => !line.startsWith(' '));
  return [first, ...others.slice(0, end === -1 ? others.length : end)].join('\n');
}
