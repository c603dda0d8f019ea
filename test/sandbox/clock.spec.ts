import { basic, control, get, held, pending, receiver, started } from './support.js';

const hour = 60 * 60 * 1000;
const week = 7 * 24 * hour;

const later = (time: unknown, ms: number) => new Date(Date.parse(String(time)) + ms).toISOString();

describe('the clock', () => {
  it('moves by exactly the given time, and starts at the given time', async () => {
    const sandbox = await started({ startAt: new Date('2030-01-01T00:00:00.000Z') });
    expect(sandbox.clock.now().toISOString()).toMatch(/^2030-01-01T00:00/);
    const before = sandbox.clock.offsetMs();
    await sandbox.clock.advance(hour);
    expect(sandbox.clock.offsetMs()).toBe(before + hour);
  });

  it('moves by the sum of two moves made at the same time', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const before = sandbox.clock.offsetMs();
    await pending(sandbox);
    await Promise.all([sandbox.clock.advance(hour), sandbox.clock.advance(hour)]);
    expect(sandbox.clock.offsetMs()).toBe(before + 2 * hour);
  });

  it('shows the due time of what happens while it is moved', async () => {
    const seen: number[] = [];
    const shop = await receiver(() => {
      seen.push(sandbox.clock.now().getTime());
      return 200;
    });
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await pending(sandbox);
    await sandbox.clock.advance(week);
    const due = Date.parse(later(sandbox.payments.get(id).created_at, hour));
    expect(seen).toEqual([expect.any(Number)]);
    expect(seen[0]).toBeGreaterThanOrEqual(due);
    expect(seen[0]).toBeLessThan(due + hour);
  });

  it('cancels a payment nobody confirmed when its hour is over', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await sandbox.clock.advance(hour - 60_000);
    expect(sandbox.payments.get(id).status).toBe('pending');
    await sandbox.clock.advance(60_000);
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'service', reason: 'expired_on_confirmation' },
    });
  });

  it('leaves a confirmed payment alone when the hour is over', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await sandbox.clock.advance(2 * hour);
    expect(sandbox.payments.get(id).status).toBe('succeeded');
  });

  it('releases a hold at its expires_at', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    const expiresAt = sandbox.payments.get(id).expires_at;
    await sandbox.clock.advance(week);
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'service', reason: 'expired_on_capture' },
    });
    expect(sandbox.ledger.entries(id).at(-1)).toMatchObject({
      kind: 'cancel',
      amount: '1234.50',
      at: expiresAt,
    });
  });

  it('makes everything happen in time order, each stamped with its own due time', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const hold = await held(sandbox);
    const first = await pending(sandbox);
    await sandbox.clock.advance(1000);
    const second = await pending(sandbox);
    await sandbox.clock.advance(2 * week);
    expect(sandbox.ledger.entries().map(({ kind, paymentId, at }) => [kind, paymentId, at])).toEqual([
      ['charge', hold, expect.any(String)],
      ['cancel', first, later(sandbox.payments.get(first).created_at, hour)],
      ['cancel', second, later(sandbox.payments.get(second).created_at, hour)],
      ['cancel', hold, later(sandbox.ledger.entries(hold)[0]?.at, week)],
    ]);
    expect(shop.received.map(({ body }) => body['object'])).toMatchObject([
      { id: hold },
      { id: first },
      { id: second },
      { id: hold },
    ]);
  });

  it('is moved and read over HTTP, and the answer comes after the notifications of what happened', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    await pending(sandbox);
    const { status, body } = await control(sandbox, '/clock/advance', { ms: hour });
    expect(status).toBe(200);
    expect(shop.events()).toEqual(['payment.canceled']);
    const read = await control(sandbox, '/clock', undefined, 'GET');
    expect(read.body['offset_ms']).toBe(body['offset_ms']);
    expect(Date.parse(String(read.body['now']))).toBeGreaterThanOrEqual(Date.parse(String(body['now'])));
  });

  it.each([{}, { ms: -1 }, { ms: 1.5 }, { ms: '5' }, { ms: 1, s: 1 }, []])(
    'refuses to advance by %j',
    async (body) => {
      const sandbox = await started();
      expect(await control(sandbox, '/clock/advance', body)).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      });
    },
  );

  it('set wrong is used for the Date of answers, for timestamps and for the filters of lists', async () => {
    const sandbox = await started();
    const before = await pending(sandbox);
    const { body } = await control(sandbox, '/clock/skew', { ms: -3 * hour });
    expect(body).toMatchObject({ skew_ms: -3 * hour, offset_ms: sandbox.clock.offsetMs() });
    const id = await pending(sandbox);
    const shown = Date.now() - 3 * hour;
    expect(Math.abs(Date.parse(sandbox.payments.get(id).created_at) - shown)).toBeLessThan(hour);
    const since = new Date(shown - hour).toISOString();
    const listed = await fetch(`${sandbox.url}/v3/payments?created_at.gte=${since}`, {
      headers: { Authorization: basic },
    });
    expect(Math.abs(Date.parse(listed.headers.get('Date') ?? '') - shown)).toBeLessThan(hour);
    expect(await listed.json()).toMatchObject({ items: [{ id }, { id: before }] });
    // Nothing becomes due sooner or later because of it.
    await sandbox.clock.advance(hour - 60_000);
    expect(sandbox.payments.get(id).status).toBe('pending');
    await sandbox.clock.advance(60_000);
    expect(sandbox.payments.get(id).status).toBe('canceled');
    expect(sandbox.payments.get(before).status).toBe('canceled');
  });

  it.each([{}, { ms: 1.5 }, { ms: '5' }, { ms: 1e15 }])('refuses to be set wrong by %j', async (body) => {
    const sandbox = await started();
    expect(await control(sandbox, '/clock/skew', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('ms must be a whole number') },
    });
  });

  it('lets what becomes due in real time happen by itself', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await pending(sandbox);
    // All but a moment of the hour; the rest passes during the test.
    await sandbox.clock.advance(hour - 100);
    while ((await get(sandbox, `/v3/payments/${id}`)).body['status'] === 'pending');
    expect(sandbox.payments.get(id).status).toBe('canceled');
  });
});
