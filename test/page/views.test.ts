import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { runCli } from '../support/runCli.ts';
import { downloaded, inBrowser, openPage, settled } from './browser.ts';

const files = ['-f', 'fixtures/page/shop.yaml'];
const target = ['--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];

describe('the page: Services', () => {
  inBrowser('draw ways, decisions and shares, and list the same', async () => {
    const { page, assertQuiet, assertAccessible } = await openView('Services');
    await page.getByRole('button', { name: 'shop/web:http' }).click();
    const table = page.getByRole('table', { name: 'Where packets to shop/web:http go' });
    assert.deepEqual(await rowsOf(page, 'Where packets to shop/web:http go'), [
      "cluster IP|10.96.0.10:80/tcp|Pods and nodes|shared among all endpoints (2)|gets the node's address unless a Pod of this node sends|1/2 to 10.244.1.7:8080 on this node1/2 to 10.244.2.9:8080",
      "node port|node:30080/tcp|everybody|shared among all endpoints (2)|gets the node's address|1/2 to 10.244.1.7:8080 on this node1/2 to 10.244.2.9:8080",
    ]);
    assert.equal(await table.count(), 1);
    const drawn = await page
      .getByRole('img', { name: /^Ways of packets to shop\/web:http/ })
      .locator('.box')
      .allTextContents();
    assert.equal(drawn.filter((text) => text.startsWith('shared among')).length, 2, 'each decision has its own source');
    assert.ok(drawn.includes('10.244.1.7:8080on this node'));

    await page.getByRole('searchbox').fill('9000');
    await page.getByText('1 of 2 Service ports').waitFor();
    await page.getByRole('button', { name: 'shop/nobody:9000/udp' }).click();
    await page.getByRole('cell', { name: 'refused: there is no endpoint' }).waitFor();
    await assertAccessible('Services');
    assertQuiet();
    await page.context().close();
  });
});

describe('the page: a packet', () => {
  for (const [mode, from, to] of [
    ['iptables', 'outside', 'node:30080'],
    ['iptables', 'shop/client', 'shop/web:http'],
    ['nftables', 'shop/client', 'shop/web:http'],
    ['ipvs', 'shop/client', '10.96.0.10:80'],
  ] as const) {
    inBrowser(`takes the steps of trace: ${mode}, ${from} to ${to}`, async () => {
      const { page, assertQuiet } = await openView('Packet', '--mode', mode);
      await page.getByLabel('From', { exact: true }).fill(from);
      await page.getByLabel('From', { exact: true }).press('Tab');
      await page.getByLabel('To', { exact: true }).fill(to);
      await page.getByLabel('To', { exact: true }).press('Enter');
      await page.getByText(`--from ${from} --to ${to} -o json`).waitFor();
      const args = [...files, '--mode', mode, ...target, '--from', from, '--to', to];
      const { stdout } = runCli(['trace', ...args, '-o', 'json']);
      await page.getByText(runCli(['why', ...args]).stdout.split('\n')[0] ?? '').waitFor();
      assert.equal(await downloaded(page, 'Download the trace'), stdout);
      const { outcomes } = JSON.parse(stdout) as { outcomes: { first: { path: Event[] } }[] };
      for (const [at, { first }] of outcomes.entries()) {
        if (outcomes.length > 1) await page.getByRole('radio').nth(at).check();
        const shown = (await rowsOf(page, 'All steps')).filter(
          (row) => row.includes('|first packet|') && !row.includes('|end||'),
        );
        assert.deepEqual(
          shown.map((row) => row.split('|').slice(2, 6)),
          first.path.map(({ hook, table, chain, rule }) => [hook, table, chain, String(rule ?? '')]),
        );
      }
      assertQuiet();
      await page.context().close();
    });
  }

  inBrowser('goes forth and back by keys and by itself, and shows what the packet is', async () => {
    const { page, assertQuiet, assertAccessible } = await openView('Packet');
    await page.getByLabel('From', { exact: true }).fill('shop/client');
    await page.getByLabel('To', { exact: true }).fill('shop/web:http');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('--from shop/client --to shop/web:http').waitFor();
    const current = page.locator('tr[aria-current=step]');
    const text = async () => (await current.textContent()) ?? '';
    await page.getByRole('region', { name: /^All steps/ }).focus();
    for (let at = 0; at < 20 && !(await text()).includes('dnat'); at += 1) await page.keyboard.press('ArrowDown');
    assert.match(await text(), /dnat 10\.244\.\d\.\d:808010\.244\.1\.20 → 10\.244\.\d\.\d:8080$/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await text(), /10\.244\.1\.20 → 10\.96\.0\.10:80$/);
    await page.keyboard.press('End');
    assert.match(await text(), /answer.*leaves by .*10\.96\.0\.10:80 → 10\.244\.1\.20$/);
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText('Step 3 of').waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    await assertAccessible('a packet');
    assertQuiet();
    await page.context().close();
  });

  inBrowser('says what is wrong with a question', async () => {
    const { page, assertQuiet } = await openView('Packet');
    await page.getByLabel('To', { exact: true }).fill('shop/wep:http');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('did you mean shop/web').waitFor();
    assertQuiet();
    await page.context().close();
  });
});

interface Event {
  readonly hook: string;
  readonly table: string;
  readonly chain: string;
  readonly rule: number | null;
}

async function openView(view: string, ...options: readonly string[]) {
  const opened = await openPage([...files, ...target, ...options]);
  await settled(opened.page);
  await opened.page.getByRole('tab', { name: view, exact: true }).click();
  return opened;
}

/** The rows of a table, cells set apart by strokes. */
async function rowsOf(page: Page, caption: string): Promise<readonly string[]> {
  const rows = page.getByRole('table', { name: caption }).locator('tbody tr');
  await rows.first().waitFor();
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent).join('|')));
}

describe('the page: policies', () => {
  for (const rows of ['pods', 'namespaces'] as const) {
    inBrowser(`show the matrix of policy matrix: ${rows}`, async () => {
      const { page, assertQuiet, assertAccessible } = await openView('Policies');
      await page.getByLabel('Rows').selectOption(rows);
      const { stdout } = runCli(['policy', 'matrix', ...files, ...(rows === 'pods' ? ['--pods'] : []), '-o', 'csv']);
      const wanted = stdout
        .trim()
        .split('\r\n')
        .map((row) => row.replaceAll('"', '').replace(/ pairs, some ports/g, ' pairs; some ports'));
      await page.getByRole('rowheader', { name: rows === 'pods' ? 'shop/client' : 'shop', exact: true }).waitFor();
      const shown = await rowsOf(page, 'who may connect to whom, IPv4: senders down, receivers across');
      assert.deepEqual(
        shown.map((row) => row.replaceAll(' pairs, some ports', ' pairs; some ports').replaceAll('|', ',')),
        wanted.slice(1),
      );
      await assertAccessible(rows);
      assertQuiet();
      await page.context().close();
    });
  }

  inBrowser('mark what an edit of a policy changes', async () => {
    const { page, assertQuiet, assertAccessible } = await openView('Policies');
    await page.getByRole('button', { name: 'shop/client to shop/web-1: 8080/tcp' }).waitFor();
    const manifests = page.getByRole('textbox', { name: /^Manifests/ });
    await manifests.getByText('ports: [{ port: 8080 }]').click();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    for (const _ of '8080') await page.keyboard.press('Backspace');
    await page.keyboard.type('9090');
    await page.getByText('2 cells have changed').waitFor();
    await page.getByRole('button', { name: 'shop/client to shop/web-1: 8080/tcp 9090/tcp' }).waitFor();
    await assertAccessible('changed policies');
    await page.getByRole('tab', { name: 'Rules', exact: true }).click();
    await page.getByRole('tab', { name: 'Policies' }).click();
    await page.getByText('2 cells have changed').waitFor();
    await page.getByRole('button', { name: 'Compare with now' }).click();
    await page.getByRole('button', { name: 'shop/client to shop/web-1: 9090/tcp', exact: true }).waitFor();
    assert.equal(await page.locator('td.changed').count(), 0);
    assertQuiet();
    await page.context().close();
  });

  inBrowser('tell which policy decides', async () => {
    const { page, assertQuiet, assertAccessible } = await openView('Policies');
    await page.getByRole('button', { name: 'shop/client to shop/web-1: 8080/tcp' }).click();
    const { stdout } = runCli([
      'policy',
      'test',
      ...files,
      '--from',
      'shop/client',
      '--to',
      'shop/web-1',
      '--port',
      '8080',
    ]);
    assert.match(stdout, /web-from-client/);
    const said = page.locator('pre.answer');
    await said.getByText('web-from-client').waitFor();
    assert.equal(await said.textContent(), stdout);
    await page.getByRole('button', { name: 'external to shop/web-2: none' }).click();
    await said.getByText('denied: 203.0.113.1').waitFor();
    await assertAccessible('a cell');
    assertQuiet();
    await page.context().close();
  });
});

describe('the page: findings', () => {
  inBrowser('of manifests are those of lint', async () => {
    const { page, assertQuiet, assertAccessible } = await openView('Findings');
    const { stdout, stderr } = runCli(['lint', ...files, ...target]);
    const messages = page.getByRole('list', { name: 'Messages' });
    assert.match(`${stdout}${stderr}`, /has the labels app=nobody/);
    await messages.getByText('has the labels app=nobody').waitFor();
    await messages.getByText('Pod shop/web-1 has app=web').waitFor();
    await messages.getByRole('button', { name: 'fixtures/page/shop.yaml:69' }).waitFor();
    await assertAccessible('lint');
    assertQuiet();
    await page.context().close();
  });

  inBrowser('of a dump beside manifests are those of diff', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-page-dump-'));
    const dump = join(folder, 'n1.save');
    writeFileSync(
      dump,
      runCli(['compile', ...files, ...target]).stdout.replace('to-destination 10.244.2.9', 'to-destination 10.244.2.4'),
    );
    const { page, assertQuiet, assertAccessible } = await openPage([...files, ...target, dump]);
    await page.getByRole('tab', { name: 'Findings' }).click();
    const { stdout } = runCli(['diff', ...files, ...target, dump, '-o', 'json']);
    const { findings } = JSON.parse(stdout) as { findings: { id: string; seen: string }[] };
    assert.ok(findings.length > 0);
    await page.getByRole('list', { name: 'Findings' }).waitFor();
    const shown = await page.getByRole('list', { name: 'Findings' }).getByRole('listitem').allTextContents();
    assert.equal(shown.length, findings.length);
    for (const [at, { id, seen }] of findings.entries())
      assert.ok(shown[at]?.includes(id) && shown[at].includes(seen), id);
    await assertAccessible('diff');
    assertQuiet();
    await page.context().close();
    rmSync(folder, { recursive: true });
  });
});
