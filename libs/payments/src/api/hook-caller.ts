import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import type { AnswerInfo, FailureInfo, RequestHooks, RequestInfo } from './hooks.js';

/** Calls the host's hooks, and survives their errors. */
export class HookCaller {
  readonly #hooks: RequestHooks;
  readonly #logger = new PaymentsLog();
  #logged = false;

  constructor(hooks: RequestHooks) {
    this.#hooks = hooks;
  }

  requested(info: RequestInfo): void {
    if (this.#hooks.onRequest) this.#call(() => this.#hooks.onRequest?.({ ...info }));
  }

  answered(info: RequestInfo, answer: Omit<AnswerInfo, keyof RequestInfo>): void {
    if (this.#hooks.onAnswer) this.#call(() => this.#hooks.onAnswer?.({ ...info, ...answer }));
  }

  failed(info: RequestInfo, failure: Omit<FailureInfo, keyof RequestInfo>): void {
    if (this.#hooks.onFailure) this.#call(() => this.#hooks.onFailure?.({ ...info, ...failure }));
  }

  #call(hook: () => void | Promise<void>): void {
    new Promise<void>((resolve) => resolve(hook())).catch((error: unknown) => {
      if (this.#logged) return;
      this.#logged = true;
      this.#logger.error(`A request hook failed; later failures are not logged: ${messageOf(error)}`);
    });
  }
}
