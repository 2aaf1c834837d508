// Draws docs/page.png, the README's picture of the page, with Debian's Chromium: `tsx scripts/makePagePicture.ts`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { embedInput } from '../src/page/pageInput.ts';
import { bundlePage } from './bundlePage.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'k8snet-picture-'));
try {
  await bundlePage(folder);
  const file = join(folder, 'page.html');
  const text = readFileSync(join(root, 'fixtures/readme/shop.yaml'), 'utf8');
  const settings = { node: 'n1', 'cluster-cidr': '10.244.0.0/16' };
  const input = { manifests: [{ name: 'shop.yaml', text }], dumps: [], settings };
  writeFileSync(file, embedInput(brotliDecompressSync(readFileSync(`${file}.br`)).toString(), input));
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(pathToFileURL(file).href);
  const rules = page.getByRole('textbox', { name: 'rules' });
  await rules.getByText('COMMIT').first().click();
  // The end of the text: what a Service port has of its own.
  await page.keyboard.press('Control+End');
  await rules.getByText('--probability').click();
  await page.getByText('of the connections that this chain balances').waitFor();
  await page.screenshot({ path: join(root, 'docs/page.png') });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true });
}
