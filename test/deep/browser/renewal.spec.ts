import { AxeBuilder } from '@axe-core/playwright';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBoardHost, type BoardHost } from '../../board/board-host.js';
import { openBrowser } from '../../support/browser.js';
import { mustBeNone } from '../../support/complaints.js';
import { eventually } from '../../support/eventually.js';

/** A page is due for renewal by then, and nobody has touched it for long enough. */
const DUE_MS = 16_000;

describe('a page of the board that stays open', () => {
  let board: BoardHost;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let forbidden: string[];
  /** Of what the page's script has asked for. */
  let answers: number[];
  let asked: number;

  beforeAll(async () => {
    browser = await openBrowser();
    board = await startBoardHost(() => new ExpressAdapter());
    await board.paid('L-1');
  });
  afterAll(async () => {
    await board.close();
    await browser.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({
      extraHTTPHeaders: { 'x-staff': 'anna' },
      viewport: { width: 1280, height: 500 },
    });
    page = await context.newPage();
    [forbidden, answers, asked] = [[], [], 0];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) forbidden.push(message.text());
    });
    const isOfScript = (type: string) => type === 'fetch';
    page.on('request', (request) => {
      if (isOfScript(request.resourceType())) asked += 1;
    });
    page.on('response', (response) => {
      if (isOfScript(response.request().resourceType())) answers.push(response.status());
    });
    await page.clock.install();
    // A browser without a screen shows every page.
    await page.addInitScript(
      `Object.defineProperty(document, 'hidden', { get: () => window.isAway === true, configurable: true })`,
    );
  });
  afterEach(async () => {
    await context.close();
    mustBeNone(forbidden);
  });

  const open = (path: string) => page.goto(`${board.host.url}/admin/payments/${path}`);
  /** From then on time passes by {@link pass} alone: on a busy machine seconds go by between two steps of a test. */
  const standStill = async () => page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1_000);
  /** Time passes for the page alone. */
  const pass = (ms = DUE_MS) => page.clock.fastForward(ms);
  const answered = (count: number) =>
    eventually(
      () => Promise.resolve(answers.length),
      (length) => length === count,
    );
  const goAway = (isAway: boolean) =>
    page.evaluate(`window.isAway = ${isAway}; document.dispatchEvent(new Event('visibilitychange'))`);

  it('shows what is new, and keeps place, focus and what is unfolded', async () => {
    await open('overview');
    await page.getByText('as a table').click();
    await page.getByRole('link', { name: 'L-1' }).first().focus();
    await page.evaluate('scrollTo(0, 200)');
    await page.mouse.move(5, 495);
    await board.paid('L-2');
    await pass();
    await page.getByRole('link', { name: 'L-2' }).first().waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('L-1');
    expect(await page.evaluate('scrollY')).toBeGreaterThanOrEqual(200);
    expect(
      await page.locator('details').evaluateAll((all) => all.map((one) => one.hasAttribute('open'))),
    ).toContain(true);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('asks every fifteen seconds, not while nobody sees it, and is answered without a page while nothing is new', async () => {
    await open('recoveries');
    await standStill();
    await pass();
    await answered(1);
    await pass(10_000);
    expect(asked).toBe(1);
    const before = await page.locator('#asof time').getAttribute('datetime');
    await board.sandbox.clock.advance(5_000);
    await pass(6_000);
    await answered(2);
    expect(answers).toEqual([200, 304]);
    await page.locator(`#asof time:not([datetime="${before}"])`).waitFor();
    await goAway(true);
    await pass(600_000);
    expect(asked).toBe(2);
    await goAway(false);
    await pass(1_100);
    await answered(3);
  });

  it('waits while a form has input, and says so', async () => {
    await open('payments');
    await page.locator('#find').fill('L-');
    await page.evaluate('document.activeElement.blur()');
    await board.paid('L-3');
    await pass(61_000);
    await page.getByText(/not renewed since \d\d:\d\d: it is in use/).waitFor();
    expect(asked).toBe(0);
    expect(await page.locator('#find').inputValue()).toBe('L-');
    await page.locator('#find').fill('');
    await page.evaluate('document.activeElement.blur()');
    await pass();
    await page.getByRole('link', { name: 'L-3' }).waitFor();
    expect(await page.locator('#renewal').textContent()).toBe('');
  });

  it('moves nothing under the pointer, nor while a hand moves', async () => {
    await open('payments');
    const link = page.getByRole('link', { name: 'L-1' });
    await link.hover();
    await standStill();
    await board.paid('L-7');
    await pass();
    await pass();
    expect(asked).toBe(0);
    await page.mouse.move(5, 495);
    await pass(1_100);
    expect(asked).toBe(0);
    await pass(2_000);
    await page.getByRole('link', { name: 'L-7' }).waitFor();
  });

  it('says since when it is not renewed, asks less and less often, and goes on', async () => {
    await open('overview');
    await standStill();
    await context.setOffline(true);
    await pass();
    const said = page.getByText(/not renewed since \d\d:\d\d/);
    await said.waitFor();
    const first = asked;
    await pass(15_000);
    expect(asked).toBe(first);
    await pass(16_000);
    await eventually(
      () => Promise.resolve(asked),
      (count) => count === first + 1,
    );
    await context.setOffline(false);
    await pass(61_000);
    await said.waitFor({ state: 'hidden' });
    expect(answers).toEqual([200]);
  });

  it('takes no other page for its own', async () => {
    await open('overview');
    await page.route('**/overview', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' }),
    );
    await pass();
    await page.getByText(/not renewed since/).waitFor();
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  });

  it('leaves each button to its own row', async () => {
    for (const reference of ['L-4', 'L-5']) {
      board.handlers.refused.add(reference);
      await board.paid(reference);
    }
    const [first] = await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 2,
    );
    await open('deliveries');
    const buttons = page.getByRole('button', { name: /^Run again/ });
    await buttons.nth(1).focus();
    board.handlers.refused.clear();
    await board.operator.retryDelivery(first?.eventId ?? '', first?.handlerId ?? '', { by: 'anna' });
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 1,
    );
    await pass();
    await eventually(
      () => buttons.count(),
      (count) => count === 1,
    );
    await page.keyboard.press('Enter');
    const left = await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 0,
    );
    expect(left).toEqual([]);
  });

  it('leads to a form that knows the payment as it is now, and leaves a form that is open alone', async () => {
    const { id } = await board.paid('L-6');
    const form = await context.newPage();
    await form.clock.install();
    await form.goto(`${board.host.url}/admin/payments/payments/${id}/refund`);
    const before = await form.content();
    await open(`payments/${id}`);
    await board.host.payments.refund(id, {
      refundKey: 'elsewhere',
      amount: { value: '100.00', currency: 'RUB' },
    });
    await pass();
    await page.getByText('100,00\u{202F}₽').first().waitFor();
    await form.clock.fastForward(600_000);
    expect(await form.content()).toBe(before);
    await form.getByLabel('Reason').fill('Came back');
    await form.getByRole('button', { name: 'Next' }).click();
    await form.getByRole('heading', { name: 'out of date' }).waitFor();
    await page.getByRole('link', { name: 'Refund…' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('10');
    await page.getByLabel('Reason').fill('Came back');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Refund 10,00\u{202F}₽' }).click();
    await page.getByText('anna: noted').waitFor();
    expect((await board.host.payments.refunds(id)).map(({ amount }) => amount.value).toSorted()).toEqual([
      '10.00',
      '100.00',
    ]);
  });
});
