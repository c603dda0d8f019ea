import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { timelineOf } from './timeline.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second));

const event = (name: string, second: number, fields: Partial<PaymentsEventEntity> = {}) =>
  Object.assign(new PaymentsEventEntity(), {
    name,
    fromStatus: null,
    toStatus: null,
    cause: 'create',
    evidence: {},
    createdAt: at(second),
    ...fields,
  });

const notification = (name: string, second: number, fields: Partial<PaymentsNotificationEntity> = {}) =>
  Object.assign(new PaymentsNotificationEntity(), {
    event: name,
    senderAddress: '185.71.76.5',
    count: 1,
    body: '{"object":{"status":"succeeded"}}',
    firstAt: at(second),
    lastAt: at(second + 100),
    ...fields,
  });

describe('a timeline', () => {
  it('of nothing is empty', () => expect(timelineOf([], [])).toEqual([]));

  it('shows of an event what changed, why, and its evidence', () => {
    const evidence = { serviceStatus: 'succeeded' };
    const moved = event('payment.succeeded', 1, {
      fromStatus: 'pending',
      toStatus: 'succeeded',
      cause: 'sweep',
      evidence,
    });
    expect(timelineOf([moved], [])).toEqual([
      { name: 'payment.succeeded', from: 'pending', to: 'succeeded', cause: 'sweep', evidence, at: at(1) },
    ]);
  });

  it('shows of a notification who sent it, how often, and when first, but nothing of its body', () => {
    expect(timelineOf([], [notification('payment.succeeded', 1, { count: 3 })])).toEqual([
      {
        name: 'notification payment.succeeded',
        from: null,
        to: null,
        cause: 'service',
        evidence: { senderAddress: '185.71.76.5', count: 3 },
        at: at(1),
      },
    ]);
  });

  it('is in the order of time, whichever list an entry comes from', () => {
    const names = timelineOf(
      [event('payment.submitting', 1), event('payment.pending', 2), event('payment.succeeded', 4)],
      [notification('payment.succeeded', 3), notification('payment.canceled', 0)],
    ).map(({ name }) => name);
    expect(names).toEqual([
      'notification payment.canceled',
      'payment.submitting',
      'payment.pending',
      'notification payment.succeeded',
      'payment.succeeded',
    ]);
  });

  it('keeps the order of events that share a moment', () => {
    const names = timelineOf([event('payment.succeeded', 1), event('order.overpaid', 1)], []).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['payment.succeeded', 'order.overpaid']);
  });
});
