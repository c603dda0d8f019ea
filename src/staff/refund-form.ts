import { RefundAmountExceededError } from '@holdfast/payments';
import { BadRequestException } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { randomUUID } from 'node:crypto';
import { formText } from '../../examples/shared/pages/form.js';
import { parseRoubles, roubles } from '../../examples/shared/pages/format.js';
import type { RefundPart } from '../orders/order-receipt.js';

/** The staff's refund form, as it is shown. */
export interface RefundForm {
  /** Made when the form is first shown, so that one sent twice, by a double click or a reload, is one refund. */
  refundKey: string;
  /** As a person typed it. */
  amount: string;
  /** What is wrong with the amount. */
  fault?: string;
}

/** What a form requests. */
export interface RefundRequest {
  refundKey: string;
  part: RefundPart;
}

/** An empty form for a new refund, filled in with everything that is left. */
export function newRefundForm(leftMinor: number): RefundForm {
  return { refundKey: randomUUID(), amount: roubles(leftMinor) };
}

/**
 * The form as it was submitted, untrusted, and what it requests: `null` if it has a fault.
 * @throws BadRequestException for a form that this shop did not make
 */
export function parseRefundForm(body: unknown): { form: RefundForm; request: RefundRequest | null } {
  const [refundKey, amount] = [formText(body, 'refundKey'), formText(body, 'amount')];
  if (!isUUID(refundKey)) throw new BadRequestException();
  const pieces = formText(body, 'pieces');
  if (pieces !== '') {
    if (!/^[1-9]\d?$/.test(pieces)) throw new BadRequestException();
    return { form: { refundKey, amount }, request: { refundKey, part: { pieces: Number(pieces) } } };
  }
  const amountMinor = parseRoubles(amount);
  if (amountMinor === null || amountMinor === 0) {
    const fault = 'Type an amount in roubles above zero, such as 100 or 100,50.';
    return { form: { refundKey, amount, fault }, request: null };
  }
  return { form: { refundKey, amount }, request: { refundKey, part: { amountMinor } } };
}

/** The message if a smaller amount would help; `null` for every other failure. */
export function faultOfAmount(error: unknown): string | null {
  if (!(error instanceof RefundAmountExceededError)) return null;
  const leftMinor = error.capturedMinor - error.refundedMinor - error.inFlightMinor;
  return leftMinor > 0 ? onlyLeft(leftMinor) : null;
}

export function onlyLeft(leftMinor: number): string {
  return `Only ${roubles(leftMinor)} is left to refund.`;
}
