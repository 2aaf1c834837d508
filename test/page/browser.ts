import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Download, type Page } from 'playwright-core';
import { runCli } from '../support/runCli.ts';

/** Debian's browser, which drives nothing but files of the tests. */
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page that is open, with what it said and asked for meanwhile. */
export interface Opened {
  readonly page: Page;
  /** Fails if it said anything, or asked for anything but its own file and worker, and `allowed`. */
  readonly assertQuiet: (...allowed: readonly string[]) => void;
  /** Fails with what axe finds. */
  readonly assertAccessible: (where: string) => Promise<void>;
}

let browser: Promise<Browser> | undefined;
const folders: string[] = [];
after(async () => {
  await (await browser)?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A test with the browser: skipped where there is none, unless the environment says that one is required. */
export function inBrowser(name: string, test: () => Promise<void>): void {
  const isRequired = process.env.K8SNET_REQUIRE_KERNEL === '1';
  const skip = program === undefined && !isRequired ? 'chromium is not installed' : false;
  it(name, { skip }, async () => {
    assert.ok(program !== undefined, 'K8SNET_REQUIRE_KERNEL=1, and chromium is not installed');
    await test();
  });
}

/** Writes a page by the command line, and opens it from the disk. */
export async function openPage(args: readonly string[], options: ViewOptions = {}): Promise<Opened> {
  return openUrl(pathToFileURL(writtenPage(args)).href, options);
}

/** The path of a page that the command line has written. */
export function writtenPage(args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-page-'));
  folders.push(folder);
  const file = join(folder, 'page.html');
  const { status, stderr } = runCli(['page', ...args, '-o', file]);
  assert.equal(status, 0, stderr);
  return file;
}

export interface ViewOptions extends BrowserContextOptions {
  /** Pixels of the text that a person sets in the browser; 16 unless said. */
  readonly textSize?: number;
}

export async function openUrl(url: string, { textSize = 16, ...options }: ViewOptions = {}): Promise<Opened> {
  browser ??= chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
  const context = await (await browser).newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const said: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    said.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => asked.push(request.url()));
  if (textSize !== 16) {
    const settings = await context.newCDPSession(page);
    await settings.send('Page.setFontSizes', { fontSizes: { standard: textSize, fixed: textSize } });
  }
  await page.goto(url);
  await page.getByRole('tablist', { name: 'Views' }).waitFor();
  return {
    page,
    assertQuiet: (...allowed) => {
      assert.deepEqual(said, []);
      const own = url.replace(/#.*/, '');
      assert.deepEqual(
        asked.filter((one) => ![own, ...allowed].includes(one.replace(/#.*/, '')) && !one.startsWith('blob:')),
        [],
      );
    },
    assertAccessible: async (where) => {
      await picture(page, where);
      await assertAccessible(page, where);
    },
  };
}

/** Kept for people to look at, where K8SNET_PICTURES names a folder. */
async function picture(page: Page, where: string): Promise<void> {
  const into = process.env.K8SNET_PICTURES;
  if (into === undefined) return;
  pictures += 1;
  const { width = 0 } = page.viewportSize() ?? {};
  const test = `${process.pid}-${String(pictures).padStart(2, '0')}`;
  const name = `${test}-${where}-${width}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  await page.screenshot({ path: join(into, `${name}.png`) });
}

let pictures = 0;

/** Run from outside, by the protocol of the browser: the page's own policy would not let it in. */
async function assertAccessible(page: Page, where: string): Promise<void> {
  // Colours that change slowly are looked at when they have changed.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await checker.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  });
  assert.deepEqual(found, [], where);
}

/** What a button saves, as text. A busy browser has lost a download, without a word: the button is used once more then. */
export async function downloaded(page: Page, button: string): Promise<string> {
  const download = (await clicked(page, button).catch(() => undefined)) ?? (await clicked(page, button));
  return readFileSync(await download.path(), 'utf8');
}

async function clicked(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return download;
}

/** Waits until what is shown is the answer to what was asked last. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#view[data-busy=false]').waitFor();
}
