import { Injectable, Logger } from '@nestjs/common';

/** A poll may overtake one notification, or two; when it finds the third change in a row, none is arriving. */
const CHANGES_IN_A_ROW = 3;

/** Notices that polls keep finding what notifications should have told: a webhook that nobody reaches is silent. */
@Injectable()
export class SilenceAlarm {
  readonly #logger = new Logger('Payments');
  #unannounced = 0;

  /** Called for each change of status that a re-read found without the caller asking for it. */
  found(cause: 'notification' | 'sweep'): void {
    this.#unannounced = cause === 'sweep' ? this.#unannounced + 1 : 0;
    if (this.#unannounced !== CHANGES_IN_A_ROW) return;
    this.#logger.error(
      `Polling found the last ${CHANGES_IN_A_ROW} changes; no notification told of them. Nothing is lost, but buyers wait. ` +
        "Check that the notification URL in the Merchant Profile reaches this module's webhook route, that its " +
        'events are ticked, and that no proxy in front is missing from trustedProxies.',
    );
  }
}
