import type * as serviceErrors from '../api/service-errors.js';
import type * as paymentsErrors from '../common/payments.errors.js';
import type * as deadlineErrors from '../database/deadline-error.js';

type ErrorsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends abstract new (...args: never[]) => infer Thrown
    ? Thrown
    : never;
}[keyof Module];
/** An abstract class leaves its code open: those that extend it name theirs. */
type CodesOf<Thrown> = Thrown extends { readonly code: infer Code extends string }
  ? string extends Code
    ? never
    : Code
  : never;

/** The `code` of every error that a caller of this module can meet. */
export type PaymentsErrorCode = CodesOf<
  ErrorsOf<typeof paymentsErrors> | ErrorsOf<typeof serviceErrors> | ErrorsOf<typeof deadlineErrors>
>;
