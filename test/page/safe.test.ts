import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { downloaded, inBrowser, openPage, openUrl, settled, writtenPage } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-page-safe-'));
after(() => rmSync(folder, { recursive: true }));

const tag = '</script><img src=x onerror=alert(1)><script>alert(2)</script><!--<script>';

describe('the page: what others wrote', () => {
  inBrowser('is text in every view', async () => {
    const { page, assertQuiet } = await openPage(['-f', hostileManifests(), hostileDump()]);
    await settled(page);
    for (const view of await page.getByRole('tablist', { name: 'Views' }).getByRole('tab').all()) {
      await view.click();
      await settled(page);
      await page.locator('section.view').waitFor();
      assert.equal(
        await page.locator('img[src], #view script, #view iframe').count(),
        0,
        (await view.textContent()) ?? '',
      );
    }
    assert.equal(await page.getByRole('tab', { name: 'Manifests' }).count(), 1);
    assertQuiet();
    await page.context().close();
  });

  inBrowser('is text in the rules that a packet meets', async () => {
    const { page, assertQuiet } = await openPage([hostileDump()]);
    await page.getByRole('tab', { name: 'Packet' }).click();
    await page.getByLabel('From', { exact: true }).fill('10.0.0.1');
    await page.getByLabel('To', { exact: true }).fill('10.96.0.10:80');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('Step 1 of').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('.explained code', { hasText: tag }).waitFor();
    assert.equal(await page.locator('img[src]').count(), 0);
    assertQuiet();
    await page.context().close();
  });

  inBrowser('goes where it belongs when it is dropped', async () => {
    const { page, assertQuiet } = await openPage(['-f', 'fixtures/page/shop.yaml']);
    await settled(page);
    const packed = gzipSync(readFileSync(hostileDump()));
    const files = [
      {
        name: 'more.yaml',
        mimeType: '',
        buffer: Buffer.from('metadata: { name: x }\napiVersion: v1\nkind: Namespace\n'),
      },
      { name: 'n1.save.gz', mimeType: '', buffer: packed },
    ];
    await page.locator('input[type=file]').setInputFiles(files);
    await page.getByText('Added: more.yaml, n1.save.').waitFor();
    await page.getByRole('textbox', { name: 'Manifests, more.yaml' }).waitFor();
    await page.getByRole('tab', { name: 'Dump' }).click();
    await page.getByRole('textbox', { name: 'Dump, n1.save' }).getByText('KUBE-SVC-AAAAAAAAAAAAAAAA').waitFor();
    await page.getByLabel('Form', { exact: true }).selectOption('dump');
    await page.getByRole('textbox', { name: 'rules' }).getByText('KUBE-SVC-AAAAAAAAAAAAAAAA').waitFor();
    assertQuiet();
    await page.context().close();
  });

  inBrowser('cannot run, load or send anything', async () => {
    const { page } = await openPage(['-f', 'fixtures/page/shop.yaml']);
    await settled(page);
    const refused = await page.evaluate(attempts);
    assert.deepEqual(refused, { eval: true, html: true, worker: true, fetch: true, script: true });
    const policy = await page.locator('meta[http-equiv]').getAttribute('content');
    assert.doesNotMatch(policy ?? '', /unsafe|https?:|\*/);
    assert.match(policy ?? '', /default-src 'none'.*connect-src 'none'.*require-trusted-types-for 'script'/);
    await page.context().close();
  });

  inBrowser('in the address is taken for what it is', async () => {
    const file = pathToFileURL(writtenPage(['-f', 'fixtures/page/shop.yaml'])).href;
    for (const hash of ['#x', `#${encodeURIComponent(tag)}`, '#eJwDAAAAAAE', `#${'A'.repeat(5000)}`]) {
      const { page, assertQuiet } = await openUrl(`${file}${hash}`);
      await settled(page);
      await page.getByText('*mangle').waitFor();
      assertQuiet();
      await page.context().close();
    }
  });
});

describe('the page: its address', () => {
  inBrowser('brings all of it back', async () => {
    const shop = ['-f', 'fixtures/page/shop.yaml', '--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];
    const { page, assertQuiet } = await openPage(shop);
    await settled(page);
    const file = page.url().replace(/#.*/, '');
    await page.getByLabel('Mode', { exact: true }).selectOption('nftables');
    await page.getByRole('button', { name: 'Compare with another choice' }).click();
    await page.getByLabel('Right: Mode').selectOption('ipvs');
    await addressSays(page, file);
    const rules = await downloaded(page, 'Download the left rules');
    // The address alone holds the input: another page of the same kind shows it.
    const other = writtenPage(['-f', 'fixtures/readme/shop.yaml']);
    const opened = await openUrl(`${pathToFileURL(other).href}${new URL(page.url()).hash}`);
    await settled(opened.page);
    assert.equal(await opened.page.getByLabel('Right: Mode').inputValue(), 'ipvs');
    assert.equal(await downloaded(opened.page, 'Download the left rules'), rules);
    await opened.page.getByText('-f fixtures/page/shop.yaml').first().waitFor();
    opened.assertQuiet();
    assertQuiet();
    await opened.page.context().close();
    await page.context().close();
  });
});

/** As text: what is built keeps names by a function that the page does not have. Behind a pause, since what a debugger runs at once is not held to the policy. */
const attempts = `(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  const tried = {};
  const attempt = async (name, act) => {
    try {
      await act();
      tried[name] = false;
    } catch {
      tried[name] = true;
    }
  };
  await attempt('eval', () => Function('return 1')());
  await attempt('html', () => { document.createElement('div').innerHTML = '<b>x</b>'; });
  await attempt('worker', () => new Worker('https://example.org/x.js'));
  await attempt('fetch', () => fetch('https://example.org/'));
  await attempt('script', () => {
    const script = document.createElement('script');
    script.text = 'document.title = "run"';
    document.body.append(script);
    if (document.title !== 'run') throw new Error('refused');
  });
  return tried;
})()`;

/** The address follows what is shown a moment later. */
async function addressSays(page: Page, file: string): Promise<void> {
  let last = '';
  await page.waitForFunction((before) => location.href !== before && location.hash.length > 2, file);
  for (let same = 0; same < 3; ) {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)));
    same = page.url() === last ? same + 1 : 0;
    last = page.url();
  }
}

function hostileManifests(): string {
  const file = join(folder, 'a<b>&\'"x.yaml');
  const text = JSON.stringify(tag);
  writeFileSync(
    file,
    `${readFileSync('fixtures/page/shop.yaml', 'utf8')}---
apiVersion: v1
kind: Service
metadata: { name: ${text}, namespace: shop, annotations: { ${text}: ${text} } }
spec: { ports: [{ port: 1 }] }
---
# ${tag}
apiVersion: v1
kind: ${text}
metadata: { name: ${text} }
`,
  );
  return file;
}

function hostileDump(): string {
  const file = join(folder, 'n1<img src=x onerror=alert(1)>.save');
  const rule = `-A KUBE-SERVICES -d 10.96.0.10/32 -p tcp -m comment --comment "${tag}" -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA`;
  const jump = '-A PREROUTING -j KUBE-SERVICES';
  writeFileSync(file, `*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\n${jump}\n${rule}\nCOMMIT\n`);
  return file;
}
