import { constantFrom, integer, oneof, record } from 'fast-check';
import { formatAmount } from '../../libs/payments/src/common/money.js';

/** Goods of a cart, by the piece or by weight. */
export const anyItem = record({
  description: constantFrom('Coffee', 'Tea', 'Cup'),
  amount: integer({ min: 1, max: 100_000_00 }).map((minor) => formatAmount(minor)),
  quantity: oneof(
    integer({ min: 1, max: 30 }),
    integer({ min: 1, max: 5_000 }).map((thousandths) => thousandths / 1000),
  ),
  vatCode: constantFrom(1 as const, 7 as const, 11 as const),
});
