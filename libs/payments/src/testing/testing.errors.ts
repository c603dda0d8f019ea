import { PaymentsError } from '../common/payments.errors.js';

/** A handler wrote through its manager, and the application it is tested in has no database. */
export class HandlerManagerMissingError extends PaymentsError {
  readonly code = 'handler_manager_missing';

  constructor(
    /** What the handler used of it. */
    readonly property: string,
  ) {
    super(
      `The handler used manager.${property}, but the application has no data source. Import TypeOrmModule.forRoot() into the ` +
        "test's module, or the module of createTestPayments(), which brings a database.",
    );
  }
}
