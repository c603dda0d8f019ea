import type { Sandbox } from '@holdfast/sandbox';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaries } from '../support/canaries.js';
import { basicOf, control, held, order, pending, post, realShop, receiver, started } from './support.js';

const hour = 60 * 60 * 1000;

async function controlPage(sandbox: Sandbox): Promise<string> {
  return (await fetch(`${sandbox.url}/sandbox/`)).text();
}

/** Sends a form of the control page without following redirects. */
async function send(sandbox: Sandbox, action: string, form: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/sandbox/do/${action}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** The part of the page about one payment. */
function partOf(markup: string, id: string): string {
  const part = markup.split('<li id="payment-').find((candidate) => candidate.startsWith(id));
  return part?.split('</section>')[0] ?? '';
}

const withoutTags = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/[\t\n ]+/g, ' ');

describe('the control page', () => {
  it('is where the root address leads', async () => {
    const sandbox = await started();
    const page = await fetch(`${sandbox.url}/`);
    expect(page.status).toBe(200);
    expect(page.url).toBe(`${sandbox.url}/sandbox/`);
  });

  it('shows payments newest first, with amount, status, description, age and end', async () => {
    const sandbox = await started();
    const older = await held(sandbox, { description: 'Tea, 2 kg' });
    const newer = await pending(sandbox, { description: 'Cup' });
    await sandbox.clock.advance(30 * 60 * 1000);
    const markup = await controlPage(sandbox);
    expect(markup.indexOf(newer)).toBeLessThan(markup.indexOf(older));
    const text = withoutTags(partOf(markup, older));
    expect(text).toContain('1\u00a0234,50\u00a0₽ waiting for capture Tea, 2 kg');
    expect(text).toContain('Bank card *4444');
    expect(text).toMatch(/Made 30 min ago/);
    expect(text).toMatch(/Hold ends in 6 days 23 h/);
    expect(withoutTags(partOf(markup, newer))).toMatch(/Term ends in (29|30) min/);
  });

  it('says whether its state is kept', async () => {
    const state = (markup: string) => withoutTags(/data-testid="state">([^]*?)<\/p>/.exec(markup)?.[1] ?? '');
    expect(state(await controlPage(await started()))).toMatch(
      /in memory and lost when the sandbox stops: --state-file/,
    );
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-spec-'));
    const kept = await started({ stateFile: join(folder, 'kept.state') });
    expect(state(await controlPage(kept))).toMatch(/kept for the next run, in .*kept\.state/);
    await kept.close();
    await rm(folder, { recursive: true });
  });

  it('escapes what the merchant sent', async () => {
    const sandbox = await started();
    await pending(sandbox, { description: '<img src=x onerror=alert(1)>' });
    expect(await controlPage(sandbox)).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('loads nothing from elsewhere, runs only its own script, and lets no site frame it', async () => {
    const sandbox = await started();
    const response = await fetch(`${sandbox.url}/sandbox/`);
    expect(response.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'.*script-src 'sha256-[^ ]+'; connect-src 'self'$/,
    );
    expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('leaves no trace in the ledger', async () => {
    const sandbox = await started();
    await controlPage(sandbox);
    expect(sandbox.ledger.requestCount()).toBe(0);
  });

  it('offers for a payment only what its buyer or time may do now', async () => {
    const sandbox = await started();
    const open = await pending(sandbox);
    const wallet = await pending(sandbox, { payment_method_data: { type: 'wallet' } });
    const hold = await held(sandbox);
    const declined = await pending(sandbox);
    sandbox.payments.pay(declined, { outcome: 'decline' });
    const markup = await controlPage(sandbox);
    const offered = (id: string) =>
      [...partOf(markup, id).matchAll(/<button data-testid="([^"]*)"/g)].map((match) => match[1]);
    expect(offered(open)).toEqual(['pay-bank_card', 'pay-wallet', 'decline', 'run-out']);
    expect(offered(wallet)).toEqual(['pay-wallet', 'decline', 'run-out']);
    expect(offered(hold)).toEqual(['run-out']);
    expect(offered(declined)).toEqual([]);
  });

  it('offers the bank application and the card app if the store has them', async () => {
    const sandbox = await started({ shopId: 'shop_1' });
    const { status } = await control(sandbox, '/payments', undefined, 'GET');
    expect(status).toBe(200);
    await fetch(`${sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`shop_1:${canaries.secretKey}`).toString('base64')}`,
        'Idempotence-Key': 'k',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        amount: { value: '10.00', currency: 'RUB' },
        confirmation: { type: 'redirect', return_url: 'http://shop.test/' },
      }),
    });
    const [payment] = sandbox.payments.list();
    const id = payment?.id ?? '';
    expect(partOf(await controlPage(sandbox), id)).toMatch(/pay-bank_app_pay[^]*pay-card_app_pay/);
    await send(sandbox, 'pay', { id, method: 'bank_card', source: 'card_app_pay' });
    expect(sandbox.payments.get(id).payment_method?.card?.source).toBe('card_app_pay');
  });
});

describe('the ways to pay on the control page of the public service', () => {
  it('are buttons, and a list of the others; what has no term cannot run out', async () => {
    const sandbox = await started({ ...realShop, profile: 'yookassa' });
    const created = async (type: string | null) => {
      const data = type === null ? {} : { payment_method_data: { type } };
      const body = order({ capture: true, ...data });
      return String((await post(sandbox, '/v3/payments', `k ${type}`, body, basicOf(realShop))).body['id']);
    };
    const [open, cash] = [await created(null), await created('cash')];
    const markup = await controlPage(sandbox);
    expect(partOf(markup, open)).toMatch(/Pay by SBP[^]*Pay by SberPay/);
    expect(partOf(markup, open)).toContain('<option>sber_loan</option>');
    expect(partOf(markup, cash).split('</li>')[0]).toContain('data-testid="pay-cash"');
    expect(partOf(markup, cash).split('</li>')[0]).not.toContain('data-testid="run-out"');
    await send(sandbox, 'pay', { id: open, method: 'tinkoff_bank' });
    await send(sandbox, 'pay', { id: cash });
    expect(sandbox.payments.get(open)).toMatchObject({
      status: 'succeeded',
      payment_method: { type: 'tinkoff_bank' },
    });
    expect(sandbox.payments.get(cash).status).toBe('succeeded');
  });
});

describe('a form of the control page', () => {
  it('pays by card and by wallet, and leads back to the payment', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect(await send(sandbox, 'pay', { id, method: 'bank_card' })).toMatchObject({
      status: 303,
      location: `/sandbox/?done=pay#payment-${id}`,
    });
    expect(
      (await (await fetch(`${sandbox.url}/sandbox/?done=pay`)).text()).includes('The buyer has paid.'),
    ).toBe(true);
    const other = await pending(sandbox);
    await send(sandbox, 'pay', { id: other, method: 'wallet' });
    expect(sandbox.payments.get(id).payment_method?.type).toBe('bank_card');
    expect(sandbox.payments.get(other).payment_method?.type).toBe('wallet');
  });

  it('declines with the reason chosen', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await send(sandbox, 'decline', { id, reason: 'country_forbidden' });
    expect(sandbox.payments.get(id).cancellation_details).toEqual({
      party: 'service',
      reason: 'country_forbidden',
    });
  });

  it('lets the term and the hold run out by moving the clock that far', async () => {
    const sandbox = await started();
    const hold = await held(sandbox);
    const open = await pending(sandbox);
    const before = sandbox.clock.offsetMs();
    await send(sandbox, 'run-out', { id: open });
    expect(sandbox.payments.get(open).cancellation_details?.reason).toBe('expired_on_confirmation');
    expect(sandbox.clock.offsetMs() - before).toBeLessThanOrEqual(hour);
    await send(sandbox, 'run-out', { id: hold });
    expect(sandbox.payments.get(hold).cancellation_details?.reason).toBe('expired_on_capture');
    expect((await send(sandbox, 'run-out', { id: hold })).status).toBe(409);
  });

  it('refunds a part, then the rest, as in the Merchant Profile', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(partOf(await controlPage(sandbox), id)).toContain('name="amount" value="1234.50"');
    await send(sandbox, 'refund', { id, amount: '234.50' });
    expect(partOf(await controlPage(sandbox), id)).toContain('name="amount" value="1000.00"');
    expect(withoutTags(partOf(await controlPage(sandbox), id))).toContain('Refunded 234,50\u00a0₽');
    await send(sandbox, 'refund', { id, amount: '1000.00' });
    expect(partOf(await controlPage(sandbox), id)).not.toContain('data-testid="refund"');
    expect(sandbox.ledger.totals(id)).toMatchObject({ refunds: 2, refunded: '1234.50' });
  });

  it.each([
    ['200', '200.00'],
    ['0,5', '0.50'],
    ['1 034,50 ₽', '1034.50'],
    ['1\u00a0034,50\u00a0₽', '1034.50'],
    ['1034.5', '1034.50'],
  ])('takes the amount %j as %s', async (typed, value) => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(await send(sandbox, 'refund', { id, amount: typed })).toMatchObject({ status: 303 });
    expect(sandbox.refunds.list()).toMatchObject([{ amount: { value } }]);
    expect(await send(sandbox, 'create-payout', { amount: typed })).toMatchObject({ status: 303 });
    expect(sandbox.payouts.list()).toMatchObject([{ amount: { value } }]);
  });

  it('refunds no more than pending refunds leave', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    sandbox.refunds.next({ status: 'pending' });
    await send(sandbox, 'refund', { id, amount: '234.50' });
    const part = partOf(await controlPage(sandbox), id);
    expect(part).toContain('name="amount" value="1000.00"');
    expect(withoutTags(part)).toContain('Refund on its way 234,50\u00a0₽');
    sandbox.refunds.next({ status: 'pending' });
    await send(sandbox, 'refund', { id });
    expect(partOf(await controlPage(sandbox), id)).not.toContain('data-testid="refund"');
  });

  it('moves the clock by the given time', async () => {
    const sandbox = await started();
    const before = sandbox.clock.offsetMs();
    await send(sandbox, 'advance', { count: '7', unit: 'days' });
    await send(sandbox, 'advance', { count: '3', unit: 'hours' });
    expect(sandbox.clock.offsetMs() - before).toBe((7 * 24 + 3) * hour);
    expect(withoutTags(await controlPage(sandbox))).toContain('7 days 3 h ahead of real time');
  });

  it('orders faults, which the page lists until they are used up or removed', async () => {
    const sandbox = await started();
    await send(sandbox, 'order-fault', {
      on: 'create',
      fault: 'too_many_requests',
      times: '2',
      retry_after: '5',
    });
    await send(sandbox, 'order-fault', { on: 'notification', fault: 'duplicate', copies: '3' });
    expect(withoutTags(await controlPage(sandbox))).toMatch(
      /too_many_requests on create 2 left, retry_after 5 duplicate on notification 1 left, copies 3/,
    );
    await pending(sandbox);
    expect(withoutTags(await controlPage(sandbox))).toContain('too_many_requests on create 1 left');
    await pending(sandbox);
    expect(await controlPage(sandbox)).not.toContain('1 left, retry_after');
    await send(sandbox, 'clear-faults');
    expect(await controlPage(sandbox)).toContain('None ordered.');
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('shows how notifications were answered and which are due, and sends one again', async () => {
    const merchant = await receiver((count) => (count === 1 ? 500 : 200));
    const sandbox = await started({ notify: { url: merchant.url } });
    const id = await held(sandbox);
    await sandbox.clock.advance(0);
    const text = withoutTags(await controlPage(sandbox));
    expect(text).toContain('payment.waiting_for_capture');
    expect(text).toMatch(/answered 500 next in (9|10) s/);
    const [notification] = sandbox.notifications.list();
    await send(sandbox, 'redeliver', { id: notification?.id ?? '' });
    expect(withoutTags(await controlPage(sandbox))).toMatch(/answered 500 .*answered 200 acknowledged/);
    expect(merchant.received).toHaveLength(2);
    expect(notification?.objectId).toBe(id);
  });

  it('changes the address of notifications, and ends the subscription with an empty address', async () => {
    const sandbox = await started();
    await send(sandbox, 'notify-url', { url: 'http://127.0.0.1:3000/hook' });
    expect(await controlPage(sandbox)).toContain('value="http://127.0.0.1:3000/hook"');
    await send(sandbox, 'notify-url', { url: '' });
    expect(sandbox.notifyUrl()).toBeNull();
  });

  it('shows which events are ticked in the Merchant Profile, and ticks others', async () => {
    const sandbox = await started({ notify: { events: ['refund.succeeded'] } });
    const ticked = async () =>
      [...(await controlPage(sandbox)).matchAll(/name="([\w.]+)"\s+checked/g)].map(([, event]) => event);
    expect(await ticked()).toEqual(['refund.succeeded']);
    await send(sandbox, 'notify-events', { 'payment.canceled': 'on', 'deal.closed': 'on' });
    expect(await ticked()).toEqual(['payment.canceled', 'deal.closed']);
    await send(sandbox, 'notify-events');
    expect(sandbox.notifyEvents()).toEqual([]);
  });

  it('makes and ends payouts, deals, payment methods and pending refunds', async () => {
    const sandbox = await started();
    await send(sandbox, 'create-payout', { amount: '250.00' });
    await send(sandbox, 'create-deal');
    await send(sandbox, 'bind-method', { type: 'wallet' });
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    sandbox.refunds.next({ status: 'pending' });
    await send(sandbox, 'refund', { id, amount: '1.00' });
    const { payouts, deals, paymentMethods, refunds } = sandbox;
    await send(sandbox, 'finish-payout', { id: newestId(payouts.list()), outcome: 'canceled' });
    await send(sandbox, 'close-deal', { id: newestId(deals.list()) });
    await send(sandbox, 'revoke-method', { id: newestId(paymentMethods.list()) });
    await send(sandbox, 'finish-refund', { id: newestId(refunds.list()), outcome: 'succeeded' });
    expect(payouts.list()).toMatchObject([{ status: 'canceled', amount: { value: '250.00' } }]);
    expect(deals.list()).toMatchObject([{ status: 'closed' }]);
    expect(paymentMethods.list()).toMatchObject([{ status: 'inactive', type: 'wallet' }]);
    expect(refunds.list()).toMatchObject([{ status: 'succeeded' }]);
    const markup = await controlPage(sandbox);
    for (const item of ['payout', 'deal', 'payment-method', 'refund-item']) {
      expect(markup).toContain(`data-testid="${item}"`);
    }
  });

  it.each([
    ['pay', { id: 'none', method: 'bank_card' }, 404, 'No payment none'],
    ['pay', { id: 'none', method: 'gold' }, 400, 'method must be one of'],
    ['advance', { count: '-1', unit: 'days' }, 400, 'count must be a whole number'],
    ['advance', { count: '1', unit: 'years' }, 400, 'unit must be one of'],
    ['order-fault', { on: 'create', fault: 'drop' }, 400, 'fault on create must be one of'],
    ['create-payout', { amount: 'five' }, 400, 'amount must be'],
    ['create-payout', { amount: '12 34' }, 400, 'amount must be'],
    ['create-payout', { amount: '0,00' }, 400, 'amount must be'],
    ['create-payout', { amount: '1.234' }, 400, 'amount must be'],
    ['notify-url', { url: 'ftp://shop.test/' }, 400, 'Needs an https address'],
    ['redeliver', { id: 'none' }, 404, 'No notification none'],
  ])('%s with %j answers %i on the page and says why', async (action, form, status, words) => {
    const sandbox = await started();
    const answer = await send(sandbox, action, form);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/role="alert"/);
    expect(answer.text).toContain(words);
    expect(answer.text).toContain('<h2 id="payments-title">');
  });

  it('that does not exist answers 404', async () => {
    const sandbox = await started();
    expect((await send(sandbox, 'toString')).status).toBe(404);
  });
});

describe('another web page', () => {
  it.each([
    ['Sec-Fetch-Site cross-site', 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site same-site, a page of another port', 403, { 'Sec-Fetch-Site': 'same-site' }],
    ['Sec-Fetch-Site same-origin', 303, { 'Sec-Fetch-Site': 'same-origin' }],
    ['Sec-Fetch-Site none, an address typed in', 303, { 'Sec-Fetch-Site': 'none' }],
    ['an Origin elsewhere', 403, { Origin: 'http://shop.test' }],
    ['an Origin on another port', 403, { Origin: 'http://127.0.0.1:3000' }],
    ['a hidden Origin', 403, { Origin: 'null' }],
    ['neither', 303, {}],
  ])('sending a form with %s gets %i', async (_what, status, headers) => {
    const sandbox = await started();
    expect(await postWith(sandbox, '/sandbox/do/create-deal', headers)).toBe(status);
    expect(sandbox.deals.list()).toHaveLength(status === 303 ? 1 : 0);
  });

  it('cannot use the control API either, nor can a foreign name for this machine', async () => {
    const sandbox = await started();
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect(await postWith(sandbox, '/sandbox/deals', foreign)).toBe(403);
    expect(await postWith(sandbox, '/sandbox/do/create-deal', { Host: 'shop.test' })).toBe(403);
    expect(await postWith(sandbox, '/sandbox/deals', { Origin: sandbox.url })).toBe(200);
    expect(sandbox.deals.list()).toHaveLength(1);
  });
});

function newestId([newest]: readonly { readonly id: string }[]): string {
  return newest?.id ?? '';
}

/** With node:http, because fetch sets these headers itself. */
async function postWith(sandbox: Sandbox, path: string, headers: http.OutgoingHttpHeaders) {
  const request = http.request(sandbox.url + path, { method: 'POST', headers, agent: false }).end();
  const [response] = await once(request, 'response');
  return response instanceof http.IncomingMessage ? response.resume().statusCode : undefined;
}
