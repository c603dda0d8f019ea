import { isRecord } from '../common/is-record.js';
import { formatAmount, parseAmount, valueFromMinor } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { takeMoney, takeOf, thousandthsOf, type Left } from './left-of.js';
import type { Prepayment } from './prepayment.js';
import { linesCosting } from './priced-lines.js';
import { quantityOf, THOUSANDTHS } from './quantity.js';
import type { SaidItem } from './receipt-from-wire.js';
import { itemTotalMinor } from './receipt-sums.js';
import { vatOfGoods } from './receipt-words.js';
import { MAX_ITEMS } from './receipt.input.js';
import type { SettledItem, SettlePrepaymentInput } from './settlement.input.js';

/** What stays as it was prepaid. Whatever else the service answers, it need not take. */
const KEPT = [
  'description',
  'vatCode',
  'measure',
  'paymentSubject',
  'countryOfOriginCode',
  'customsDeclarationNumber',
  'excise',
  'productCode',
  'plannedStatus',
  'markCodeInfo',
  'markMode',
  'markQuantity',
  'paymentSubjectIndustryDetails',
  'supplier',
  'agentType',
  'additionalPaymentSubjectProps',
];

type Asked = Pick<SettlePrepaymentInput, 'items' | 'paymentSubject'>;

/**
 * The items of the receipt that settles a prepayment: what is handed over, as full payment.
 * @param recorded what the module has sent of the same goods: a supplier's INN comes back masked
 * @throws PaymentInputError naming what is not left, or not known yet
 */
export function settledGoods(
  prepayment: Prepayment,
  { items, paymentSubject = 'commodity' }: Asked,
  recorded: readonly SaidItem[],
): SaidItem[] {
  const subject = (item: SaidItem) =>
    item['paymentSubject'] === 'payment' ? paymentSubject : item['paymentSubject'];
  const asSold = ({ item, ...share }: Readonly<Left<SaidItem>>, asked: Partial<SettledItem>, at: string) =>
    priced({ item, ...share }, at).map((line) =>
      withSupplier({ ...line, paymentSubject: subject(item), ...detailsOf(asked) }, recorded, at),
    );
  const settled =
    items === undefined
      ? allOf(prepayment).flatMap((left) => asSold(left, {}, 'items'))
      : items.flatMap((asked, index) => {
          const at = `items[${index}]`;
          return asked.amount === undefined
            ? chosen(prepayment, asked, at).flatMap((share) => asSold(share, asked, at))
            : [{ paymentSubject, ...outOfAdvance(prepayment, { ...asked, amount: asked.amount }, at) }];
        });
  if (settled.length > MAX_ITEMS)
    throw new PaymentInputError('items', `must be at most ${MAX_ITEMS} a receipt: settle in parcels`);
  return settled;
}

function allOf({ goods }: Prepayment): readonly Left<SaidItem>[] {
  if (goods.length > 0) return goods;
  throw new PaymentInputError(
    'items',
    'is required: an advance names no goods; pass what is handed over, each with amount, quantity and vatCode',
  );
}

/** So much of the goods of a name. */
function chosen(
  { items, goods }: Prepayment,
  { description, line, quantity, markCodeInfo }: SettledItem,
  at: string,
): Readonly<Left<SaidItem>>[] {
  const left = goods.filter(
    ({ item }) => item.description === description && (line === undefined || item === items[line]),
  );
  const all = left.reduce((sum, { thousandths }) => sum + thousandths, 0);
  if (left.length === 0)
    throw new PaymentInputError(
      `${at}.description`,
      `must be of goods that were prepaid and are left: ${goods.map(({ item }) => `“${item.description}”`).join(', ') || 'none are'}`,
    );
  const one = markCodeInfo === undefined ? undefined : 1;
  const asked = quantity ?? one;
  const wanted = asked === undefined ? all : thousandthsOf({ quantity: asked });
  const prices = left.map(({ item }) => parseAmount(item.amount));
  if (wanted < all && Math.max(...prices) - Math.min(...prices) > 1)
    throw new PaymentInputError(`${at}.line`, `is required: “${description}” was prepaid at several prices`);
  if (wanted > all)
    throw new PaymentInputError(`${at}.quantity`, `must be at most what is left of it, ${quantityOf(all)}`);
  return all === 0 ? left : takeOf(left, wanted);
}

/** Goods that were not known when they were paid. */
function outOfAdvance(
  { advances }: Prepayment,
  asked: SettledItem & Pick<SaidItem, 'amount'>,
  at: string,
): SaidItem {
  const { description, amount, quantity = 1, vatCode } = asked;
  const item = { description, amount, quantity: quantityOf(thousandthsOf({ quantity })), vatCode };
  const leftMinor = advances.reduce((sum, { sumMinor }) => sum + sumMinor, 0);
  const costMinor = itemTotalMinor(item);
  if (costMinor > leftMinor)
    throw new PaymentInputError(
      `${at}.amount`,
      `must cost at most what is left of the advance, ${valueFromMinor(leftMinor)}; what is paid otherwise too, payments.receipts.create says with settlements`,
    );
  takeMoney(advances, costMinor);
  return { ...item, ...detailsOf(asked), paymentMode: 'full_payment' };
}

/** Its lines at the prices that make its sum. */
function priced({ item, thousandths, sumMinor }: Readonly<Left<SaidItem>>, at: string): SaidItem[] {
  const whole = thousandthsOf(item);
  // Where no goods are left, money is: of the fewest units that can have it.
  const goods = thousandths > 0 ? thousandths : Math.min(whole, sumMinor * THOUSANDTHS);
  const lines = linesCosting(goods, sumMinor);
  if (lines === null)
    throw new PaymentInputError(at, `must cost a kopeck a unit at least: “${item.description}” does not`);
  const isApart = lines.length > 1 || goods < whole;
  if (isApart && item['markCodeInfo'] !== undefined)
    throw new PaymentInputError(at, `needs the code of each piece of “${item.description}”: markCodeInfo`);
  const kept = Object.fromEntries(Object.entries(item).filter(([name]) => KEPT.includes(name)));
  const { description, vatCode } = item;
  return lines.map((line) => ({
    ...kept,
    description,
    vatCode: vatOfGoods(vatCode),
    quantity: quantityOf(line.thousandths),
    amount: formatAmount(line.unitMinor, item.amount.currency),
    paymentMode: 'full_payment',
  }));
}

/** What the caller says of the goods, in place of what was said of their prepayment. */
function detailsOf({
  description: _description,
  line: _line,
  quantity: _quantity,
  amount: _amount,
  ...details
}: Partial<SettledItem>): Partial<SettledItem> {
  return details;
}

function withSupplier(item: SaidItem, recorded: readonly SaidItem[], at: string): SaidItem {
  const { supplier } = item;
  if (!isRecord(supplier) || !isMasked(supplier)) return item;
  const known = recorded
    .filter(({ description }) => description === item.description)
    .map((one) => one['supplier'])
    .filter(isRecord)
    .filter((one) => !isMasked(one));
  // Goods of one description may be of several suppliers: what is not masked says whose these are.
  const named = known.filter((one) => one['name'] === supplier['name'] && isSamePhone(one, supplier));
  const [only, ...others] = named.length > 0 ? named : known;
  if (only !== undefined && others.every(({ inn }) => inn === only['inn']))
    return { ...item, supplier: only };
  throw new PaymentInputError(
    at,
    `needs the supplier of “${item.description}”: its INN is masked in the service's answer, and the module has not sent it`,
  );
}

type Supplier = Readonly<Record<string, unknown>>;

function isMasked({ inn }: Supplier): boolean {
  return typeof inn === 'string' && !/^\d+$/.test(inn);
}

function isSamePhone(one: Supplier, other: Supplier): boolean {
  const [a, b] = [one, other].map(({ phone }) =>
    typeof phone === 'string' ? phone.replaceAll(/\D/g, '') : '',
  );
  return a === b;
}
