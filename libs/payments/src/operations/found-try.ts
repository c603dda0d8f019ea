import { dateOrNull } from '../api/objects/fields.js';
import { isRecord } from '../common/is-record.js';
import { isOpen } from '../common/payment-status.js';
import { NEWEST } from '../payment/order-payments.js';
import type { OrderSums } from '../payment/order-totals.js';
import type { MarkedPayment } from '../payment/payment-mark.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { claimed, claimedOf, type ExistingPayment, type OrderDue } from './create-decision.js';

/** Another payment of the order. */
type Sibling = ExistingPayment &
  Pick<PaymentsPaymentEntity, 'tryNumber' | 'createdAt' | 'serviceId'> & { readonly object: object | null };

/** A payment that is found again: what its mark says, and what the service says of it. */
interface FoundTry extends Pick<MarkedPayment, 'part' | 'tryNumber' | 'amountMinor' | 'totalDueMinor'> {
  readonly serviceStatus: string;
  /** null: the service does not say. */
  readonly madeAt: Date | null;
}

interface TryPlace<Of extends Sibling> {
  /** A newer try was opened in its place. */
  readonly isReplaced: boolean;
  /** Those in whose place it was opened, which are not given up here yet. */
  readonly replaces: readonly Of[];
  /** What its mark says of the order's total was said last. */
  readonly isNewest: boolean;
}

/**
 * The place of a payment that is found again among the other tries of its order's part, whichever of them was found first. Only a newer
 * try replaces an older one. Of a part one payment is open at a time, so a newer try was opened in place of one that is open still. What
 * is held gives way only where both of them would be more than the newer try says is due: nothing was opened beside it then.
 * @param siblings what `readForAdoption` reads: of what is settled the newest alone, and the order's sums have the rest
 */
export function placeOfTry<Of extends Sibling>(
  found: FoundTry,
  siblings: readonly Of[],
  order: OrderSums & { readonly totalDueMinor: number },
): TryPlace<Of> {
  const { part, tryNumber, amountMinor, serviceStatus } = found;
  const ofPart = siblings.filter((other) => other.part === part);
  const newer = ofPart.filter((other) => other.tryNumber > tryNumber && other.status !== 'rejected');
  const current = siblings.filter(({ supersededAt }) => supersededAt === null);
  const older = current.filter((other) => other.part === part && other.tryNumber < tryNumber);
  const open = older.filter(({ status }) => isOpen(status));
  const held = older.filter(({ status }) => status === 'waiting_for_capture');
  const kept = current.filter((other) => !open.includes(other));
  const before = kept.filter((other) =>
    other.part === part ? other.tryNumber < tryNumber : isMadeBefore(other, found),
  );
  const unreadMinor = claimedUnread(order, siblings);
  const paidSince = siblings.filter((other) => keepsMoney(other) && !isMadeBefore(other, found));
  // What was not read is older than each of the newest that were paid: where all of those came later, it may have come later too.
  const unreadBeforeMinor = paidSince.length < NEWEST ? unreadMinor : 0;
  const isReplaced =
    newer.some((other) => isOpen(other.status) && other.supersededAt === null) ||
    (newer.length > 0 &&
      (serviceStatus === 'pending' || sumOf(kept) + unreadMinor + amountMinor > order.totalDueMinor));
  return {
    isReplaced,
    replaces:
      sumOf(before) + unreadBeforeMinor + amountMinor > found.totalDueMinor ? [...open, ...held] : open,
    // A row of the same try was never made: it was recorded after the one that is found.
    isNewest: siblings.every((other) =>
      other.part === part
        ? other.tryNumber < tryNumber
        : other.serviceId === null || isMadeBefore(other, found),
    ),
  };
}

/**
 * The payment of a later buyer, who was given the number of the order again: as in a shop whose numbers go back with a restored database.
 * null: what is found may be this order's. The newest try says whose the order is. One from before what is found says nothing, as it was
 * known when that was made: a buyer may have signed in since; nor does one that was found itself, as all of the lost time was one
 * database's: its create names nobody.
 * @param tries of the order's part, newest first
 */
export function paymentOfLaterBuyer<Of extends Sibling>(
  found: Pick<FoundTry, 'tryNumber' | 'madeAt'> & { readonly buyer: string | null },
  tries: readonly Of[],
  buyers: ReadonlyMap<string, string | null>,
): Of | null {
  const later = tries.flatMap((payment) => {
    const buyer = buyers.get(payment.id) ?? null;
    return buyer === null || isFromBefore(payment, found) ? [] : [{ payment, buyer }];
  });
  const [newest] = later;
  if (!newest || !isAnotherBuyer(newest.buyer, found.buyer)) return null;
  // Their first one, so that it is the same payment whenever this is asked.
  return later.findLast(({ buyer }) => buyer === newest.buyer)?.payment ?? newest.payment;
}

function isFromBefore(other: Sibling, found: Pick<FoundTry, 'tryNumber' | 'madeAt'>): boolean {
  const { serviceId, status, tryNumber } = other;
  // The service has no time of what it refused.
  const isRefused = serviceId === null && status === 'rejected' && tryNumber < found.tryNumber;
  return isRefused || isMadeBefore(other, found);
}

/** By the service's clock alone (G16): of what it has not answered, nobody knows. */
function isMadeBefore(
  { serviceId, object, createdAt }: Sibling,
  { madeAt }: Pick<FoundTry, 'madeAt'>,
): boolean {
  if (serviceId === null || madeAt === null) return false;
  // One that was found, and not re-read since, has its row's time from the service.
  return (dateOrNull(isRecord(object) ? object['created_at'] : null) ?? createdAt) <= madeAt;
}

/**
 * Whether the order has room for a payment that was given up, beside all that was not, or was and keeps money.
 * @param live the order's payments that are open or held, at least
 */
export function hasRoomFor(
  payment: ExistingPayment,
  order: OrderDue,
  live: readonly ExistingPayment[],
): boolean {
  const counted = isOpen(payment.status) ? [] : [payment];
  return claimedOf(order, live, counted) + payment.amountMinor <= order.totalDueMinor;
}

/** What is claimed by payments that were not read: all of them are settled, so the sums have it, as of one that was replaced and paid. */
function claimedUnread(
  { paidMinor, refundedMinor, heldMinor, discountMinor, letGoMinor }: OrderSums,
  siblings: readonly ExistingPayment[],
): number {
  const claimedMinor = paidMinor - refundedMinor + heldMinor + discountMinor + letGoMinor;
  return claimedMinor - sumOf(siblings.filter(({ status }) => !isOpen(status)));
}

function keepsMoney({ status, capturedMinor, refundedMinor }: ExistingPayment): boolean {
  return status === 'succeeded' && capturedMinor > refundedMinor;
}

function sumOf(payments: readonly ExistingPayment[]): number {
  return payments.reduce((sum, payment) => sum + claimed(payment), 0);
}

/** The buyer that a request or an object of the service names; null: none. */
export function buyerIn(said: unknown): string | null {
  const buyer = isRecord(said) ? said['merchant_customer_id'] : null;
  return typeof buyer === 'string' ? buyer : null;
}

/** Likewise of a recorded body. */
export function buyerOfBody(body: string): string | null {
  return buyerIn(JSON.parse(body));
}

/** Of who is not named, nothing says that it is another. */
export function isAnotherBuyer(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
