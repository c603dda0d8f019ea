import { AxeBuilder } from '@axe-core/playwright';
import { yookassaProfile, type ReceiptInput } from '@holdfast/payments';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startBoardHost, type BoardHost } from '../../board/board-host.js';
import { openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';

const HOUR_MS = 3_600_000;
const item = {
  description: 'Cup',
  amount: { value: '1234.50', currency: 'RUB' },
  quantity: 1,
  vatCode: 11,
} as const;
const receipt: ReceiptInput = { customer: { email: 'anna@buyer.example' }, items: [item] };

/** As a marketplace numbers its orders, and without a place to break. */
const LONG = 'MARKETPLACE_2030_02_14_0000000000000000000000000017';

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
    board = await startBoardHost(
      () => new ExpressAdapter(),
      {},
      {
        sandbox: { profile: 'yookassa', receipts: { scenario: 'with_payment', provider: 'atol' } },
        payments: {
          profile: yookassaProfile,
          fiscalization: { register: 'third_party', requireReceipt: false },
        },
      },
    );
    board.handlers.refused.add('B-1');
    await paid(LONG);
    await paid('B-1');
    await paid('B-2', { capture: false });
    await paid('B-3');
    const prepaid = { ...receipt, items: [{ ...item, paymentMode: 'full_prepayment' as const }] };
    await paid('B-5', { receipt: prepaid });
    const failed = await paid('B-6', { receipt: prepaid });
    board.sandbox.receipts.next({ status: 'canceled' });
    await board.host.payments.settlePrepayment(failed.id);
    await eventually(
      async () => {
        await board.sandbox.clock.advance(60_000);
        return board.operator.receiptProblems();
      },
      ({ length }) => length === 1,
    );
    const to = await board.operator.now();
    await board.database.asOwner(
      `UPDATE payments_payments SET captured_minor = 100 WHERE order_id = (SELECT id FROM payments_orders WHERE reference = 'B-3')`,
    );
    const { id } = await board.operator.startAudit({
      from: new Date(to.getTime() - HOUR_MS),
      to,
      by: 'anna',
    });
    await eventually(
      () => board.operator.keptAudit(id),
      (audit) => audit?.state === 'done',
    );
    await board.database.asOwner(
      `UPDATE payments_payments SET captured_minor = 123450 WHERE order_id = (SELECT id FROM payments_orders WHERE reference = 'B-3')`,
    );
    await board.database.asOwner(
      `INSERT INTO payments_handlers (id, event) VALUES ('shop.gone', 'payment.canceled')`,
    );
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
  const paid = (reference: string, input: { capture?: false; receipt?: ReceiptInput } = {}) =>
    board.paid(reference, { receipt, ...input });
  const allPages = async () => [
    ...SECTIONS,
    'store',
    'handler?id=shop.mark-paid',
    'handler?id=shop.gone',
    `books/${(await board.operator.keptAudits()).items[0]?.id}`,
    `payments/${await idOf('B-2')}/leave`,
    `payments/${await idOf('B-3')}/refund?by=pieces`,
    `payments/${await idOf('B-5')}/hand-over`,
    `payments/${await idOf('B-6')}`,
    `payments/${await idOf('B-6')}/send-receipt?problem=${(await board.operator.receiptProblems())[0]?.id}`,
    `payments/${await idOf('B-1')}`,
    `payments/${await idOf(LONG)}`,
    `payments/${await idOf(LONG)}/refund?by=pieces`,
    `payments/${await idOf('B-2')}/capture`,
    `payments/${await idOf('B-3')}/refund`,
    'payments/none',
  ];

  it.each([1_280, 390])('is read by everybody, light and dark, %s px wide', async (width) => {
    await open({ colorScheme: 'light', viewport: { width, height: 844 } });
    const found: string[] = [];
    for (const path of await allPages()) {
      await page.goto(at(path));
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      found.push(...violations.map(({ id, nodes }) => `${path}: ${id} at ${nodes[0]?.html ?? ''}`));
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (wide > width) found.push(`${path}: ${wide} px wide`);
      // In the dark nothing differs but the colours.
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
      found.push(...dark.violations.map(({ nodes }) => `${path}, dark: ${nodes[0]?.html ?? ''}`));
      await page.emulateMedia({ colorScheme: 'light' });
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
    const { id } = await paid('B-4');
    await open({ javaScriptEnabled: false });
    await page.goto(at('overview'));
    await page.getByLabel('Find a payment').fill('B-4');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'B-4' }).click();
    await page.getByRole('link', { name: 'Refund…' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('34,50');
    await page.getByLabel('Reason').fill('Arrived damaged');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Refund 34,50\u{202F}₽ of 1\u{202F}234,50\u{202F}₽?' }).waitFor();
    await page.getByRole('button', { name: 'Refund 34,50\u{202F}₽' }).dblclick();
    await page.getByText('Refunds 34,50\u{202F}₽: Arrived damaged').first().waitFor();
    expect((await board.host.payments.refunds(id)).map(({ amount }) => amount.value)).toEqual(['34.50']);
    expect(forbidden).toEqual([]);
  });

  it('refunds pieces in two steps, the second of which says their sum', async () => {
    const { id } = await paid('B-9');
    await open({ viewport: { width: 390, height: 844 } });
    await page.goto(at(`payments/${id}/refund?by=pieces`));
    await page.getByLabel('Cup').fill('1');
    await page.getByLabel('Reason').fill('Came back');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Refund 1\u{202F}234,50\u{202F}₽ for 1 × Cup?' }).waitFor();
    expect(await board.host.payments.refunds(id)).toEqual([]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id: rule }) => rule)).toEqual([]);
    await page.getByRole('button', { name: 'Refund 1\u{202F}234,50\u{202F}₽' }).click();
    await page.getByText('Refunds 1 × Cup: Came back').first().waitFor();
    expect((await board.host.payments.refunds(id)).map(({ amount }) => amount.value)).toEqual(['1234.50']);
    expect(forbidden).toEqual([]);
  });

  it('accepts a refund that does not fit from the table of refunds, and writes down who and why', async () => {
    const { id } = await paid('B-10');
    board.sandbox.refunds.next({ status: 'pending' });
    const refund = await board.host.payments.refund(id, { refundKey: 'odd' });
    // It would be polled in ten seconds, which a busy machine needs for the pages alone.
    await board.database.asOwner(`UPDATE payments_due SET ready_at = ready_at + interval '1 year'`);
    await board.database.asOwner(
      `INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
       SELECT store_id, 'payment', id::text, id, 'payment.anomaly', 'sweep', '{"reason":"it is of another sum"}', now() + interval '1 day'
       FROM payments_payments WHERE id = '${id}'`,
    );
    await open();
    await page.goto(at(`payments/${id}`));
    await page.getByRole('link', { name: 'Accept…' }).click();
    await page.getByText('What does not fit: it is of another sum.').waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id: rule }) => rule)).toEqual([]);
    board.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 10 });
    board.sandbox.refunds.finish(refund.serviceId ?? '', 'succeeded');
    await page.getByLabel('Reason').fill('The support says so');
    await page.getByRole('button', { name: 'Accept it' }).dblclick();
    await page.getByText('by anna: The support says so').first().waitFor();
    board.sandbox.faults.clear();
    expect(await board.host.payments.refunds(id)).toMatchObject([{ status: 'succeeded' }]);
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
    await focus('Open Deliveries');
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

  /** An element is reached by Tab alone, as whoever has no mouse does. */
  const reach = async (name: string): Promise<void> => {
    for (let tries = 0; tries < 120; tries += 1) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate<string>(
        `(document.activeElement.textContent || document.activeElement.labels?.[0]?.textContent || '').trim()`,
      );
      if (text.startsWith(name)) return;
    }
    throw new Error(`The keyboard does not reach ${name}.`);
  };

  it('repairs a delivery that was given up in two clicks from the overview, on a phone too', async () => {
    board.handlers.refused.clear();
    await board.operator.retryAll({ by: 'anna' });
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 0,
    );
    board.handlers.refused.add('B-7');
    await paid('B-7');
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length > 0,
    );
    board.handlers.refused.clear();
    await open({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    await page.goto(at('overview'));
    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    await click(page.getByRole('link', { name: 'Open Deliveries' }));
    await click(page.getByRole('button', { name: 'Run again' }).first());
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 0,
    );
    expect(clicks).toBeLessThanOrEqual(4);
    expect(forbidden).toEqual([]);
  });

  it('shows a buyer and compares books by keyboard alone, on a phone', async () => {
    await open({ viewport: { width: 390, height: 844 } });
    await page.goto(at(`payments/${await idOf('B-3')}`));
    await page.getByText('a…@buyer.example').first().waitFor();
    await reach('Show');
    await page.keyboard.press('Enter');
    await page.getByText('anna@buyer.example', { exact: true }).waitFor();
    await reach('Request: create');
    await page.keyboard.press('Enter');
    await page.getByText('"description": "Cup"').first().waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id: rule }) => rule)).toEqual([]);
    await page.goto(at('books'));
    await reach('Compare');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Books from/ }).waitFor();
    expect((await board.operator.keptAudits()).items).toHaveLength(2);
    expect(forbidden).toEqual([]);
  });

  it('offers whoever may only look nothing to press, on any page', async () => {
    await open({ extraHTTPHeaders: { 'x-staff': 'reader' } });
    for (const path of await allPages()) {
      await page.goto(at(path));
      expect(await page.locator('form[method="post"]').count()).toBe(0);
    }
    expect(forbidden).toEqual([]);
  });

  it('does nothing by a form of a page that is out of date, pressed twice', async () => {
    const { id } = await paid('B-8');
    await open();
    await page.goto(at(`payments/${id}/refund?by=pieces`));
    await board.host.payments.refund(id, { refundKey: 'elsewhere' });
    await page.getByLabel('Cup').fill('1');
    await page.getByLabel('Reason').fill('Came back');
    await page.getByRole('button', { name: 'Next' }).dblclick();
    await page.getByRole('heading', { name: 'out of date' }).waitFor();
    expect(await board.host.payments.refunds(id)).toHaveLength(1);
    expect(forbidden).toEqual([]);
  });
});
