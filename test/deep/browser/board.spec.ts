import { AxeBuilder } from '@axe-core/playwright';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startBoardHost, type BoardHost } from '../../board/board-host.js';
import { openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';

const SECTIONS = [
  'overview',
  'payments',
  'holds',
  'deliveries',
  'receipts',
  'receipts?tab=prepaid',
  'notifications',
  'requests',
  'books',
  'recoveries',
  'stores',
  'handlers',
];

describe('the board in a browser', () => {
  let board: BoardHost;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the policy of the pages has forbidden. */
  let forbidden: string[];
  beforeAll(async () => {
    browser = await openBrowser();
    board = await startBoardHost(() => new ExpressAdapter());
    board.handlers.refused.add('B-1');
    await board.paid('B-1');
    await board.paid('B-2', { capture: false });
    await board.paid('B-3');
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 1,
    );
  });
  afterAll(async () => {
    await board.close();
    await browser.close();
  });
  afterEach(() => context.close());

  const at = (path: string) => `${board.host.url}/admin/payments/${path}`;
  const open = async (options: BrowserContextOptions = {}): Promise<void> => {
    context = await browser.newContext({ extraHTTPHeaders: { 'x-staff': 'anna' }, ...options });
    page = await context.newPage();
    forbidden = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) forbidden.push(message.text());
    });
  };
  const idOf = async (reference: string) => {
    const [payment] = await board.host.payments.findByOrder(reference);
    return payment?.id ?? '';
  };
  const allPages = async () => [
    ...SECTIONS,
    `payments/${await idOf('B-1')}`,
    `payments/${await idOf('B-2')}/capture`,
    `payments/${await idOf('B-3')}/refund`,
    'payments/none',
  ];

  it.each<['light' | 'dark', number]>([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
    ['dark', 390],
  ])('is read by everybody, %s and %s px wide', async (colorScheme, width) => {
    await open({ colorScheme, viewport: { width, height: 844 } });
    const found: string[] = [];
    for (const path of await allPages()) {
      await page.goto(at(path));
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      found.push(...violations.map(({ id, nodes }) => `${path}: ${id} at ${nodes[0]?.html ?? ''}`));
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (wide > width) found.push(`${path}: ${wide} px wide`);
    }
    expect([...found, ...forbidden]).toEqual([]);
  });

  it('shows its menu on a phone, which Escape closes', async () => {
    await open({ viewport: { width: 390, height: 844 } });
    await page.goto(at('overview'));
    const stores = page.getByRole('link', { name: 'Stores' });
    expect(await stores.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await stores.waitFor();
    await page.keyboard.press('Escape');
    await stores.waitFor({ state: 'hidden' });
    expect(forbidden).toEqual([]);
  });

  // A browser may send one form or two for it; that two are one refund is shown in test/board/board.spec.ts.
  it('refunds a part without script, by a button that is pressed twice', async () => {
    const { id } = await board.paid('B-4');
    await open({ javaScriptEnabled: false });
    await page.goto(at('overview'));
    await page.getByLabel('Find a payment').fill('B-4');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'B-4' }).click();
    await page.getByRole('link', { name: 'Refund…' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('34,50');
    await page.getByLabel('Reason').fill('Arrived damaged');
    await page.getByRole('button', { name: 'Refund the amount' }).dblclick();
    await page.getByText('Refunds 34,50\u{202F}₽: Arrived damaged').first().waitFor();
    expect((await board.host.payments.refunds(id)).map(({ amount }) => amount.value)).toEqual(['34.50']);
    expect(forbidden).toEqual([]);
  });

  it('leads from the overview to a delivery that was given up, and has it repaired, in two clicks or by keyboard alone', async () => {
    await open();
    board.handlers.refused.clear();
    await page.goto(at('overview'));
    const focus = async (name: string) => {
      for (let tries = 0; tries < 80; tries += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<string>('document.activeElement.textContent')).startsWith(name)) return;
      }
      throw new Error(`The keyboard does not reach ${name}.`);
    };
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await focus('Open');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await focus('Run again');
    await page.keyboard.press('Enter');
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 0,
    );
    expect(forbidden).toEqual([]);
  });
});
