import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { benchNode } from './cluster.ts';
import { makeCluster } from './makeCluster.ts';

/**
 * How fast the page is in Debian's Chromium: from opening the file to its first paint, and from a key press in the manifests,
 * or another choice of mode, to the rules that follow from it.
 */
export async function benchPage(scratch: string, runs: number): Promise<void> {
  const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
  if (program === undefined) {
    console.log('\npage: chromium is not installed');
    return;
  }
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  console.log(`\npage in Chromium ${browser.version()} (median of ${runs})`);
  console.log('  input               first paint   rules   key to rules   mode to rules');
  for (const [services, endpointsPerService] of [
    [50, 2],
    [1_000, 3],
    [5_000, 10],
  ] as const) {
    const manifests = join(scratch, 'page.yaml');
    makeCluster(manifests, { services, endpointsPerService }, 'yaml');
    const file = join(scratch, 'page.html');
    const { status } = spawnSync(
      process.execPath,
      [
        'bin/k8snet.cjs',
        'page',
        '-q',
        '-f',
        manifests,
        '--node',
        benchNode,
        '--cluster-cidr',
        '10.0.0.0/8',
        '-o',
        file,
      ],
      { stdio: 'inherit' },
    );
    if (status !== 0) throw new Error('the page could not be written');
    const measured: Measured[] = [];
    for (let run = 0; run < runs; run += 1) measured.push(await measurePage(browser, file));
    const middle = (pick: (one: Measured) => number) => {
      const all = measured.map(pick).sort((a, b) => a - b);
      return `${(all[Math.floor(all.length / 2)] ?? 0).toFixed(0)} ms`;
    };
    const columns = [
      middle(({ paint }) => paint).padStart(11),
      middle(({ rules }) => rules).padStart(9),
      middle(({ key }) => key).padStart(13),
      middle(({ mode }) => mode).padStart(14),
    ];
    console.log(`  ${`${services} x ${endpointsPerService}`.padEnd(20)}${columns.join('  ')}`);
  }
  await browser.close();
}

/** Milliseconds; `paint` and `rules` since the navigation began. */
interface Measured {
  readonly paint: number;
  readonly rules: number;
  readonly key: number;
  readonly mode: number;
}

async function measurePage(browser: Browser, file: string): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(pathToFileURL(file).href);
  await page.locator('#view[data-busy=false]').waitFor();
  const rules = await page.evaluate(() => performance.now());
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await page.getByRole('textbox', { name: /^Manifests/ }).click();
  await page.keyboard.press('Control+Home');
  const keys: number[] = [];
  for (let press = 0; press < 5; press += 1) keys.push(await timed(page, 'keydown', () => page.keyboard.type('#')));
  const key = keys.sort((a, b) => a - b)[2] ?? Number.NaN;
  const mode = await timed(page, 'change', async () => {
    await page.getByLabel('Mode', { exact: true }).selectOption('nftables');
  });
  await context.close();
  return { paint, rules, key, mode };
}

/** From an event to the end of the work that it causes, which the view shows. */
async function timed(page: Page, event: string, act: () => Promise<void>): Promise<number> {
  // A text: what runs in the browser is not compiled with the names of Node.
  await page.evaluate(`{
    const view = document.getElementById('view');
    globalThis.took = new Promise((resolve) => {
      let start = 0;
      document.addEventListener('${event}', () => (start = performance.now()), { capture: true, once: true });
      new MutationObserver(() => {
        // Drawn is what the frame after the change shows.
        if (view.dataset.busy === 'false') requestAnimationFrame(() => resolve(performance.now() - start));
      }).observe(view, { attributeFilter: ['data-busy'] });
    });
    null;
  }`);
  await act();
  return page.evaluate<number>('took');
}
