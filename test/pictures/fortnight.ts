import { yookassaProfile, type ReceiptInput } from '@holdfast/payments';
import { ExpressAdapter } from '@nestjs/platform-express';
import { startBoardHost, type BoardHost } from '../board/board-host.js';
import { eventually } from '../support/eventually.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** When the first of its days begins: ten seconds after the minute, so that a machine may take its time and the minute stays. */
const BEGIN = new Date('2030-02-01T08:00:10Z');

type End = 'paid' | 'held' | 'insufficient_funds' | 'card_expired' | '3d_secure_failed';
type Purchase = readonly [goods: string, value: string, end?: End];

/** What is bought on each day; paid unless it says otherwise. */
const DAYS: readonly (readonly Purchase[])[] = [
  [
    ['Stoneware teapot', '6900.00'],
    ['Two cups', '2450.00'],
  ],
  [['Milk Oolong, 100 g', '1280.00']],
  [
    ['Gaiwan', '4300.00'],
    ['Cast iron trivet', '3150.00', 'insufficient_funds'],
    ['Earl Grey, 250 g', '990.00'],
  ],
  [
    ['Tea set for six', '12400.00'],
    ['Fireweed tea, 200 g', '640.00'],
  ],
  [['Two cups', '2450.00', 'card_expired']],
  [
    ['Bamboo tray', '5600.00'],
    ['Bamboo tray', '5600.00'],
    ['Milk Oolong, 100 g', '1280.00'],
  ],
  [
    ['Glass kettle', '8150.00'],
    ['Stoneware teapot', '6900.00', 'insufficient_funds'],
  ],
  [
    ['Cast iron trivet', '3150.00'],
    ['Earl Grey, 250 g', '990.00'],
  ],
  [
    ['Two cups', '2450.00'],
    ['Two cups', '2450.00', '3d_secure_failed'],
  ],
  [
    ['Yixing teapot', '9700.00'],
    ['Milk Oolong, 100 g', '1280.00'],
    ['Gaiwan', '4300.00'],
  ],
  [['Fireweed tea, 200 g', '640.00']],
  [
    ['Samovar, pre-order', '15200.00', 'held'],
    ['Cast iron trivet', '3150.00'],
  ],
  [
    ['Stoneware teapot, pre-order', '6900.00', 'held'],
    ['Two cups', '2450.00'],
    ['Earl Grey, 250 g', '990.00', 'insufficient_funds'],
  ],
  [
    ['Gaiwan', '4300.00'],
    ['Milk Oolong, 100 g', '1234.50'],
    ['Silver Needle, pre-order', '2680.00', 'held'],
    ['Bamboo tray', '5600.00'],
  ],
];

const IDLE = ['deliveries', 'notifications', 'operations', 'payments'] as const;

export interface Fortnight {
  readonly board: BoardHost;
  /** Of a payment of which a part was refunded. */
  readonly refunded: string;
  /** So many minutes after the shop has opened on the last day. */
  at(minutes: number): Promise<void>;
}

/** A board with two weeks of a small shop. Most went well; three holds wait, a part was refunded, and one delivery was given up. */
export async function startFortnight(): Promise<Fortnight> {
  const board = await startBoardHost(
    () => new ExpressAdapter(),
    {},
    {
      sandbox: {
        profile: 'yookassa',
        receipts: { scenario: 'with_payment', provider: 'atol' },
        startAt: new Date(BEGIN.getTime() - MINUTE_MS),
      },
      payments: {
        profile: yookassaProfile,
        fiscalization: { register: 'third_party', requireReceipt: false },
      },
    },
  );
  const { clock } = board.sandbox;
  const moveTo = (day: number, minutes: number) =>
    clock.advance(BEGIN.getTime() + day * DAY_MS + minutes * MINUTE_MS - clock.now().getTime());
  const at = async (minutes: number): Promise<void> => {
    await moveTo(DAYS.length - 1, minutes);
    // What has become due meanwhile is done.
    await eventually(
      () => board.operator.backlog(),
      (backlog) => IDLE.every((name) => backlog[name].count === 0),
    );
  };
  board.handlers.refused.add('2030-1071');
  let number = 1040;
  let refunded = '';
  for (const [day, purchases] of DAYS.entries()) {
    for (const [index, purchase] of purchases.entries()) {
      await moveTo(day, index * 25);
      const id = await buy(board, `2030-${(number += 1)}`, purchase);
      if (number === 1069) refunded = id;
    }
  }
  await eventually(
    () => board.operator.parkedDeliveries(),
    ({ length }) => length === 1,
  );
  await at(90);
  await refundHalf(board, refunded);
  // Long enough for every receipt to be asked about.
  await at(115);
  await eventually(
    () => board.operator.search(),
    ({ items }) => items.every(({ payment }) => payment.receiptStatus !== 'pending'),
  );
  return { board, refunded, at };
}

const receiptOf = (goods: string, value: string): ReceiptInput => ({
  customer: { email: 'anna@buyer.example' },
  items: [{ description: goods, amount: { value, currency: 'RUB' }, quantity: 1, vatCode: 11 }],
});

/** Returns the payment's id. */
async function buy(
  { host, sandbox }: BoardHost,
  reference: string,
  [goods, value, end = 'paid']: Purchase,
): Promise<string> {
  const { id, serviceId } = await host.payments.create({
    order: { reference },
    amount: { value, currency: 'RUB' },
    returnUrl: 'https://shop.example/return',
    description: goods,
    receipt: receiptOf(goods, value),
    ...(end === 'held' && { capture: false }),
  });
  const isPaid = end === 'paid' || end === 'held';
  sandbox.payments.pay(
    serviceId ?? '',
    isPaid ? { outcome: 'succeed' } : { outcome: 'decline', reason: end },
  );
  await eventually(
    () => host.payments.get(id),
    ({ status }) => status !== 'pending',
  );
  return id;
}

async function refundHalf({ host }: BoardHost, id: string): Promise<void> {
  await host.payments.refund(id, {
    refundKey: 'one-cup',
    amount: { value: '617.25', currency: 'RUB' },
    receipt: receiptOf('Milk Oolong, 50 g', '617.25'),
  });
}
