import { webhookEvents } from '../api/requests/create-webhook.js';
import { planSubscriptions } from './plan-subscriptions.js';

const key = 'k'.repeat(43);
const address = `https://shop.example/webhooks/payments/${key}`;
const webhook = (event: string, id = event, url = address) => ({ id, event, url });
const all = webhookEvents.map((event) => webhook(event));
const plan = (existing: ReturnType<typeof webhook>[]) => planSubscriptions(existing, address, key);

describe('a store’s webhooks', () => {
  it('that are complete are left as they are', () => {
    expect(plan(all)).toEqual({ keep: webhookEvents, create: [], remove: [] });
  });

  it('are all created if there are none', () => {
    expect(plan([])).toEqual({ keep: [], create: webhookEvents, remove: [] });
  });

  it.each(webhookEvents)('are created if only %s is missing', (event) => {
    expect(plan(all.filter((one) => one.event !== event))).toMatchObject({ create: [event], remove: [] });
  });

  it.each<[string, ReturnType<typeof webhook>]>([
    ['one too many', webhook('payment.succeeded', 'second')],
    ['of an event nobody asked for', webhook('payout.succeeded', 'second')],
    ['at an address we had before', webhook('payment.succeeded', 'second', `https://old.example/${key}`)],
  ])('%s is removed', (_what, stray) => {
    expect(plan([...all, stray])).toEqual({ keep: webhookEvents, create: [], remove: ['second'] });
  });

  it.each([
    'https://other.example/hook',
    `https://shop.example/webhooks/payments/${'x'.repeat(43)}`,
    'https://shop.example/webhooks/payments',
    `https://other.example/${key}?not=ours`,
  ])('at %s is foreign and left alone', (url) => {
    expect(plan([...all, webhook('payment.succeeded', 'foreign', url)]).remove).toEqual([]);
  });
});
