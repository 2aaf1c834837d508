import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { runCli } from '../support/runCli.ts';
import { downloaded, inBrowser, openPage, settled, writtenPage } from './browser.ts';

const shop = ['-f', 'fixtures/readme/shop.yaml', '--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];

describe('the page: rules', () => {
  inBrowser('say what a rule does, and light up with the line that it comes from', async () => {
    const { page, assertQuiet } = await openPage(shop);
    await settled(page);
    const rules = page.getByRole('textbox', { name: 'rules' });
    const manifests = page.getByRole('textbox', { name: /^Manifests/ });
    await rules.getByText('--to-destination 10.244.2.9:8080').click();
    await page.getByText('Packets of tcp go to the endpoint 10.244.2.9:8080.').waitFor();
    await manifests.locator('.lit', { hasText: '10.244.2.9' }).waitFor();
    assert.equal(await manifests.locator('.lit').count(), 1);
    await page.getByRole('button', { name: '10.244.2.9 (fixtures/readme/shop.yaml:16)' }).click();
    await cursorIn(page, /addresses: \[10\.244\.2\.9\]/);

    await manifests.getByText('targetPort: 8080').click();
    await rules.locator('.lit', { hasText: '-A KUBE-SERVICES -d 10.96.0.10/32' }).waitFor();
    assert.equal(await rules.locator('.lit', { hasText: 'KUBE-MARK-MASQ -j MARK' }).count(), 0);
    assertQuiet();
    await page.context().close();
  });

  inBrowser('underline what is wrong, and name its place', async () => {
    const { page, assertQuiet, assertAccessible } = await openPage(['-f', 'fixtures/bad/port-zero/manifests.yaml']);
    await page.getByRole('list', { name: 'Messages' }).getByText('0 is not between 1 and 65535').first().waitFor();
    await page.locator('.cm-lintRange-error').first().waitFor();
    await page.getByRole('button', { name: 'fixtures/bad/port-zero/manifests.yaml:10' }).click();
    await cursorIn(page, /port: 0/);
    await assertAccessible('with errors');
    assertQuiet();
    await page.context().close();
  });

  for (const [name, options] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 320, height: 640 } }],
    ['4k', { viewport: { width: 3840, height: 2160 } }],
  ] as const) {
    inBrowser(`can be used by everybody: ${name}`, async () => {
      const { page, assertQuiet, assertAccessible } = await openPage(shop, options);
      await settled(page);
      await assertAccessible('one side');
      await page.getByRole('button', { name: 'Compare with another choice' }).click();
      await page.getByLabel('Right: Mode').selectOption('nftables');
      await page.getByText('table ip kube-proxy {').waitFor();
      await assertAccessible('two sides');
      await page.getByRole('tab', { name: 'Settings' }).click();
      await assertAccessible('settings');
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px sideways`);
      assertQuiet();
      await page.context().close();
    });
  }

  inBrowser('two side by side mark what only one has', async () => {
    const { page, assertQuiet } = await openPage(shop);
    await settled(page);
    await page.getByRole('button', { name: 'Compare with another choice' }).click();
    await page.getByText('Both sides have the same lines.').waitFor();
    await page.getByLabel('Right: kube-proxy').selectOption('1.24');
    await page.getByText(/^Marked: \d+ lines only on the left, \d+ only on the right\.$/).waitFor();
    const marked = await page.getByRole('textbox', { name: 'Right: rules' }).locator('.different').allTextContents();
    assert.ok(marked.length > 0 && marked.every((line) => line !== 'COMMIT'));
    assertQuiet();
    await page.context().close();
  });

  inBrowser('is one small file that needs nothing else', async () => {
    const file = writtenPage(shop);
    assert.ok(gzipSync(readFileSync(file)).length < 1_600_000, `${statSync(file).size} bytes`);
    const { page, assertQuiet } = await openPage(shop);
    await settled(page);
    await page.context().setOffline(true);
    await page.getByLabel('Mode', { exact: true }).selectOption('nftables');
    await page.getByText('table ip kube-proxy {').waitFor();
    assertQuiet();
    await page.context().close();
  });

  inBrowser('are those of compile in every mode, form and some versions', async () => {
    const { page, assertQuiet } = await openPage(shop);
    for (const mode of ['iptables', 'ipvs', 'nftables']) {
      await page.getByLabel('Mode', { exact: true }).selectOption(mode);
      for (const version of ['1.31', '1.36', '']) {
        await page.getByLabel('kube-proxy', { exact: true }).selectOption(version);
        for (const form of ['save', 'restore', 'script', 'json']) {
          await page.getByLabel('Form', { exact: true }).selectOption(form);
          const command = commandOf({ mode, version, form });
          await page.getByText(`k8snet compile -f fixtures/readme/shop.yaml ${command}`, { exact: true }).waitFor();
          await settled(page);
          const { stdout, status } = runCli(['compile', ...shop.slice(0, 2), ...command.split(' ')]);
          assert.equal(status, 0);
          assert.equal(await downloaded(page, 'Download the rules'), stdout, command);
        }
      }
    }
    assertQuiet();
    await page.context().close();
  });

  inBrowser('follow what is typed, within 100 ms for 50 Services', async () => {
    const { page, assertQuiet } = await openPage([
      '-f',
      writtenServices(50),
      '--node',
      'n1',
      '--cluster-cidr',
      '10.0.0.0/8',
    ]);
    await settled(page);
    await page.getByRole('textbox', { name: /^Manifests/ }).click();
    await page.keyboard.press('Control+Home');
    await page.evaluate(measureKeys);
    for (let turn = 1; turn <= 9; turn += 1) {
      await page.keyboard.type('#');
      await page.waitForFunction((count) => (globalThis as unknown as Measured).took.length === count, turn);
    }
    const times = await page.evaluate(() => (globalThis as unknown as Measured).took);
    times.sort((a, b) => a - b);
    // The machine may be busy: the middle of several.
    assert.ok((times[4] ?? Infinity) < 100, times.join(', '));
    assertQuiet();
    await page.context().close();
  });
});

function commandOf({ mode, version, form }: { mode: string; version: string; form: string }): string {
  const asked = version === '' ? '' : ` --kube-version ${version}`;
  return `--mode ${mode}${asked} --node n1 --cluster-cidr 10.244.0.0/16 -o ${form}`;
}

interface Measured {
  took: number[];
}

/** From the key to the rules: the view is busy in between. */
function measureKeys(): void {
  const measured = globalThis as unknown as Measured;
  measured.took = [];
  let start = 0;
  const view = document.getElementById('view') as HTMLElement;
  document.addEventListener('keydown', () => (start = performance.now()), { capture: true });
  new MutationObserver(() => {
    if (view.dataset.busy === 'false') measured.took.push(performance.now() - start);
  }).observe(view, { attributeFilter: ['data-busy'] });
}

const folder = mkdtempSync(join(tmpdir(), 'k8snet-page-input-'));
after(() => rmSync(folder, { recursive: true }));

/** Services with two endpoints each. */
function writtenServices(count: number): string {
  const file = join(folder, 'services.yaml');
  const documents = Array.from({ length: count }, (_, at) => {
    const labels = `{ kubernetes.io/service-name: s${at} }`;
    return `apiVersion: v1
kind: Service
metadata: { name: s${at}, namespace: shop }
spec:
  clusterIP: 10.96.1.${at + 1}
  selector: { app: s${at} }
  ports: [{ name: http, port: 80, targetPort: 8080 }]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: s${at}-1, namespace: shop, labels: ${labels} }
addressType: IPv4
ports: [{ name: http, port: 8080 }]
endpoints:
  - { addresses: [10.244.1.${at + 1}], nodeName: n1 }
  - { addresses: [10.244.2.${at + 1}], nodeName: n2 }
`;
  });
  writeFileSync(file, documents.join('---\n'));
  return file;
}

/** Waits until the cursor is in such a line, in the editor with the focus. */
async function cursorIn(page: Page, line: RegExp): Promise<void> {
  await page.locator('.cm-focused .cm-activeLine', { hasText: line }).waitFor();
}
