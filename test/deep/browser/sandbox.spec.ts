import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import type { Browser, Page } from 'playwright-core';
import { order, post, shop } from '../../sandbox/support.js';
import { openBrowser } from '../../support/browser.js';
import { complaintsOf, mustBeNone } from '../../support/complaints.js';
import { lowestContrast } from '../../support/contrast.js';

const goodCard = '5555555555554444';
const card3ds = '2200000000000004';
const emptyCard = '5555555555554600';

/** The address to which the service sends buyers back: the sandbox itself stands in for the shop with a page that exists. */
const backAt = (sandbox: Sandbox) => `${sandbox.url}/checkout/back`;

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
  let complaints: readonly string[];
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    complaints = complaintsOf(page);
  });
  afterEach(async () => {
    await page.close();
    mustBeNone(complaints);
  });

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

    it('is filled in with a test card by one press, and by a key', async () => {
      const id = await created('By a test card');
      await openPaymentPage(id);
      const cards = page.getByTestId('test-cards');
      expect(await cards.isVisible()).toBe(false);
      await page.getByText('Test cards').click();
      await page.getByTestId(`fill-${card3ds}`).click();
      expect(await page.getByLabel('Card number').inputValue()).toBe('2200 0000 0000 0004');
      await page.getByTestId(`fill-${goodCard}`).press('Enter');
      expect(await page.getByLabel('Card number').inputValue()).toBe('5555 5555 5555 4444');
      await page.keyboard.press('Enter');
      await page.waitForURL(backAt(sandbox));
      expect(sandbox.payments.get(id).payment_method?.card?.last4).toBe('4444');
    });

    it('groups digits as they are typed, and lets any of them be deleted', async () => {
      await openPaymentPage(await created('Typed'));
      const number = page.getByLabel('Card number');
      await number.pressSequentially('55555555');
      expect(await number.inputValue()).toBe('5555 5555');
      await number.press('Home');
      await number.pressSequentially('41');
      expect(await number.inputValue()).toBe('4155 5555 55');
      await number.press('Backspace');
      expect(await number.inputValue()).toBe('4555 5555 5');
      await number.pressSequentially('2');
      expect(await number.inputValue()).toBe('4255 5555 55');
      const expiry = page.getByLabel('Expiry');
      await expiry.pressSequentially('1239');
      expect(await expiry.inputValue()).toBe('12 / 39');
      for (const left of ['12 / 3', '12', '1']) {
        await expiry.press('Backspace');
        expect(await expiry.inputValue()).toBe(left);
      }
    });

    it('says whose it is, what for, how much, and how long there is', async () => {
      await openPaymentPage(await created('Milk oolong'));
      const head = await page.locator('header').textContent();
      expect(head?.replaceAll(/[\t\n ]+/g, ' ')).toMatch(
        /Sandbox store .*1\u00a0234,50\u00a0₽ Milk oolong (59 min|1 h) left to pay/,
      );
    });

    it('is given up by what looks like a link', async () => {
      const id = await created('Given up');
      await openPaymentPage(id);
      await page.getByRole('button', { name: 'Refuse to pay' }).click();
      await page.waitForURL(backAt(sandbox));
      expect(sandbox.payments.get(id).status).toBe('canceled');
    });

    it.each(['light', 'dark'] as const)(
      'can be read in %s colours: contrast of 4.5 and more, on a phone without sideways scrolling',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 390, height: 844 });
        await openPaymentPage(await created('Read'));
        await typeCard('1');
        await page.getByTestId('number-error').waitFor();
        await page.getByText('Test cards').click();
        expect(await page.evaluate<number>(lowestContrast('body'))).toBeGreaterThan(4.5);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
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
});
