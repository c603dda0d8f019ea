/**
 * The script that a shop's page loads: a payment page of the sandbox inside the page of the shop. Its global, its options, its
 * events and its errors are those of the public service; what it looks like is not, so `customization` knows `modal` alone, and a `theme` of our own:
 * `light` or `dark`, by default that of the page around it. It is as high as what it shows.
 * Assumed: which error comes when, and that `complete` comes before the redirect and before the other events.
 */
export const widgetScript = `(() => {
  'use strict';
  const origin = new URL(document.currentScript.src).origin;
  const events = ['success', 'fail', 'complete', 'modal_close'];

  // A page that says nothing of dark is light.
  const themeOf = (element) => {
    const { colorScheme } = getComputedStyle(element);
    const meta = document.querySelector('meta[name=color-scheme]')?.content ?? '';
    const schemes = (colorScheme === 'normal' ? meta : colorScheme).split(' ');
    if (!schemes.includes('dark')) return 'light';
    return !schemes.includes('light') || window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  };

  class YooMoneyCheckoutWidget {
    #token; #returnUrl; #fails; #isModal; #theme;
    #handlers = new Map(events.map((event) => [event, []]));
    #shown = null;

    constructor({ confirmation_token: token, return_url: returnUrl, error_callback: fails, customization } = {}) {
      this.#token = token;
      this.#returnUrl = returnUrl;
      this.#fails = fails;
      this.#isModal = customization?.modal === true;
      this.#theme = customization?.theme;
    }

    render(elementId) {
      this.destroy();
      if (typeof this.#token !== 'string' || this.#token === '') return this.#refuse('token_required');
      if (this.#returnUrl !== undefined && !/^https?:/.test(this.#returnUrl)) return this.#refuse('invalid_return_url');
      const theme = this.#theme ?? themeOf(document.getElementById(elementId) ?? document.documentElement);
      const parent = this.#isModal ? this.#modal(theme) : document.getElementById(elementId);
      if (!parent) return Promise.reject(new Error('There is no element ' + elementId));
      const frame = document.createElement('iframe');
      frame.src = origin + '/checkout/embedded/' + encodeURIComponent(this.#token) + '?theme=' + encodeURIComponent(theme);
      frame.title = 'Payment';
      // The same scheme as its page: otherwise browsers put an opaque ground under the frame.
      frame.style.cssText = 'display:block;width:100%;height:20rem;border:0';
      frame.style.colorScheme = theme;
      const listener = (message) => {
        if (message.source === frame.contentWindow && message.origin === origin) this.#heard(message.data, frame);
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

    #heard(data, frame) {
      if (data?.checkout !== this.#token) return;
      // The ring around what is in focus takes two pixels above and below.
      if (Number.isFinite(data.height)) return void (frame.style.height = data.height + 4 + 'px');
      if (data.event === undefined) return;
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

    #modal(theme) {
      const cover = document.createElement('div');
      cover.style.cssText = 'position:fixed;inset:0;z-index:1000;overflow:auto;padding:1rem;background:#0008';
      const box = document.createElement('div');
      box.style.cssText = 'max-width:32rem;margin:0 auto;padding:1.25rem;border-radius:1rem;box-sizing:border-box;color:CanvasText;background:Canvas';
      box.style.colorScheme = theme;
      const close = document.createElement('button');
      close.type = 'button';
      close.textContent = 'Close';
      close.style.cssText = 'display:block;margin:0 0 .75rem auto;padding:.35rem .75rem;font:inherit;color:inherit;background:none;' +
        'border:1px solid;border-radius:.375rem;cursor:pointer';
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
