import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import { basicOf, order, post, realShop, shop } from '../../sandbox/support.js';
import { openBrowser } from '../../support/browser.js';
import { complaintsOf, mustBeNone } from '../../support/complaints.js';
import { lowestContrast } from '../../support/contrast.js';

/** Every page, by the words of its link; a payment's and a notification's own are opened from the first two. */
const tabs = [
  'Payments',
  'Notifications',
  'Requests',
  'Faults',
  'Clock',
  'Ledger',
  'Refunds',
  'Receipts',
  'Invoices',
  'Payouts, deals, methods',
  'Stores and apps',
  'Test cards',
];

/** What stands out of the part of the page that it is in. */
const standingOut = `[...document.querySelectorAll('.panel *')]
  .filter((part) => !part.closest('.vh, thead'))
  .filter((part) => part.getBoundingClientRect().right > part.closest('.panel').getBoundingClientRect().right + 1)
  .map((part) => part.outerHTML)`;

describe('a person at the control page', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let payments = 0;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startSandbox(shop), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    complaints = complaintsOf(page);
  });
  afterEach(async () => {
    await page.close();
    sandbox.faults.clear();
    sandbox.setNotifyUrl(null);
    mustBeNone(complaints);
  });

  async function created(description: string, overrides: object = {}): Promise<string> {
    const body = order({ description, ...overrides });
    const reply = await post(sandbox, '/v3/payments', `control-${(payments += 1)}`, body);
    return String(reply.body['id']);
  }

  const open = (path = '') => page.goto(`${sandbox.url}/sandbox/${path}`);
  const tab = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  const row = (description: string): Locator => page.getByTestId('payment').filter({ hasText: description });
  const done = (words: string) => page.getByTestId('said').filter({ hasText: words }).waitFor();
  const standing = (status: string) => page.locator(`.hero[data-status="${status}"]`).waitFor();

  it('pays from the list and stays there; refunds, declines and lets a hold run out on the payment’s own page', async () => {
    await created('Paid and refunded', { capture: true });
    await created('Declined');
    const held = await created('Held');
    await open();
    await row('Paid and refunded').getByTestId('pay-bank_card').click();
    await row('Paid and refunded').and(page.locator('[data-status=succeeded]')).waitFor();
    await page.getByRole('link', { name: 'Paid and refunded' }).click();
    await page.getByLabel('Refund').fill('34,50');
    await page.getByTestId('refund').click();
    await done('The refund was made.');
    await page.locator('#facts').getByText('34,50\u00a0₽').waitFor();

    await tab('Payments');
    await page.getByRole('link', { name: 'Declined' }).click();
    await page.getByLabel('Reason').selectOption('fraud_suspected');
    await page.getByTestId('decline').click();
    await standing('canceled');
    await page.getByText('fraud_suspected (payment_network)').waitFor();

    await open(`pages/payments/${held}`);
    await page.getByTestId('pay-wallet').click();
    await standing('waiting_for_capture');
    const before = sandbox.clock.now().getTime();
    await page.getByTestId('run-out').click();
    await standing('canceled');
    expect(sandbox.clock.now().getTime() - before).toBeGreaterThan(6 * 24 * 60 * 60 * 1000);
  });

  it('moves the clock', async () => {
    await open('pages/clock');
    const before = sandbox.clock.offsetMs();
    await page.getByTestId('advance-1-days').click();
    await done('The clock was moved.');
    expect(sandbox.clock.offsetMs() - before).toBe(24 * 60 * 60 * 1000);
    await page.getByLabel('Move by').fill('2');
    await page.getByLabel('Unit').selectOption('hours');
    await page.getByTestId('advance').click();
    await done('The clock was moved.');
    expect(sandbox.clock.offsetMs() - before).toBe(26 * 60 * 60 * 1000);
  });

  it('orders faults in words, sees on every page that they wait, and removes them', async () => {
    await open('pages/faults');
    await page.getByRole('button', { name: 'Cut the connection after the refund was made' }).click();
    const strip = page.getByTestId('fault-strip');
    await strip.getByText('Cut the connection after the refund was made').waitFor();
    await page.getByText('Answer slowly after it took effect').click();
    const form = page.getByTestId('offer-stall_after_commit');
    await form.getByLabel('On the request to').selectOption('capture a payment');
    await form.getByLabel('After how many seconds').fill('2');
    await form.getByTestId('order-fault').click();
    await strip.getByText('Answer slowly after the payment was captured').waitFor();
    expect(sandbox.faults.list()).toMatchObject([
      { order: { on: 'refund', fault: 'reset_after_commit' } },
      { order: { on: 'capture', fault: 'stall_after_commit', ms: 2000 } },
    ]);
    await tab('Ledger');
    await strip.getByTestId('clear-faults').click();
    await done('All faults were removed.');
    await page.waitForURL('**/pages/ledger?done=clear-faults');
    expect(await strip.count()).toBe(0);
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('sees by itself what happens elsewhere', async () => {
    await open();
    const id = await created('Made meanwhile');
    await row('Made meanwhile').waitFor();
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await row('Made meanwhile').and(page.locator('[data-status=waiting_for_capture]')).waitFor();
    await page.getByRole('link', { name: 'Made meanwhile' }).click();
    await standing('waiting_for_capture');
    await post(sandbox, `/v3/payments/${id}/capture`, `capture-${id}`);
    await standing('succeeded');
    await page.getByTestId('history').getByText(`POST /v3/payments/${id}/capture`).waitFor();
    sandbox.faults.order({ on: 'create', fault: 'forbidden' });
    await page.getByTestId('fault-strip').getByText('Answer 403').waitFor();
    expect(page.url()).toBe(`${sandbox.url}/sandbox/pages/payments/${id}`);
  });

  it('loses nothing of what is being typed or read, until live is switched off', async () => {
    await open('pages/notifications');
    await page.getByLabel('Send to').fill('http://127.0.0.1:3000/hook');
    await page.getByText('Events ticked').click();
    await page.getByRole('heading', { name: 'Notifications', exact: true }).click();
    sandbox.setNotifyUrl('http://127.0.0.1:9/hook');
    const id = await created('Notified meanwhile', { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const sent = page.locator('[data-testid=notification][data-event="payment.succeeded"]');
    await sent.first().waitFor();
    expect(await page.getByLabel('Send to').inputValue()).toBe('http://127.0.0.1:3000/hook');
    expect(await page.locator('#ticks').getAttribute('open')).toBe('');

    await open();
    await page.getByLabel('live').uncheck();
    await created('Made while nobody looks');
    await page.getByLabel('live').check();
    await row('Made while nobody looks').waitFor();
  });

  it('says so when the sandbox is gone', async () => {
    const short = await startSandbox(shop);
    await page.goto(`${short.url}/sandbox/`);
    await short.close();
    await page.getByText('the sandbox does not answer').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payments');
  });

  it('reaches everything with the keyboard, beginning with a way past the navigation', async () => {
    const id = await created('By keyboard');
    await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.dataset.testid ?? document.activeElement.textContent.trim()',
      );
    const until = async (name: string) => {
      for (let tries = 0; tries < 50; tries += 1) {
        await page.keyboard.press('Tab');
        if ((await focused()) === name) return;
      }
      throw new Error(`${name} is not reached`);
    };
    await until('By keyboard');
    const ring = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect(ring).toBe('solid');
    await page.keyboard.press('Enter');
    await standing('pending');
    await page.getByTestId('pay-bank_card').focus();
    await page.keyboard.press('Enter');
    await standing('waiting_for_capture');
    expect(sandbox.payments.get(id).paid).toBe(true);
  });
});

describe('every page of the control page', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let paths: readonly string[];

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([
      startSandbox({
        ...realShop,
        profile: 'yookassa',
        receipts: { scenario: 'after_payment', provider: 'atol' },
        notify: {
          url: 'http://127.0.0.1:9/a-rather-long-address-of-a-webhook/which/has/to/be/wrapped/somewhere',
        },
      }),
      openBrowser(),
    ]);
    const long = 'A description that is rather long and has to be wrapped somewhere on a phone';
    const made = async (key: string, more: object = {}) => {
      const body = order({ description: long, capture: true, ...more });
      return String((await post(sandbox, '/v3/payments', key, body, basicOf(realShop))).body['id']);
    };
    const bought = await made('an-idempotence-key-that-is-as-long-as-they-are-allowed-to-be-123');
    sandbox.payments.pay(bought, { outcome: 'succeed' });
    sandbox.refunds.next({ status: 'pending' });
    sandbox.refunds.make(bought, '1.00');
    await made('waiting');
    await made('short', { description: 'Short' });
    sandbox.payments.pay(await made('declined'), { outcome: 'decline' });
    sandbox.payouts.create({ amount: '10.00' });
    sandbox.deals.create();
    sandbox.paymentMethods.bind({});
    sandbox.apps.register({ name: 'An app', callbackUrl: 'http://127.0.0.1:3000/callback', clientId: 'app' });
    sandbox.tokens.connect({ clientId: 'app', accountId: '300200' });
    for (const on of ['create', 'capture', 'refund', 'read', 'list'] as const)
      sandbox.faults.order({ on, fault: 'error_500_after_commit' });
    await sandbox.clock.advance(0);
    const listed = [
      'notifications',
      'requests',
      'faults',
      'clock',
      'ledger',
      'refunds',
      'receipts',
      'invoices',
      'objects',
      'stores',
      'cards',
    ];
    paths = [
      '',
      ...listed.map((tab) => `pages/${tab}`),
      `pages/payments/${bought}`,
      `pages/notifications/${sandbox.notifications.list()[0]?.id}`,
    ];
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  async function opened(options: object, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    for (const path of paths) {
      await page.goto(`${sandbox.url}/sandbox/${path}`);
      await work(page);
    }
    await context.close();
    expect(complaints).toEqual([]);
  }

  it('is reached by its tab', async () => {
    const page = await browser.newPage();
    await page.goto(`${sandbox.url}/sandbox/`);
    for (const name of tabs) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    }
    expect(page.url()).toBe(`${sandbox.url}/sandbox/pages/cards`);
    await page.close();
  });

  it('is reached by its tab on a phone too, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${sandbox.url}/sandbox/`);
      for (const name of tabs) {
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      }
      expect(page.url()).toBe(`${sandbox.url}/sandbox/pages/cards`);
      await context.close();
    }
  });

  it.each(['light', 'dark'] as const)(
    'can be read in %s colours: contrast of 4.5 and more',
    async (colorScheme) => {
      await opened({ colorScheme, viewport: { width: 1280, height: 900 } }, async (page) => {
        await page.evaluate(
          "for (const part of document.querySelectorAll('details')) { part.removeAttribute('name'); part.open = true; }",
        );
        const lowest = await page.evaluate<number>(lowestContrast('body'));
        expect([page.url(), lowest >= 4.5 ? 'readable' : lowest]).toEqual([page.url(), 'readable']);
      });
    },
  );

  it.each([390, 320, 820, 1280])('scrolls nothing sideways at %i pixels', async (width) => {
    await opened({ viewport: { width, height: 844 } }, async (page) => {
      await page.evaluate(
        "for (const part of document.querySelectorAll('details')) { part.removeAttribute('name'); part.open = true; }",
      );
      const found = {
        width: await page.evaluate('document.documentElement.scrollWidth'),
        out: await page.evaluate(standingOut),
      };
      expect([page.url(), found]).toEqual([page.url(), { width, out: [] }]);
    });
  });

  it('has a name for every field and button, and one heading of the first level', async () => {
    await opened({}, async (page) => {
      const nameless =
        await page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]), select, button, a')]
        .filter((part) => !part.labels?.length && (part.textContent + (part.ariaLabel ?? '')).trim() === '')
        .map((part) => part.outerHTML)`);
      const twice = await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)
        .filter((id, index, all) => all.indexOf(id) !== index)`);
      expect([page.url(), nameless, twice]).toEqual([page.url(), [], []]);
      expect(await page.locator('h1').count()).toBe(1);
    });
  });

  it('does the same without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const id = sandbox.payments.list().find(({ status }) => status === 'pending')?.id ?? '';
    await page.goto(`${sandbox.url}/sandbox/`);
    expect(await page.getByLabel('live').isVisible()).toBe(false);
    await page.locator(`#payment-${id}`).getByRole('link').click();
    await page.getByTestId('pay-sbp').click();
    await page.getByTestId('said').getByText('The buyer has paid.').waitFor();
    expect(sandbox.payments.get(id).status).toBe('succeeded');
    await page.goto(`${sandbox.url}/sandbox/pages/faults`);
    await page.getByText('Lose the next notification').first().click();
    await page.getByTestId('said').waitFor();
    expect(sandbox.faults.list()).toContainEqual(
      expect.objectContaining({ order: expect.objectContaining({ fault: 'drop' }) }),
    );
    await context.close();
  });
});
