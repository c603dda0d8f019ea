import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import { order, post, shop } from '../../sandbox/support.js';
import { openBrowser } from '../../support/browser.js';

const goodCard = '5555555555554444';
const card3ds = '2200000000000004';
const emptyCard = '5555555555554600';

/** The address to which the service sends buyers back: the sandbox itself stands in for the shop with a page that exists. */
const backAt = (sandbox: Sandbox) => `${sandbox.url}/checkout/back`;

/** WCAG 2.2, 1.4.3: the lowest contrast of a text below this element, opacity counted. */
const lowestContrast = (below: string) => `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], ground) => [r, g, b].map((part, index) => part * a + ground[index] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255).map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const lineage = (element) => element === null ? [] : [...lineage(element.parentElement), element];
  const contrast = (element) => {
    const line = lineage(element);
    const ground = line.reduce((below, part) => over(parts(getComputedStyle(part).backgroundColor), below), [255, 255, 255]);
    const opacity = line.reduce((all, part) => all * Number(getComputedStyle(part).opacity), 1);
    const [r, g, b, a = 1] = parts(getComputedStyle(element).color);
    const [text, behind] = [over([r, g, b, a * opacity], ground), ground].map(luminance);
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
  };
  const texts = [...document.querySelectorAll(${JSON.stringify(`${below} *`)})]
    .filter(({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== ''));
  return Math.min(...texts.map(contrast));
})()`;

describe('a person with a browser', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let page: Page;
  let payments = 0;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startSandbox(shop), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  });
  afterEach(() => page.close());

  async function created(description: string, overrides: object = {}): Promise<string> {
    const { body } = await post(
      sandbox,
      '/v3/payments',
      `browser-${(payments += 1)}`,
      order({
        description,
        confirmation: { type: 'redirect', return_url: backAt(sandbox) },
        ...overrides,
      }),
    );
    return String(body['id']);
  }

  async function typeCard(number: string): Promise<void> {
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Expiry').fill('12/39');
    await page.getByLabel('CSC').fill('123');
    await page.getByTestId('pay').click();
  }

  const openPaymentPage = (id: string) => page.goto(`${sandbox.url}/checkout/${id}`);
  const openControlPage = () => page.goto(`${sandbox.url}/sandbox/`);
  const row = (description: string): Locator => page.getByTestId('payment').filter({ hasText: description });
  const statusIs = (description: string, status: string) =>
    row(description)
      .and(page.locator(`[data-status="${status}"]`))
      .waitFor();

  describe('on the payment page', () => {
    it('pays through 3-D Secure', async () => {
      const id = await created('Through 3-D Secure');
      await openPaymentPage(id);
      await typeCard(card3ds);
      await page.waitForURL('**/3ds');
      await page.getByLabel('Code').fill('1');
      await page.getByTestId('confirm').click();
      await page.getByText('This is not the code.').waitFor();
      await page.getByLabel('Code').fill('123456');
      await page.getByTestId('confirm').click();
      await page.waitForURL(backAt(sandbox));
      expect(sandbox.payments.get(id)).toMatchObject({
        status: 'waiting_for_capture',
        authorization_details: { three_d_secure: { applied: true } },
      });
    });

    it('fails, and tries again another way', async () => {
      const id = await created('Tried three times');
      await openPaymentPage(id);
      await typeCard(emptyCard);
      await page.getByRole('alert').filter({ hasText: 'not enough money' }).waitFor();
      await typeCard(card3ds);
      await page.getByTestId('fail').click();
      await page.getByRole('alert').filter({ hasText: 'could not verify' }).waitFor();
      await page.getByLabel('E-wallet').check();
      expect(await page.getByLabel('Card number').isVisible()).toBe(false);
      await page.getByTestId('pay').click();
      await page.getByLabel('4100 1000 0000 0001').check();
      await page.getByTestId('confirm').click();
      await page.waitForURL(backAt(sandbox));
      expect(sandbox.payments.get(id)).toMatchObject({ paid: true, payment_method: { type: 'wallet' } });
      expect(sandbox.ledger.totals(id).charges).toBe(1);
    });

    it.each(['light', 'dark'] as const)(
      'can read all of the card table in %s colours: contrast of 4.5 and more',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme });
        await openPaymentPage(await created('Read'));
        expect(await page.evaluate<number>(lowestContrast('[data-testid=test-cards]'))).toBeGreaterThan(4.5);
        await openControlPage();
        expect(await page.evaluate<number>(lowestContrast('#test-cards'))).toBeGreaterThan(4.5);
      },
    );

    it('pays by card with the keyboard alone', async () => {
      const id = await created('By keyboard');
      await openPaymentPage(id);
      await page.getByLabel('Card number').focus();
      await page.keyboard.type(goodCard);
      await page.keyboard.press('Tab');
      await page.keyboard.type('12/39');
      await page.keyboard.press('Tab');
      await page.keyboard.type('123');
      await page.keyboard.press('Enter');
      await page.waitForURL(backAt(sandbox));
      expect(sandbox.payments.get(id).paid).toBe(true);
    });
  });

  describe('on the control page', () => {
    it('pays, refunds, declines, and lets a hold run out', async () => {
      await created('Paid and refunded', { capture: true });
      await created('Declined');
      await created('Held');
      await openControlPage();
      await row('Paid and refunded').getByTestId('pay-bank_card').click();
      await statusIs('Paid and refunded', 'succeeded');
      await row('Paid and refunded').getByLabel('Refund').fill('34.50');
      await row('Paid and refunded').getByTestId('refund').click();
      await row('Paid and refunded').getByText('34,50\u00a0₽', { exact: true }).waitFor();

      await row('Declined').getByLabel('Reason').selectOption('fraud_suspected');
      await row('Declined').getByTestId('decline').click();
      await statusIs('Declined', 'canceled');
      await row('Declined').getByText('fraud_suspected (payment_network)').waitFor();

      await row('Held').getByTestId('pay-wallet').click();
      await statusIs('Held', 'waiting_for_capture');
      const before = sandbox.clock.now().getTime();
      await row('Held').getByTestId('run-out').click();
      await statusIs('Held', 'canceled');
      expect(sandbox.clock.now().getTime() - before).toBeGreaterThan(6 * 24 * 60 * 60 * 1000);
    });

    it('moves the clock, orders a fault and removes it', async () => {
      await openControlPage();
      const before = sandbox.clock.offsetMs();
      await page.getByTestId('advance-1-days').click();
      await page.getByRole('status').filter({ hasText: 'The clock was moved.' }).waitFor();
      expect(sandbox.clock.offsetMs() - before).toBe(24 * 60 * 60 * 1000);
      await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('capture');
      await page.getByRole('combobox', { name: 'Fault', exact: true }).selectOption('error_500_after_commit');
      await page.getByTestId('order-fault').click();
      await page.getByTestId('fault').filter({ hasText: 'error_500_after_commit on capture' }).waitFor();
      await page.getByTestId('clear-faults').click();
      await page.getByText('None ordered.').waitFor();
      expect(sandbox.faults.list()).toEqual([]);
    });

    it('sees by itself what happens elsewhere, without losing what is being typed', async () => {
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', ({ message }) => complaints.push(message));
      await openControlPage();
      await page.getByLabel('Send to').fill('http://127.0.0.1:3000/hook');
      const id = await created('Made meanwhile');
      await statusIs('Made meanwhile', 'pending');
      sandbox.payments.pay(id, { outcome: 'succeed' });
      await statusIs('Made meanwhile', 'waiting_for_capture');
      expect(await page.getByLabel('Send to').inputValue()).toBe('http://127.0.0.1:3000/hook');
      expect(complaints).toEqual([]);
    });

    it('sees by itself which notifications were sent', async () => {
      await openControlPage();
      sandbox.setNotifyUrl('http://127.0.0.1:9/hook');
      await page.getByTestId('notification').first().waitFor({ state: 'detached' });
      const id = await created('Notified meanwhile', { capture: true });
      sandbox.payments.pay(id, { outcome: 'succeed' });
      const sent = page.locator('[data-testid=notification][data-event="payment.succeeded"]');
      await sent.waitFor();
      expect(await sent.count()).toBe(1);
      sandbox.setNotifyUrl(null);
    });

    it('keeps clock and notifications in sight however far down the person reads', async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      for (const count of Array.from({ length: 12 }).keys()) await created(`One of many, ${count}`);
      await openControlPage();
      await page.evaluate('scrollTo(0, 1500)');
      for (const title of ['Clock', 'Notifications']) {
        const box = await page.getByRole('heading', { name: title, exact: true }).boundingBox();
        expect(box?.y).toBeGreaterThan(0);
        expect(box?.y).toBeLessThan(200);
      }
    });

    it('is read without sideways scrolling on a phone, with nothing outside its frame', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await created('A description that is rather long and has to be wrapped somewhere on a phone');
      await openControlPage();
      await page.getByLabel('Send to').fill('http://127.0.0.1:3000/webhooks/payments');
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBe(360);
      const standingOut = await page.evaluate(`[...document.querySelectorAll('section *')]
        .filter((part) => part.getBoundingClientRect().right > part.closest('section').getBoundingClientRect().right)
        .map((part) => part.outerHTML)`);
      expect(standingOut).toEqual([]);
    });
  });
});
