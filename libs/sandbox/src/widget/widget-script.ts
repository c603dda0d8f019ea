/**
 * The script that a shop's page loads: a payment page of the sandbox inside the page of the shop. Its global, its options, its
 * events and its errors are those of the public service; what it looks like is not, so `customization` knows `modal` alone.
 * Assumed: which error comes when, and that `complete` comes before the redirect and before the other events.
 */
export const widgetScript = `(() => {
  'use strict';
  const origin = new URL(document.currentScript.src).origin;
  const events = ['success', 'fail', 'complete', 'modal_close'];

  class YooMoneyCheckoutWidget {
    #token; #returnUrl; #fails; #isModal;
    #handlers = new Map(events.map((event) => [event, []]));
    #shown = null;

    constructor({ confirmation_token: token, return_url: returnUrl, error_callback: fails, customization } = {}) {
      this.#token = token;
      this.#returnUrl = returnUrl;
      this.#fails = fails;
      this.#isModal = customization?.modal === true;
    }

    render(elementId) {
      this.destroy();
      if (typeof this.#token !== 'string' || this.#token === '') return this.#refuse('token_required');
      if (this.#returnUrl !== undefined && !/^https?:/.test(this.#returnUrl)) return this.#refuse('invalid_return_url');
      const parent = this.#isModal ? this.#modal() : document.getElementById(elementId);
      if (!parent) return Promise.reject(new Error('There is no element ' + elementId));
      const frame = document.createElement('iframe');
      frame.src = origin + '/checkout/embedded/' + encodeURIComponent(this.#token);
      frame.title = 'Payment';
      frame.style.cssText = 'display:block;width:100%;height:46rem;border:0';
      const listener = (message) => {
        if (message.source === frame.contentWindow && message.origin === origin) this.#heard(message.data);
      };
      window.addEventListener('message', listener);
      this.#shown = {
        remove: () => {
          window.removeEventListener('message', listener);
          (this.#isModal ? parent.parentElement : frame).remove();
        },
      };
      return new Promise((resolve) => {
        frame.addEventListener('load', () => resolve(), { once: true });
        parent.append(frame);
      });
    }

    on(event, handler) {
      const handlers = this.#handlers.get(event);
      if (!handlers) throw new Error('There is no event ' + event);
      handlers.push(handler);
    }

    destroy() {
      this.#shown?.remove();
      this.#shown = null;
    }

    #heard(data) {
      if (data?.checkout !== this.#token) return;
      if (data.event === 'error') return void this.#refuse(data.error).catch(() => {});
      this.#tell('complete', { status: data.event });
      if (this.#returnUrl === undefined) this.#tell(data.event);
      else window.location.assign(this.#returnUrl);
    }

    #tell(event, details) {
      for (const handler of this.#handlers.get(event)) handler(details);
    }

    #refuse(error) {
      this.#fails?.({ error });
      return Promise.reject(new Error(error));
    }

    #modal() {
      const cover = document.createElement('div');
      cover.style.cssText = 'position:fixed;inset:0;z-index:1000;overflow:auto;padding:1rem;background:#0008';
      const box = document.createElement('div');
      box.style.cssText = 'max-width:32rem;margin:0 auto';
      const close = document.createElement('button');
      close.textContent = 'Close';
      close.dataset.testid = 'widget-close';
      close.addEventListener('click', () => {
        this.destroy();
        this.#tell('modal_close');
      });
      box.append(close);
      cover.append(box);
      document.body.append(cover);
      return box;
    }
  }

  window.YooMoneyCheckoutWidget = YooMoneyCheckoutWidget;
})();
`;
