import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PaymentsLog } from '../../common/payments-log.js';

/** Notices an application that takes connections without the door: protectWebhook() is called by hand, and can be forgotten. */
@Injectable()
export class DoorCheck implements OnApplicationBootstrap {
  readonly #logger = new PaymentsLog();
  #isInstalled = false;

  constructor(private readonly http: HttpAdapterHost) {}

  installed(): void {
    this.#isInstalled = true;
  }

  /** A process that only sweeps never listens, and nor do most tests of a host's own. */
  onApplicationBootstrap(): void {
    if (this.#isInstalled) return;
    this.http.listen$.subscribe(() => {
      this.#logger.warn(
        'The webhook route is open without protectWebhook(): bodies of any sender reach your own parser, under its limits of ' +
          'size and time. Call protectWebhook(app) right after NestFactory.create().',
      );
    });
  }
}
