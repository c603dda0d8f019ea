import type { Sandbox } from '@holdfast/sandbox';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicOf, held, order, pending, post, realShop, receiver, started } from './support.js';

const hour = 60 * 60 * 1000;

/** A page of the control page: the payments' or another one's. */
async function controlPage(sandbox: Sandbox, page = ''): Promise<string> {
  const address = page === '' ? '/sandbox/' : `/sandbox/pages/${page}`;
  return (await fetch(`${sandbox.url}${address}`)).text();
}

const paymentPage = (sandbox: Sandbox, id: string) => controlPage(sandbox, `payments/${id}`);

/** Sends a form of the control page without following redirects; `from`: the page that it is on. */
async function send(sandbox: Sandbox, action: string, form: Record<string, string> = {}, from?: string) {
  const response = await fetch(`${sandbox.url}/sandbox/do/${action}`, {
    method: 'POST',
    headers: from === undefined ? {} : { Referer: `${sandbox.url}${from}` },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** The row of the list about one payment. */
function rowOf(markup: string, id: string): string {
  const part = markup.split('<tr id="payment-').find((candidate) => candidate.startsWith(id));
  return part?.split('</tr>')[0] ?? '';
}

/** The part of a page with this id. */
function partOf(markup: string, id: string): string {
  return new RegExp(`<section[^>]* id="${id}"[^]*?</section>`).exec(markup)?.[0] ?? '';
}

function buttonsIn(markup: string): (string | undefined)[] {
  return [...markup.matchAll(/<button[^>]* data-testid="([^"]*)"/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'clear-faults');
}

/** What the strip above every page says. */
async function strip(sandbox: Sandbox, page = ''): Promise<string> {
  const markup = await controlPage(sandbox, page);
  return withoutTags(/data-testid="fault-strip">([^]*?)<\/ul>/.exec(markup)?.[1] ?? '').trim();
}

const withoutTags = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/[\t\n ]+/g, ' ');

describe('the control page', () => {
  it('is where the root address leads', async () => {
    const sandbox = await started();
    const page = await fetch(`${sandbox.url}/`);
    expect(page.status).toBe(200);
    expect(page.url).toBe(`${sandbox.url}/sandbox/`);
  });

  it('lists payments newest first, with amount, status, description, age and end', async () => {
    const sandbox = await started();
    const older = await held(sandbox, { description: 'Tea, 2 kg' });
    const newer = await pending(sandbox, { description: 'Cup' });
    await sandbox.clock.advance(30 * 60 * 1000);
    const markup = await controlPage(sandbox);
    expect(markup.indexOf(newer)).toBeLessThan(markup.indexOf(older));
    const text = withoutTags(rowOf(markup, older));
    expect(text).toMatch(
      /1\u00a0234,50\u00a0₽ waiting for capture ends in 6 days 23 h Tea, 2 kg Bank card \*4444 .*30 min ago/,
    );
    expect(rowOf(markup, older)).toContain(`href="/sandbox/pages/payments/${older}"`);
    expect(withoutTags(rowOf(markup, newer))).toMatch(/pending ends in (29|30) min/);
  });

  it('has a page for each tab, which says which of them it is', async () => {
    const sandbox = await started({ ...realShop, profile: 'yookassa' });
    const markup = await controlPage(sandbox);
    const tabs = [...markup.matchAll(/href="([^"]+)"\s+data-testid="tab-(\w+)"/g)];
    expect(tabs.map(([, , tab]) => tab)).toEqual([
      'payments',
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
    ]);
    for (const [, address, tab] of tabs) {
      const page = await fetch(`${sandbox.url}${address}`);
      expect(page.status).toBe(200);
      const current = /data-testid="tab-(\w+)"\s+aria-current="page"/.exec(await page.text());
      expect(current?.[1]).toBe(tab);
    }
  });

  it('leaves out what only the public service has', async () => {
    const markup = await controlPage(await started());
    expect(markup).toContain('data-testid="tab-refunds"');
    expect(markup).not.toMatch(/data-testid="tab-(receipts|invoices)"/);
  });

  it.each(['nothing', 'payments/none', 'notifications/none', 'clock/1', 'toString'])(
    'has no page %s',
    async (page) => {
      const sandbox = await started();
      const answer = await fetch(`${sandbox.url}/sandbox/pages/${page}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('role="alert"');
    },
  );

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
    const id = await pending(sandbox, {
      description: '<img src=x onerror=alert(1)>',
      metadata: { '<b>': '<img src=x>' },
    });
    for (const markup of [await controlPage(sandbox), await paymentPage(sandbox, id)]) {
      expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(markup).not.toContain('<img');
    }
  });

  it('loads nothing from elsewhere, runs what bears the nonce of this answer alone, and lets no site frame it', async () => {
    const sandbox = await started();
    const nonces = new Set<string | undefined>();
    for (const address of ['/sandbox/', '/sandbox/pages/faults']) {
      const response = await fetch(`${sandbox.url}${address}`);
      const policy = response.headers.get('content-security-policy');
      const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
      expect(policy).toBe(
        `default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'`,
      );
      const text = await response.text();
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(text).not.toMatch(/ (style|on\w+)=/);
      expect([...text.matchAll(/<(?:style|script)[^>]*>/g)].map(([tag]) => tag)).toEqual([
        `<style nonce="${nonce}">`,
        `<script type="module" nonce="${nonce}">`,
      ]);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
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
    const offered = async (id: string) => buttonsIn(partOf(await paymentPage(sandbox, id), 'actions'));
    expect(await offered(open)).toEqual(['pay-bank_card', 'pay-wallet', 'decline', 'run-out']);
    expect(await offered(wallet)).toEqual(['pay-wallet', 'decline', 'run-out']);
    expect(await offered(hold)).toEqual(['run-out']);
    expect(await offered(declined)).toEqual([]);
    const list = await controlPage(sandbox);
    const usual = [open, wallet, hold, declined].map((id) => buttonsIn(rowOf(list, id)));
    expect(usual).toEqual([['pay-bank_card'], ['pay-wallet'], [], []]);
  });

  it('offers the bank application and the card app if the store has them', async () => {
    const sandbox = await started(realShop);
    const { body } = await post(sandbox, '/v3/payments', 'k', order(), basicOf(realShop));
    const id = String(body['id']);
    expect(await paymentPage(sandbox, id)).toMatch(/pay-bank_app_pay[^]*pay-card_app_pay/);
    await send(sandbox, 'pay', { id, method: 'bank_card', source: 'card_app_pay' });
    expect(sandbox.payments.get(id).payment_method?.card?.source).toBe('card_app_pay');
  });
});

describe('the page of a payment', () => {
  it('shows its money, what happened to it in order, its notifications and the object', async () => {
    const merchant = await receiver();
    const sandbox = await started({ notify: { url: merchant.url } });
    const id = await pending(sandbox, { capture: true, metadata: { order: 'A-17' } });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await sandbox.clock.advance(1000);
    await post(sandbox, '/v3/refunds', 'refund-1', {
      payment_id: id,
      amount: { value: '234.50', currency: 'RUB' },
    });
    await sandbox.clock.advance(0);
    const markup = await paymentPage(sandbox, id);
    expect(withoutTags(partOf(markup, 'money'))).toMatch(
      /Asked 1\u00a0234,50.*Captured 1\u00a0234,50.*Refunded 234,50.*The store&#39;s 1\u00a0000,00/,
    );
    expect(withoutTags(partOf(markup, 'history'))).toMatch(
      /POST \/v3\/payments 200 .*Made.* taken or held .* captured .*payment\.succeeded answered 200.*POST \/v3\/refunds 200 key refund-1.* refunded by the request with the key refund-1.*refund\.succeeded answered 200/,
    );
    expect(withoutTags(partOf(markup, 'facts'))).toContain('order: A-17');
    expect(partOf(markup, 'notifications').match(/data-testid="notification"/g)).toHaveLength(2);
    expect(markup).toContain('&quot;refunded_amount&quot;');
  });

  it('has requests about it alone go wrong', async () => {
    const sandbox = await started();
    const [id, other] = [await held(sandbox), await held(sandbox)];
    const form = /data-testid="offer-error_500_after_commit"[^]*?<\/details>/.exec(
      await paymentPage(sandbox, id),
    );
    expect(form?.[0]).toContain(`name="object" value="${id}"`);
    expect([...(form?.[0] ?? '').matchAll(/<option value="(\w+)"/g)].map(([, on]) => on)).toEqual([
      'capture',
      'cancel',
      'read',
    ]);
    await send(sandbox, 'order-fault', { on: 'capture', object: id, fault: 'error_500_before_commit' });
    expect((await post(sandbox, `/v3/payments/${other}/capture`, 'c-1')).status).toBe(200);
    expect((await post(sandbox, `/v3/payments/${id}/capture`, 'c-2')).status).toBe(500);
  });

  it('is where its forms lead back to, and where they say why they failed', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    const here = `/sandbox/pages/payments/${id}`;
    const failed = await send(sandbox, 'decline', { id, reason: 'NO' }, here);
    expect(failed.status).toBe(400);
    expect(failed.text).toContain(`data-address="${here}"`);
    expect(await send(sandbox, 'pay', { id }, here)).toMatchObject({ location: `${here}?done=pay` });
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
    const [openPage, cashPage] = [await paymentPage(sandbox, open), await paymentPage(sandbox, cash)];
    expect(openPage).toMatch(/Pay by SBP[^]*Pay by SberPay/);
    expect(openPage).toContain('<option>sber_loan</option>');
    expect(buttonsIn(partOf(cashPage, 'actions'))).toEqual(['pay-cash', 'decline']);
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
    expect(await send(sandbox, 'pay', { id, method: 'bank_card' }, '/sandbox/?done=pay')).toMatchObject({
      status: 303,
      location: `/sandbox/?done=pay#payment-${id}`,
    });
    expect(
      (await (await fetch(`${sandbox.url}/sandbox/?done=pay`)).text()).includes('The buyer has paid.'),
    ).toBe(true);
    const other = await pending(sandbox);
    expect(await send(sandbox, 'pay', { id: other, method: 'wallet' })).toMatchObject({
      location: `/sandbox/pages/payments/${other}?done=pay`,
    });
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
    expect(await paymentPage(sandbox, id)).toContain('name="amount" value="1234.50"');
    await send(sandbox, 'refund', { id, amount: '234.50' });
    expect(await paymentPage(sandbox, id)).toContain('name="amount" value="1000.00"');
    expect(withoutTags(await paymentPage(sandbox, id))).toContain('Refunded 234,50\u00a0₽');
    await send(sandbox, 'refund', { id, amount: '1000.00' });
    expect(await paymentPage(sandbox, id)).not.toContain('data-testid="refund"');
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
    const part = await paymentPage(sandbox, id);
    expect(part).toContain('name="amount" value="1000.00"');
    expect(withoutTags(part)).toContain('Refund on its way 234,50\u00a0₽');
    sandbox.refunds.next({ status: 'pending' });
    await send(sandbox, 'refund', { id });
    expect(await paymentPage(sandbox, id)).not.toContain('data-testid="refund"');
  });

  it('moves the clock by the given time', async () => {
    const sandbox = await started();
    const before = sandbox.clock.offsetMs();
    await send(sandbox, 'advance', { count: '7', unit: 'days' });
    await send(sandbox, 'advance', { count: '3', unit: 'hours' });
    expect(sandbox.clock.offsetMs() - before).toBe((7 * 24 + 3) * hour);
    expect(withoutTags(await controlPage(sandbox, 'clock'))).toContain('7 days 3 h ahead of real time');
  });

  it('sets the clock wrong, and right again', async () => {
    const sandbox = await started();
    await send(sandbox, 'skew', { seconds: '-420' });
    expect(sandbox.clock.skewMs()).toBe(-420_000);
    expect(withoutTags(await controlPage(sandbox, 'clock'))).toContain('its clock is 7 min slow');
    await send(sandbox, 'skew', { seconds: '0' });
    expect(sandbox.clock.skewMs()).toBe(0);
  });

  it('says whose clocks it moves', async () => {
    const clocks = async (sandbox: Sandbox) =>
      withoutTags(/data-testid="clocks">([^]*?)<\/p>/.exec(await controlPage(sandbox, 'clock'))?.[1] ?? '');
    expect(await clocks(await started())).toContain('this sandbox alone');
    expect(await clocks(await started({ movesToo: 'the shop' }))).toContain(
      'the clocks of this sandbox and of the shop.',
    );
  });

  it('orders faults, of which every page says in words that they wait, until they are used up or removed', async () => {
    const sandbox = await started();
    await send(sandbox, 'order-fault', {
      on: 'create',
      fault: 'too_many_requests',
      times: '2',
      retry_seconds: '0,005',
    });
    await send(sandbox, 'order-fault', { on: 'notification', fault: 'duplicate', copies: '3' });
    expect(sandbox.faults.list()).toMatchObject([
      { order: { retry_after: 5, times: 2 } },
      { order: { copies: 3 } },
    ]);
    for (const page of ['', 'faults', 'ledger', 'cards']) {
      expect(await strip(sandbox, page)).toMatch(
        /Answer 429 “too many requests” before the payment was created again after 5 ms, 2 left Send the next notification several times at once 3 more, 1 left/,
      );
    }
    await pending(sandbox);
    expect(await strip(sandbox)).toContain('again after 5 ms, 1 left');
    await pending(sandbox);
    expect(await strip(sandbox)).not.toContain('429');
    await send(sandbox, 'clear-faults');
    expect(await strip(sandbox)).toBe('');
    expect(await controlPage(sandbox, 'faults')).toContain('None ordered.');
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('for a fault has only the fields that this fault needs, and orders it as they stand', async () => {
    const sandbox = await started({ ...realShop, profile: 'yookassa' });
    const markup = await controlPage(sandbox, 'faults');
    const forms = [...markup.matchAll(/data-testid="offer-(\w+)"[^]*?<\/details>/g)];
    const fields = ([form]: RegExpExecArray) =>
      [...form.matchAll(/<(?:input|select) name="(\w+)"/g)].map(([, name]) => name);
    expect(Object.fromEntries(forms.map((form) => [form[1], fields(form)]))).toEqual({
      drop: ['times'],
      delay: ['seconds', 'times'],
      duplicate: ['copies', 'times'],
      reorder: ['times'],
      stall: ['on', 'seconds', 'times'],
      stall_after_commit: ['on', 'seconds', 'times'],
      reset_before_commit: ['on', 'times'],
      reset_after_commit: ['on', 'times'],
      error_500_before_commit: ['on', 'times'],
      error_500_after_commit: ['on', 'times'],
      too_many_requests: ['on', 'retry_seconds', 'times'],
      forbidden: ['on', 'times'],
      accepted: ['on', 'retry_seconds', 'times'],
      truncated_body: ['on', 'times'],
      unknown_fields: ['on', 'times'],
      no_date: ['on', 'times'],
      wrong_date: ['on', 'seconds', 'times'],
    });
    const sent = forms.flatMap(([form]) => {
      const inputs = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      );
      const targets = [...form.matchAll(/<option value="(\w+)"/g)].map(([, on = '']) => ({ on }));
      return (targets.length === 0 ? [{}] : targets).map((on) => ({ ...Object.fromEntries(inputs), ...on }));
    });
    expect(sent.length).toBeGreaterThan(200);
    for (const form of sent) expect(await send(sandbox, 'order-fault', form)).toMatchObject({ status: 303 });
    expect(sandbox.faults.list()).toHaveLength(sent.length);
  });

  it('shows how notifications were answered and which are due, and sends one again', async () => {
    const merchant = await receiver((count) => (count === 1 ? 500 : 200));
    const sandbox = await started({ notify: { url: merchant.url } });
    const id = await held(sandbox);
    await sandbox.clock.advance(0);
    const text = withoutTags(await controlPage(sandbox, 'notifications'));
    expect(text).toContain('payment.waiting_for_capture');
    expect(text).toMatch(/answered 500 next in (9|10) s/);
    const [notification] = sandbox.notifications.list();
    await send(sandbox, 'redeliver', { id: notification?.id ?? '' });
    expect(withoutTags(await controlPage(sandbox, 'notifications'))).toMatch(
      /answered 500 .*answered 200 acknowledged/,
    );
    expect(merchant.received).toHaveLength(2);
    expect(notification?.objectId).toBe(id);
  });

  it('shows a notification as it goes over the wire: headers and body, each answer with its time', async () => {
    const merchant = await receiver((count) => (count === 1 ? 503 : 200));
    const sandbox = await started({ notify: { url: merchant.url } });
    await held(sandbox, { description: 'Tea' });
    await sandbox.clock.advance(10_000);
    const id = sandbox.notifications.list()[0]?.id ?? '';
    const { headers, body, attempts } = sandbox.notifications.get(id);
    expect(merchant.received[0]?.headers).toMatchObject(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    );
    expect(JSON.parse(body)).toEqual(merchant.received[0]?.body);
    expect(attempts).toMatchObject([
      { status: 503, url: merchant.url, tookMs: expect.any(Number) },
      { status: 200, url: merchant.url, tookMs: expect.any(Number) },
    ]);
    const text = withoutTags(await controlPage(sandbox, `notifications/${id}`));
    expect(text).toContain('X-Forwarded-For: 185.71.76.1');
    expect(text).toContain('&quot;description&quot;: &quot;Tea&quot;');
    expect(text).toMatch(/answered 503 \d+ ms .*answered 200 \d+ ms .*acknowledged/);
    const again = `/sandbox/pages/notifications/${id}`;
    expect(await send(sandbox, 'redeliver', { id }, again)).toMatchObject({
      location: `${again}?done=redeliver`,
    });
  });

  it('changes the address of notifications, and ends the subscription with an empty address', async () => {
    const sandbox = await started();
    await send(sandbox, 'notify-url', { url: 'http://127.0.0.1:3000/hook' });
    expect(await controlPage(sandbox, 'notifications')).toContain('value="http://127.0.0.1:3000/hook"');
    await send(sandbox, 'notify-url', { url: '' });
    expect(sandbox.notifyUrl()).toBeNull();
  });

  it('shows which events are ticked in the Merchant Profile, and ticks others', async () => {
    const sandbox = await started({ notify: { events: ['refund.succeeded'] } });
    const ticked = async () =>
      [...(await controlPage(sandbox, 'notifications')).matchAll(/name="([\w.]+)"\s+checked/g)].map(
        ([, event]) => event,
      );
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
    const markup = await controlPage(sandbox, 'objects');
    for (const item of ['payout', 'deal', 'payment-method'])
      expect(markup).toContain(`data-testid="${item}"`);
    expect(await controlPage(sandbox, 'refunds')).toContain('data-testid="refund-item"');
  });

  it('orders the fate of the next refund', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await send(sandbox, 'next-refund', { fate: 'pending' });
    await send(sandbox, 'refund', { id, amount: '1.00' });
    expect(sandbox.refunds.list()).toMatchObject([{ status: 'pending' }]);
  });

  it('pays and cancels invoices', async () => {
    const sandbox = await started({ ...realShop, profile: 'yookassa' });
    const made = async (key: string) => {
      const body = {
        payment_data: { amount: { value: '10.00', currency: 'RUB' }, capture: true },
        cart: [{ description: 'Tea', price: { value: '10.00', currency: 'RUB' }, quantity: 1 }],
        delivery_method_data: { type: 'self' },
        expires_at: new Date(sandbox.clock.now().getTime() + hour).toISOString(),
      };
      return String((await post(sandbox, '/v3/invoices', key, body, basicOf(realShop))).body['id']);
    };
    const [paid, canceled] = [await made('i-1'), await made('i-2')];
    expect(buttonsIn(await controlPage(sandbox, 'invoices'))).toContain('pay-invoice');
    await send(sandbox, 'pay-invoice', { id: paid });
    await send(sandbox, 'cancel-invoice', { id: canceled });
    expect(sandbox.invoices.get(paid).status).toBe('succeeded');
    expect(sandbox.invoices.get(canceled).status).toBe('canceled');
  });

  it.each([
    ['pay', { id: 'none', method: 'bank_card' }, 404, 'No payment none'],
    ['pay', { id: 'none', method: 'gold' }, 400, 'method must be one of'],
    ['advance', { count: '-1', unit: 'days' }, 400, 'count must be a whole number'],
    ['advance', { count: '1', unit: 'years' }, 400, 'unit must be one of'],
    ['order-fault', { on: 'create', fault: 'drop' }, 400, 'fault on create must be one of'],
    [
      'order-fault',
      { on: 'create', fault: 'stall', seconds: 'ten' },
      400,
      'seconds must be a number of seconds',
    ],
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
    expect(answer.text).toContain('<nav class="side"');
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
