import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { tableFaults, transitions } from './common/payment-status.js';
import { PaymentsLog } from './common/payments-log.js';
import { PaymentsConfigurationError } from './common/payments.errors.js';
import { refundTableFaults, refundTransitions } from './common/refund-status.js';
import { HandlerRegistry } from './handlers/handler.registry.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from './options/payments.module-definition.js';
import { startLines } from './options/start-lines.js';
import { CommitMark } from './rollback/commit-mark.js';
import { RollbackWatch } from './rollback/rollback-watch.js';
import { SchemaCheck } from './schema-check.js';
import { StoreRegistry } from './stores/store.registry.js';

/** Whoever set it for another reason should hear of it. */
const SECRET_IN_PATH =
  'webhookSecret is set: whoever knows the path may send notifications, from any address. That is for where no proxy can name the ' +
  'sender; else leave it out and set trustedProxies (docs/behind-a-proxy.md). Keep the path out of the logs of what stands in front.';

/** What must be true before the first request: sound status tables, our tables, the shop's row, the handlers' ids, and how far back the database goes. */
@Injectable()
export class PaymentsBootstrap implements OnModuleInit {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly schema: SchemaCheck,
    private readonly stores: StoreRegistry,
    private readonly handlers: HandlerRegistry,
    private readonly rollbacks: RollbackWatch,
    private readonly mark: CommitMark,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    const faults = [...tableFaults(transitions), ...refundTableFaults(refundTransitions)];
    if (faults.length > 0) throw new PaymentsConfigurationError(faults);
    await this.schema.run();
    await this.stores.open();
    await this.handlers.register();
    // Last: what it notices is an event, for the handlers of this process too.
    await this.rollbacks.begin();
    for (const note of await this.schema.notes()) this.#logger.warn(note);
    for (const line of startLines(this.options, this.handlers.ids.length)) this.#logger.log(line);
    if (this.options.webhookSecret !== null) this.#logger.warn(SECRET_IN_PATH);
  }

  /** For a command, which starts nothing: the same, as far as it writes nothing. */
  async look(): Promise<void> {
    if (this.stores.isOpen) return;
    await this.lookAtTables();
    if (!(await this.stores.openAsFound()))
      throw new PaymentsConfigurationError([
        `start the application once on this database, or name the database that it works on: there is no store of shop ${this.options.shopId ?? ''} in it yet`,
      ]);
    this.handlers.find();
    await this.mark.learn();
  }

  /** For a command that is about the tables, whosever shop's they are: those of a copy may be another shop's than the options name. */
  async lookAtTables(): Promise<void> {
    await this.schema.run();
  }
}
