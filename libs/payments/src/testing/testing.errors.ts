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

/** A test delivers an event that no handler of its application is marked with. */
export class NoHandlerError extends PaymentsError {
  readonly code = 'no_handler';

  constructor(
    readonly event: string,
    /** The ids of the handlers that there are, each with its event. */
    readonly others: readonly string[],
  ) {
    super(
      `No handler of the application is marked with ${event}: add its class to the providers of the module under test, and compare the event that ` +
        `its @OnPaymentEvent names. ${others.length === 0 ? 'There is no handler at all.' : `There are: ${others.join(', ')}.`}`,
    );
  }
}

/** A package is not installed that the module itself does not need, and its tests do. */
export class TestPackageMissingError extends PaymentsError {
  readonly code = 'test_package_missing';

  constructor(
    readonly packageName: string,
    options?: ErrorOptions,
  ) {
    super(`${packageName} is not installed: npm install --save-dev ${packageName}`, options);
  }
}

/** The database of a test could not be opened, made or migrated. */
export class TestDatabaseError extends PaymentsError {
  readonly code = 'test_database';

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `${reason} Pass as databaseUrl the address of a PostgreSQL server and a role that may create databases there.`,
      options,
    );
  }
}

/** No application with the kit's module is running. */
export class TestPaymentsNotStartedError extends PaymentsError {
  readonly code = 'test_payments_not_started';

  constructor() {
    super(
      "There is no running application with the kit's module: import kit.module (or kit.companion) into it, and call " +
        'createNestApplication() and init() before this.',
    );
  }
}
