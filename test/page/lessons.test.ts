import { describe } from 'node:test';
import { lessons } from '../../src/page/lessons/lessons.ts';
import { inBrowser, openPage, settled } from './browser.ts';

describe('the page: lessons', () => {
  inBrowser('each shows what it speaks of', async () => {
    const { page, assertQuiet, assertAccessible } = await openPage(['-f', 'fixtures/readme/shop.yaml']);
    await settled(page);
    await page.getByRole('tab', { name: 'Lessons' }).click();
    await assertAccessible('the list');
    await page.getByRole('button', { name: lessons[0]?.title ?? '' }).click();
    for (const [at, { title, shows }] of lessons.entries()) {
      await page.getByRole('heading', { name: `Lesson ${at + 1} of ${lessons.length}: ${title}` }).waitFor();
      await settled(page);
      const text = page.locator('section.view').getByText(shows).first();
      await text.waitFor().catch((error: Error) => {
        throw new Error(`${title}: ${error.message}`);
      });
      await assertAccessible(title);
      if (at < lessons.length - 1) await page.getByRole('button', { name: 'Next lesson' }).click();
    }
    await page.getByRole('button', { name: 'Close the lesson' }).click();
    await page.getByRole('textbox', { name: 'Manifests, fixtures/readme/shop.yaml' }).waitFor();
    assertQuiet();
    await page.context().close();
  });
});
