import { PaymentNotHeldError } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { Sweeper } from '../../libs/payments/src/sweeper.js';
import { Telemetry } from '../../libs/payments/src/telemetry/telemetry.js';
import { WorkSignal } from '../../libs/payments/src/work/work-signal.js';
import { listedSender, notification } from '../hosts/notification.js';
import { eventually } from '../support/eventually.js';
import { orderInput } from '../support/payments-host.js';
import { idOf, inSpan, mailed, openTracedShop, traceOf, type TracedShop } from './traced-shop.js';

const HOUR_MS = 3_600_000;
/** Somebody else's, as a header brings it. */
const foreign = { traceId: 'f'.repeat(32), spanId: 'e'.repeat(16) };

describe('the trace that a create begins', () => {
  let shop: TracedShop;
  beforeAll(async () => {
    shop = await openTracedShop();
  });
  afterEach(() => shop.nextProcess());
  afterAll(() => shop.close());

  it('goes on in its re-read, its handler and its effect, hours later in another process', async () => {
    const web = await shop.open({ sweeps: false });
    const payment = await web.payments.create(orderInput());
    const [call] = shop.named('holdfast.create');
    const [sent] = shop.named('holdfast.request');
    expect(sent).toMatchObject({ kind: SpanKind.CLIENT, parentSpanContext: { spanId: idOf(call) } });
    expect(sent?.attributes).toEqual({
      'holdfast.operation': 'createPayment',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    await shop.nextProcess();

    shop.pay(payment);
    await shop.sandbox.clock.advance(5 * HOUR_MS);
    await shop.open();
    await shop.ended(payment, 'holdfast.effect');
    for (const span of shop.spansOf(payment, 'holdfast.reread', 'holdfast.handler', 'holdfast.effect'))
      expect(span.parentSpanContext).toMatchObject({
        traceId: traceOf(call),
        spanId: idOf(call),
        isRemote: true,
      });
    const inTrace = shop.spans().filter((span) => traceOf(span) === traceOf(call));
    expect(new Set(inTrace.map(({ name }) => name))).toEqual(
      new Set([
        'holdfast.reread',
        'holdfast.request',
        'holdfast.handler',
        'a parcel',
        'holdfast.effect',
        'a mail',
      ]),
    );
  });

  it('is not that of the notifications, of which many are one re-read: it links to them', async () => {
    const web = await shop.open({ sweeps: false });
    const payment = await web.payments.create(orderInput());
    const { serviceId } = payment;
    const webhook = `${web.url}/webhooks/payments`;
    const notify = async (event: string, traceparent: string): Promise<string | null | undefined> => {
      const { status } = await fetch(webhook, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': listedSender, traceparent },
        body: notification(event, { id: serviceId }),
      });
      expect(status).toBe(200);
      return shop.keptWithNotification(payment, event);
    };
    const form = /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/;
    expect(await notify('payment.canceled', `00-${foreign.traceId}-${foreign.spanId}-00`)).toMatch(/-00$/);
    expect(await notify('payment.canceled', 'x'.repeat(5_000))).toMatch(form);
    const stored = await notify('payment.canceled', `00-${foreign.traceId}-${foreign.spanId}-01`);
    expect(stored).toMatch(form);
    expect(stored).toContain(foreign.traceId);
    await notify('payment.succeeded', `00-${foreign.traceId}-${foreign.spanId}-00`);
    await notify('payment.waiting_for_capture', 'nothing');
    // The other two were not sampled.
    const notified = shop.named('holdfast.notification');
    expect(notified).toHaveLength(3);

    await shop.open();
    const reread = await shop.ended(payment, 'holdfast.reread');
    expect(traceOf(reread)).toBe(traceOf(shop.named('holdfast.create')[0]));
    expect(new Set(reread.links.map((link) => link.context.spanId))).toEqual(
      new Set(notified.slice(1).map(idOf)),
    );
  });

  it('stays with each of many that are handled together, and with none that gave the reason', async () => {
    const host = await shop.open();
    const clicks = ['a click', 'another', 'a third'];
    const payments = await Promise.all(
      clicks.map((click) => inSpan(click, () => host.payments.create(orderInput()))),
    );
    await inSpan('a bank', async () => {
      for (const payment of payments) shop.pay(payment);
      for (const payment of payments) await shop.ended(payment, 'holdfast.effect');
    });
    const began = new Map(shop.named('holdfast.create').map((span) => [idOf(span), traceOf(span)]));
    for (const payment of payments) {
      const stored = (await shop.keptWith(payment))?.split('-');
      const spans = shop.spansOf(payment, 'holdfast.reread', 'holdfast.handler', 'holdfast.effect');
      expect(spans.length).toBeGreaterThanOrEqual(3);
      for (const span of spans)
        expect([traceOf(span), span.parentSpanContext?.spanId]).toEqual(stored?.slice(1, 3));
      expect(began.get(stored?.[2])).toBe(stored?.[1]);
    }
    expect(new Set(began.values()).size).toBe(clicks.length);
  });

  it('has no work of the sweep in it that it woke', async () => {
    const host = await inSpan('a start', () => shop.open());
    const within: unknown[] = [];
    jest.spyOn(host.app.get(HandOver), 'runNext').mockImplementation(async () => {
      within.push(trace.getActiveSpan());
      return false;
    });
    jest.spyOn(host.app.get(HandOver), 'waits', 'get').mockReturnValue('true');
    await inSpan('a click', async () => host.app.get(WorkSignal).wake('notifications'));
    await eventually(
      async () => within.length,
      (times) => times > 1,
    );
    await host.app.get(Sweeper).drain();
    expect(new Set(within)).toEqual(new Set([undefined]));
  });

  it('is linked from the re-read that a caller waits for, which is part of the caller’s own', async () => {
    const host = await shop.open({ sweeps: false });
    const payment = await host.payments.create(orderInput());
    await inSpan('a return', () => host.payments.refresh(payment.id));
    const [reread] = shop.spansOf(payment, 'holdfast.reread');
    expect(traceOf(reread)).toBe(traceOf(shop.named('a return')[0]));
    expect(reread?.links.map((link) => link.context.spanId)).toEqual([
      idOf(shop.named('holdfast.create')[0]),
    ]);
  });

  it('that nobody sampled is not sampled later, either', async () => {
    const host = await shop.open();
    const unsampled = trace.setSpanContext(ROOT_CONTEXT, { ...foreign, traceFlags: TraceFlags.NONE });
    const input = orderInput();
    const payment = await context.with(unsampled, () => host.payments.create(input));
    expect(await shop.keptWith(payment)).toMatch(new RegExp(`^00-${foreign.traceId}-[0-9a-f]{16}-00$`));
    shop.pay(payment);
    await eventually(
      async () => mailed,
      (references) => references.includes(input.order.reference),
    );
    await host.close();
    expect(shop.named('holdfast.create')).toEqual([]);
    expect(shop.spansOf(payment, 'holdfast.reread', 'holdfast.handler', 'holdfast.effect')).toEqual([]);
  });

  it('says that something failed, and not of whom its error spoke', async () => {
    const host = await shop.open();
    const payment = await host.payments.create(orderInput('anna'));
    await expect(host.payments.capture(payment.id)).rejects.toBeInstanceOf(PaymentNotHeldError);
    shop.pay(payment);
    const run = await shop.ended(payment, 'holdfast.handler');
    expect(run.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(run.attributes).toEqual({
      'holdfast.handler': 'shop.ship',
      'holdfast.event': 'payment.succeeded',
      'holdfast.attempt': 1,
      'holdfast.payment_id': payment.id,
      'holdfast.result': 'parked',
    });
    const [capture] = shop.named('holdfast.capture');
    expect(capture?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(capture?.attributes).toEqual({ 'error.type': 'payment_not_held' });
    const told = shop
      .spans()
      .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
    for (const text of ['anna', 'paper', payment.serviceId ?? ''])
      expect(JSON.stringify(told)).not.toContain(text);
  });

  it('is left with no row where nobody traces', async () => {
    const { isHeard, isTraced } = (await shop.open({ sweeps: false })).app.get(Telemetry);
    // There is an SDK for traces here, and none for metrics.
    expect({ isHeard, isTraced }).toEqual({ isHeard: false, isTraced: true });
    const host = await shop.open({ sweeps: false, isTraced: false });
    const payment = await inSpan('a click', () => host.payments.create(orderInput()));
    expect(await shop.keptWith(payment)).toBeNull();
    expect(shop.spans().map(({ name }) => name)).toEqual(['a click']);
  });
});
