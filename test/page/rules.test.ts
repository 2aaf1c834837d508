import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { describe } from 'node:test';
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
    ['text of twice the size', { textSize: 32 }],
    ['with less motion', { reducedMotion: 'reduce' }],
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
      if (options.reducedMotion === 'reduce') {
        const button = page.getByRole('button', { name: 'Close the right side' });
        assert.equal(await button.evaluate((element) => getComputedStyle(element).transitionDuration), '0s');
      }
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

  inBrowser('follow what is typed', async () => {
    const { page, assertQuiet } = await openPage(shop);
    await settled(page);
    const rules = page.getByRole('textbox', { name: 'rules' });
    await rules.getByText('COMMIT').first().click();
    await page.keyboard.press('Control+End');
    const manifests = page.getByRole('textbox', { name: /^Manifests/ });
    await manifests.getByText('clusterIP: 10.96.0.10').click();
    await page.keyboard.press('End');
    await page.keyboard.type('5');
    await rules.getByText('-d 10.96.0.105/32').first().waitFor();
    await page.keyboard.press('Backspace');
    await rules.getByText('-d 10.96.0.10/32').first().waitFor();
    assert.equal(await rules.getByText('10.96.0.105').count(), 0);
    assertQuiet();
    await page.context().close();
  });
});

function commandOf({ mode, version, form }: { mode: string; version: string; form: string }): string {
  const asked = version === '' ? '' : ` --kube-version ${version}`;
  return `--mode ${mode}${asked} --node n1 --cluster-cidr 10.244.0.0/16 -o ${form}`;
}

/** Waits until the cursor is in such a line, in the editor with the focus. */
async function cursorIn(page: Page, line: RegExp): Promise<void> {
  await page.locator('.cm-focused .cm-activeLine', { hasText: line }).waitFor();
}
