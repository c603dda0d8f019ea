import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import http from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { basicOf, order, post, realShop } from '../../sandbox/support.js';
import { openBrowser } from '../../support/browser.js';
import { complaintsOf, mustBeNone } from '../../support/complaints.js';
import { eventually } from '../../support/eventually.js';
import { listen } from '../../support/listen.js';

/** A page of a shop, on another origin, that shows the widget and writes down what it hears. */
const shopPage = (
  sandbox: Sandbox,
  token: string,
  options: string,
  scheme: string,
): string => `<!doctype html><title>Shop</title><meta name="color-scheme" content="${scheme}">
<div id="form"></div><p id="heard"></p>
<script src="${sandbox.url}/checkout-widget/v1/checkout-widget.js"></script>
<script>
  const hear = (word) => { document.getElementById('heard').textContent += word + ' '; };
  window.widget = new window.YooMoneyCheckoutWidget({
    confirmation_token: ${JSON.stringify(token)}, error_callback: ({ error }) => hear(error), ${options}
  });
  for (const event of ['success', 'fail', 'complete', 'modal_close']) widget.on(event, () => hear(event));
  widget.render('form').then(() => hear('shown'), () => {});
</script>`;

describe('the widget in the page of a shop', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let page: Page;
  let shop: http.Server;
  let address: string;
  let markup = '';
  let payments = 0;
  let complaints: readonly string[];

  beforeAll(async () => {
    shop = http.createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end(markup),
    );
    const [twin, chromium, port] = await Promise.all([
      startSandbox({ ...realShop, profile: 'yookassa' }),
      openBrowser(),
      listen(shop),
    ]);
    [sandbox, browser, address] = [twin, chromium, `http://127.0.0.1:${port}`];
  });
  afterAll(async () => {
    await browser.close();
    shop.close();
    await sandbox.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 900, height: 900 } });
    complaints = complaintsOf(page);
  });
  afterEach(async () => {
    await page.close();
    mustBeNone(complaints);
  });

  async function opened(options = '', scheme = 'light'): Promise<string> {
    const body = order({ capture: true, confirmation: { type: 'embedded' } });
    const reply = await post(sandbox, '/v3/payments', `widget-${(payments += 1)}`, body, basicOf(realShop));
    const id = String(reply.body['id']);
    markup = shopPage(
      sandbox,
      sandbox.payments.get(id).confirmation?.confirmation_token ?? '',
      options,
      scheme,
    );
    await page.goto(address);
    return id;
  }

  const form = () => page.frameLocator('iframe');
  const inForm = <Result = string>(expression: string) => page.frames().at(-1)?.evaluate<Result>(expression);
  const heard = (words: string) => page.locator('#heard', { hasText: words }).waitFor();

  async function payByCard(): Promise<void> {
    await form().getByLabel('Card number').fill('5555555555554444');
    await form().getByLabel('Expiry').fill('12/39');
    await form().getByLabel('CSC').fill('123');
    await form().getByTestId('pay').click();
  }

  it('pays, and says so', async () => {
    const id = await opened();
    await heard('shown');
    await payByCard();
    await heard('complete success');
    expect(sandbox.payments.get(id).status).toBe('succeeded');
    await page.evaluate('window.widget.destroy()');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('pays by SBP on the phone, and goes on by itself', async () => {
    const id = await opened();
    await form().getByTestId('method-sbp').check();
    await form().getByTestId('pay').click();
    await form().getByTestId('qr-code').waitFor();
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await heard('complete success');
    expect(await form().getByTestId('payment-status').getAttribute('data-status')).toBe('succeeded');
  });

  it('fails where the buyer refuses', async () => {
    const id = await opened();
    await form().getByTestId('give-up').click();
    await heard('complete fail');
    expect(sandbox.payments.get(id).status).toBe('canceled');
  });

  it('leads back to the shop, where that is wanted', async () => {
    await opened(`return_url: ${JSON.stringify(`${sandbox.url}/checkout/back`)}`);
    await payByCard();
    await page.waitForURL(`${sandbox.url}/checkout/back`);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('covers the page of the shop, and can be closed', async () => {
    await opened('customization: { modal: true }');
    await heard('shown');
    await page.getByTestId('widget-close').click();
    await heard('modal_close');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('is as high as what it shows: nothing is cut off, nothing scrolls inside it', async () => {
    await opened();
    await heard('shown');
    const isWhole = async () => {
      const inner = await form()
        .locator('html')
        .evaluate((root) => root.scrollHeight);
      const outer = await page.locator('iframe').evaluate((frame) => frame.clientHeight);
      return inner === outer;
    };
    const height = () => page.locator('iframe').evaluate((frame) => frame.clientHeight);
    await eventually(isWhole, Boolean);
    const folded = await height();
    await form().getByText('Test cards').click();
    await eventually(height, (unfolded) => unfolded > folded + 200);
    await eventually(isWhole, Boolean);
    await form().getByText('Test cards').click();
    expect(await eventually(height, (again) => again === folded)).toBe(folded);
  });

  it('has no box in the box of the shop: its ground is the shop’s', async () => {
    await opened();
    await heard('shown');
    const parts = `[document.documentElement, document.body, document.querySelector('main')]`;
    const grounds = await inForm<string[]>(`${parts}.map((part) => getComputedStyle(part).backgroundColor)`);
    expect(new Set(grounds)).toEqual(new Set(['rgba(0, 0, 0, 0)']));
    expect(await inForm(`getComputedStyle(document.querySelector('main')).borderTopWidth`)).toBe('0px');
  });

  it.each([
    ['', 'light', 'dark', 'light'],
    ['', 'light dark', 'light', 'light'],
    ['', 'light dark', 'dark', 'dark'],
    ['', 'dark', 'light', 'dark'],
    ["customization: { theme: 'dark' }", 'light', 'light', 'dark'],
    ["customization: { theme: 'light' }", 'light dark', 'dark', 'light'],
    ["customization: { modal: true, theme: 'dark' }", 'light', 'light', 'dark'],
  ] as const)(
    'with %j on a page of the scheme %s and a device that likes it %s is %s, on every page',
    async (options, scheme, colorScheme, theme) => {
      await page.emulateMedia({ colorScheme });
      await opened(options, scheme);
      await heard('shown');
      const schemes = () => inForm('getComputedStyle(document.documentElement).colorScheme');
      expect(await schemes()).toBe(theme);
      expect(await page.evaluate(`getComputedStyle(document.querySelector('iframe')).colorScheme`)).toBe(
        theme,
      );
      await form().getByTestId('method-wallet').check();
      await form().getByTestId('pay').click();
      await form().getByTestId('confirm').waitFor();
      expect(await schemes()).toBe(theme);
    },
  );

  it('calls back for a token that is missing or unknown', async () => {
    markup = shopPage(sandbox, '', '', 'light');
    await page.goto(address);
    await heard('token_required');
    markup = shopPage(sandbox, 'ct-unknown', '', 'light');
    await page.goto(address);
    await heard('invalid_token');
    expect(await page.locator('#heard').textContent()).not.toContain('success');
  });

  it('shows no payment that was not made for it', async () => {
    const reply = await post(sandbox, '/v3/payments', 'plain', order({ capture: true }), basicOf(realShop));
    const id = String(reply.body['id']);
    const { headers } = await fetch(`${sandbox.url}/checkout/${id}`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const framed = await fetch(`${sandbox.url}/checkout/${await opened()}`);
    expect(framed.headers.get('content-security-policy')).toContain('frame-ancestors *');
  });
});
