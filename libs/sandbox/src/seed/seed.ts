import { DAY_MS, HOUR_MS } from '../common/time.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { SeedShop, type SeedCredentials, type SeedOrder } from './seed-shop.js';

/** How far `seed` moves the clock: eight days, so that a hold of seven can run out. */
export const SEED_SPAN_MS = 8 * DAY_MS;

interface Scene extends SeedOrder {
  /** Before the clock's time when the seed is done. */
  readonly hoursAgo: number;
  /** What happens to it. Default: nothing, nobody confirms. */
  readonly next?: (shop: SeedShop, id: string) => void | Promise<void>;
}

const pay = (shop: SeedShop, id: string) => shop.buyer(id, { outcome: 'succeed' });
const payByWallet = (shop: SeedShop, id: string) => shop.buyer(id, { outcome: 'succeed', method: 'wallet' });
const decline = (reason: string) => (shop: SeedShop, id: string) =>
  shop.buyer(id, { outcome: 'decline', reason });

/** Oldest first. */
const scenes: readonly Scene[] = [
  // Runs out by itself a day ago.
  { hoursAgo: 191, description: 'Fireweed tea, 200 g', amount: '640.00', next: pay },
  // Three hours are left of it.
  { hoursAgo: 165, description: 'First Flush Darjeeling, pre-order', amount: '2480.00', next: pay },
  { hoursAgo: 150, description: 'Milk Oolong, 100 g', amount: '1234.50', capture: true, next: pay },
  { hoursAgo: 139, description: 'Porcelain cup', amount: '890.00', capture: true, next: payByWallet },
  {
    hoursAgo: 121,
    description: 'Tea set for six, one cup missing',
    amount: '12400.00',
    next: async (shop, id) => {
      pay(shop, id);
      await shop.capture(id, '11150.00');
    },
  },
  {
    hoursAgo: 97,
    description: 'Smoky Lapsang, 250 g',
    amount: '1780.00',
    next: async (shop, id) => {
      pay(shop, id);
      await shop.capture(id);
    },
  },
  {
    hoursAgo: 74,
    description: 'Gyokuro and a bamboo whisk',
    amount: '3120.00',
    capture: true,
    next: async (shop, id) => {
      pay(shop, id);
      await shop.refund(id, '420.00');
    },
  },
  {
    hoursAgo: 70,
    description: 'Cast iron teapot',
    amount: '7999.99',
    capture: true,
    next: async (shop, id) => {
      payByWallet(shop, id);
      await shop.refund(id, '7999.99');
    },
  },
  { hoursAgo: 52, description: 'Da Hong Pao, 50 g', amount: '4300.00', next: decline('insufficient_funds') },
  { hoursAgo: 51, description: 'Jasmine pearls, 50 g', amount: '960.00', next: decline('3d_secure_failed') },
  { hoursAgo: 47, description: 'Aged Pu-erh cake', amount: '184000.00', next: decline('fraud_suspected') },
  {
    hoursAgo: 30,
    description: 'White Peony, sold out meanwhile',
    amount: '1510.00',
    next: async (shop, id) => {
      pay(shop, id);
      await shop.cancel(id);
    },
  },
  // Runs out by itself an hour later.
  { hoursAgo: 26, description: 'Earl Grey, 100 g', amount: '540.00' },
  { hoursAgo: 5, description: 'Silver Needle, pre-order', amount: '2950.00', next: payByWallet },
  { hoursAgo: 0.6, description: 'Genmaicha, 100 g', amount: '480.00' },
  { hoursAgo: 0.2, description: 'Gift card', amount: '5000.00', capture: true, enforce3ds: true },
];

/**
 * Makes a week of a small shop: payments in every state, refunds, a hold near its end. All of it goes through the REST API and
 * the calls of the control API, and the clock moves by SEED_SPAN_MS; so start the sandbox that much earlier if it should end at
 * the real time.
 */
export async function seed(sandbox: Sandbox, credentials: SeedCredentials): Promise<void> {
  const { clock } = sandbox;
  const shop = new SeedShop(sandbox, credentials);
  const endOffsetMs = clock.offsetMs() + SEED_SPAN_MS;
  const moveTo = (hoursAgo: number) => clock.advance(endOffsetMs - hoursAgo * HOUR_MS - clock.offsetMs());
  for (const { hoursAgo, next, ...order } of scenes) {
    await moveTo(hoursAgo);
    const id = await shop.create(order);
    await next?.(shop, id);
  }
  await moveTo(0);
}
