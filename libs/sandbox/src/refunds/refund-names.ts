import { digits } from '../common/digits.js';
import { sbpOperationId } from '../methods/method-details.js';
import type { Payment } from '../payments/payment.js';
import { rulesOf } from '../stores/store.js';
import type { Refund, RefundRequest } from './refund.js';

/** The names that a refund gets from whoever carries it out. */
export function networkNames(
  { method, store }: Payment,
  { methodData }: Pick<RefundRequest, 'methodData'>,
): Pick<Refund, 'rrn' | 'refundMethod'> {
  if (!method) return { rrn: null, refundMethod: null };
  const { type } = method;
  return {
    rrn: rulesOf(store, type).authorized === 'payment and refund' ? digits(12) : null,
    refundMethod:
      type === 'sbp'
        ? { type, sbp_operation_id: sbpOperationId() }
        : type === 'electronic_certificate'
          ? { ...methodData?.wire, type }
          : null,
  };
}
