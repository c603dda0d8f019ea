import type * as serviceErrors from '../api/service-errors.js';
import type * as paymentsErrors from '../common/payments.errors.js';
import type * as deadlineErrors from '../database/deadline-error.js';

/**
 * The `code` of every error that a caller of this module can meet. An abstract class leaves its code open: those that extend it name
 * theirs.
 */
export type PaymentsErrorCode = typeof paymentsErrors &
  typeof serviceErrors &
  typeof deadlineErrors extends infer Module
  ? {
      [Name in keyof Module]: Module[Name] extends abstract new (...args: never[]) => {
        readonly code: infer Code extends string;
      }
        ? string extends Code
          ? never
          : Code
        : never;
    }[keyof Module]
  : never;
