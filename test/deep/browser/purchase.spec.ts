import type { Browser, Page } from 'playwright-core';
import { toString } from 'qrcode';

import { openBrowser } from '../../support/browser.js';
import { staffPassword, startShopWithReceipts, startTestShop, type TestShop } from '../../support/shop.js';

const goodCard = '5555555555554444';
const emptyCard = '5555555555554600';

/** A widget that takes no token any more. */
const expiredWidget = `window.YooMoneyCheckoutWidget = class {
  constructor({ error_callback }) { this.fail = error_callback; }
  async render() { this.fail({ error: 'token_expired' }); }
};`;

describe('a buyer with a browser', () => {
  let test: TestShop;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestShop(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  });
  afterEach(() => page.close());

  async function choose(product: string): Promise<void> {
    await page.goto(test.shop.url);
    await page.getByRole('link', { name: product }).click();
    await page.getByRole('link', { name: /^(Buy|Reserve)$/ }).click();
    await page.getByLabel('Name').fill('Anna Orlova');
    await page.getByLabel('E-mail').fill('anna@example.com');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL(`${test.sandbox.url}/**`);
  }

  async function payWith(cardNumber: string): Promise<void> {
    await page.locator('#number').fill(cardNumber);
    await page.locator('#expiry').fill('12/39');
    await page.locator('#csc').fill('123');
    await page.locator('#pay').click();
  }

  /** The order page reloads itself until the payment is recorded. */
  async function orderIs(standing: string): Promise<void> {
    await page.locator(`#order-state[data-standing="${standing}"]`).waitFor();
  }

  /** The same order in a staff member's browser. */
  async function atTheStaff(): Promise<Page> {
    const staff = await browser.newPage({
      viewport: { width: 390, height: 844 },
      httpCredentials: { username: 'staff', password: staffPassword },
    });
    await staff.goto(page.url().replace('/orders/', '/staff/orders/'));
    return staff;
  }

  it('buys from stock and sees the order paid', async () => {
    await choose('Milk Oolong');
    await payWith(goodCard);
    await orderIs('paid');
    expect(page.url()).toMatch(`${test.shop.url}/orders/`);
    expect(await page.locator('#order-paid').textContent()).toBe('1\u00a0234,50\u00a0₽');
  });

  it('reserves a pre-order, which is charged when the shop ships it', async () => {
    await choose('First Flush Darjeeling');
    await payWith(goodCard);
    await orderIs('held');
    expect(await page.locator('#order-paid').textContent()).toBe('0,00\u00a0₽');

    expect(await page.getByRole('button').count()).toBe(0);
    const staff = await atTheStaff();
    await staff.getByRole('button', { name: 'Cancel order' }).click();
    await staff.getByText('Release 2\u00a0480,00\u00a0₽ and cancel the order?').waitFor();
    await staff.getByRole('link', { name: 'No, back to the order' }).click();
    await staff.locator('#order-state[data-standing="held"]').waitFor();
    await staff.getByRole('button', { name: 'Ship it' }).click();
    await staff.getByText('Charge 2\u00a0480,00\u00a0₽ and ship the order?').waitFor();
    expect(test.sandbox.payments.list()[0]?.status).toBe('waiting_for_capture');
    await staff.getByRole('button', { name: 'Yes, charge and ship' }).click();
    await staff.locator('#order-state[data-standing="shipped"]').waitFor();
    await staff.close();
    await page.reload();
    await orderIs('shipped');
    expect(await page.locator('#order-paid').textContent()).toBe('2\u00a0480,00\u00a0₽');
  });

  it('whose card is declined and who gives up sees the order not paid', async () => {
    await choose('Smoky Lapsang');
    await payWith(emptyCard);
    await page.locator('#payment-error').waitFor();
    await page.locator('#give-up').click();
    await orderIs('payment_failed');
    expect(await page.locator('#order-paid').textContent()).toBe('0,00\u00a0₽');
    await page.getByText('There was not enough money.').waitFor();
    const colours: string[] = await page.evaluate(`[...document.querySelectorAll('.timeline li')]
      .map((entry) => getComputedStyle(entry, '::before').backgroundColor)`);
    expect(colours).toEqual(['rgb(36, 71, 61)', 'rgb(36, 71, 61)', 'rgb(155, 51, 34)']);
  });

  it('who leaves the payment page can continue the payment from the order', async () => {
    await choose('Fireweed');
    const paymentPage = page.url();
    await page.locator('#back').click();
    await orderIs('pending');
    await page.getByRole('button', { name: 'Continue payment' }).click();
    await page.waitForURL(paymentPage);
    await payWith(goodCard);
    await orderIs('paid');
    expect(
      test.sandbox.payments.list().filter(({ description }) => description?.startsWith('Fireweed')),
    ).toHaveLength(1);
  });

  it('gets a refund that the staff types and clicks twice, once', async () => {
    await choose('Milk Oolong');
    await payWith(goodCard);
    await orderIs('paid');
    const staff = await atTheStaff();
    const becomes = (standing: string) =>
      staff.locator(`#order-state[data-standing="${standing}"]`).waitFor();
    await staff.getByLabel('Refund, in roubles').fill('2000');
    await staff.getByRole('button', { name: 'Refund' }).click();
    await staff.getByText('Only 1\u00a0234,50\u00a0₽ is left to refund.').waitFor();

    await staff.getByLabel('Refund, in roubles').fill('234,50');
    await staff.getByRole('button', { name: 'Refund' }).click();
    await staff.getByText('Refund 234,50\u00a0₽?').waitFor();
    expect(test.sandbox.refunds.list()).toEqual([]);
    await staff.getByRole('button', { name: 'Yes, refund' }).dblclick();
    await becomes('partially_refunded');
    expect(await staff.locator('#order-refunded').textContent()).toBe('234,50\u00a0₽');
    expect(await staff.locator('[data-refund-status="succeeded"]').count()).toBe(1);
    expect(test.sandbox.refunds.list().map(({ amount }) => amount.value)).toEqual(['234.50']);

    // The form offers the rest, in the shown format.
    await staff.getByRole('button', { name: 'Refund' }).click();
    await staff.getByRole('button', { name: 'Yes, refund' }).click();
    await becomes('refunded');
    await staff.close();
    await page.reload();
    await orderIs('refunded');
    expect(await page.locator('#order-refunded').textContent()).toBe('1\u00a0234,50\u00a0₽');
    await page.getByText('The whole amount is on its way back to you.').waitFor();
  });
});

describe('a buyer with a browser where there is more than card and e-wallet', () => {
  let test: TestShop;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startShopWithReceipts(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  });
  afterEach(() => page.close());

  async function order(wayToPay: string, at = page): Promise<void> {
    await at.goto(`${test.shop.url}/products/fireweed/checkout`);
    await at.getByLabel('Name').fill('Anna Orlova');
    await at.getByLabel('E-mail').fill('anna@example.com');
    await at.getByLabel('Pay by').selectOption({ label: wayToPay });
    await at.getByRole('button', { name: 'Continue to payment' }).click();
  }

  const orderIs = (standing: string, at = page) =>
    at.locator(`#order-state[data-standing="${standing}"]`).waitFor();
  const form = () => page.frameLocator('#widget iframe');

  async function typeCard(number: string): Promise<void> {
    await form().getByLabel('Card number').fill(number);
    await form().getByLabel('Expiry').fill('12/39');
    await form().getByLabel('CSC').fill('123');
    await form().getByTestId('pay').click();
  }

  async function payOnTheServicesPage(at: Page): Promise<void> {
    await at.locator('#number').fill(goodCard);
    await at.locator('#expiry').fill('12/39');
    await at.locator('#csc').fill('123');
    await at.locator('#pay').click();
  }

  /** At the service, the newest first. */
  const latestStatuses = (count: number) =>
    test.sandbox.payments
      .list()
      .slice(0, count)
      .map(({ status }) => status);

  it('pays in the bank’s application, and the receipt is registered', async () => {
    await order('SBP, in your bank’s application');
    await page.waitForURL(`${test.sandbox.url}/**`);
    await page.locator('#pay').click();
    await page.locator('#open-app').click();
    await page.locator('#confirm').click();
    await orderIs('paid');
    expect(await page.getByText('a…@example.com').count()).toBe(1);
    const [payment] = test.sandbox.payments.list();
    expect(payment?.payment_method?.type).toBe('sbp');
    expect(test.sandbox.receipts.list()).toMatchObject([{ payment_id: payment?.id, type: 'payment' }]);
  });

  it('pays by card on the order’s own page, declined at first, then refused and begun again', async () => {
    await order('Bank card');
    await orderIs('pending');
    await typeCard(emptyCard);
    await form().getByTestId('payment-error').waitFor();
    await form().getByTestId('give-up').click();
    await orderIs('payment_failed');
    await page.getByRole('button', { name: 'Try again' }).click();
    await typeCard(goodCard);
    await orderIs('paid');
    expect(page.url()).toMatch(`${test.shop.url}/orders/`);
    expect(await page.locator('#order-paid').textContent()).toBe('540,00\u00a0₽');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('pays by a code that the phone scans: the order’s page goes on by itself', async () => {
    await order('SberPay, by QR code');
    await orderIs('pending');
    const [payment] = test.sandbox.payments.list();
    const bankPage = payment?.confirmation?.confirmation_data ?? '';
    const code = Buffer.from(await toString(bankPage, { type: 'svg', margin: 4 })).toString('base64');
    expect(await page.locator('#qr-code').getAttribute('src')).toBe(`data:image/svg+xml;base64,${code}`);
    expect(
      await page.locator('#qr-code').evaluate((image) => image.getBoundingClientRect().height),
    ).toBeGreaterThan(200);
    expect(await page.getByRole('link', { name: 'Open the bank’s application' }).getAttribute('href')).toBe(
      bankPage,
    );
    const phone = await browser.newPage();
    await phone.goto(bankPage);
    await phone.locator('#confirm').click();
    await phone.close();
    await orderIs('paid');
    expect(await page.locator('#qr-code').count()).toBe(0);
  });

  it('chooses another way once the form’s script does not come', async () => {
    await page.route('**/checkout-widget.js', (route) => route.abort());
    await order('Bank card');
    await page.getByRole('alert').filter({ hasText: 'The form cannot be shown.' }).waitFor();
    await page.getByRole('button', { name: 'On the payment service’s page' }).click();
    await page.waitForURL(`${test.sandbox.url}/**`);
    await payOnTheServicesPage(page);
    await orderIs('paid');
    expect(latestStatuses(2)).toEqual(['succeeded', 'pending']);
  });

  it('is told that the form does not open with its token any more, and may begin again', async () => {
    const script = '**/checkout-widget.js';
    await page.route(script, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: expiredWidget }),
    );
    await order('Bank card');
    await page.getByRole('alert').filter({ hasText: 'The form cannot be shown.' }).waitFor();
    await page.unroute(script);
    await page.getByRole('link', { name: 'Begin again' }).click();
    await typeCard(goodCard);
    await orderIs('paid');
    expect(latestStatuses(1)).toEqual(['succeeded']);
  });

  it('pays on the service’s page without any script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await order('Bank card', plain);
    await orderIs('pending', plain);
    await plain.getByRole('button', { name: 'On the payment service’s page' }).click();
    await payOnTheServicesPage(plain);
    await orderIs('paid', plain);
    expect(latestStatuses(2)).toEqual(['succeeded', 'pending']);
    await context.close();
  });
});
