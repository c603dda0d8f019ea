/**
 * The script that a shop's page loads: a payment page of the sandbox inside the page of the shop. Its global, its options, its
 * events and its errors are those of the public service; what it looks like is not, so `customization` knows `modal` alone, and a `theme` of our own:
 * `light` or `dark`, by default that of the page around it. It is as high as what it shows.
 * Assumed: which error comes when, and that `complete` comes before the redirect and before the other events.
 */

interface WidgetOptions {
  readonly confirmation_token?: unknown;
  readonly return_url?: string;
  readonly error_callback?: (fault: { error: string }) => void;
  readonly customization?: { readonly modal?: boolean; readonly theme?: 'light' | 'dark' };
}

/** What a frame says of itself: src/checkout's pages. */
interface News {
  readonly checkout?: unknown;
  readonly height?: unknown;
  readonly event?: string;
  readonly error?: string;
}

type Handler = (details?: { status: string }) => void;

const script = document.currentScript;
const { origin } = new URL(script instanceof HTMLScriptElement ? script.src : location.href);

// A page that says nothing of dark is light.
function themeOf(element: Element): 'light' | 'dark' {
  const { colorScheme } = getComputedStyle(element);
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content ?? '';
  const schemes = (colorScheme === 'normal' ? meta : colorScheme).split(' ');
  if (!schemes.includes('dark')) return 'light';
  return !schemes.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

class YooMoneyCheckoutWidget {
  readonly #token: unknown;
  readonly #returnUrl: string | undefined;
  readonly #fails: WidgetOptions['error_callback'];
  readonly #isModal: boolean;
  readonly #theme: 'light' | 'dark' | undefined;
  readonly #handlers = new Map<string, Handler[]>(
    ['success', 'fail', 'complete', 'modal_close'].map((event) => [event, []]),
  );
  #remove: (() => void) | null = null;

  constructor({
    confirmation_token: token,
    return_url: returnUrl,
    error_callback: fails,
    customization,
  }: WidgetOptions = {}) {
    this.#token = token;
    this.#returnUrl = returnUrl;
    this.#fails = fails;
    this.#isModal = customization?.modal === true;
    this.#theme = customization?.theme;
  }

  render(elementId: string): Promise<void> {
    this.destroy();
    if (typeof this.#token !== 'string' || this.#token === '') return this.#refuse('token_required');
    if (this.#returnUrl !== undefined && !/^https?:/.test(this.#returnUrl))
      return this.#refuse('invalid_return_url');
    const theme = this.#theme ?? themeOf(document.getElementById(elementId) ?? document.documentElement);
    const parent = this.#isModal ? this.#modal(theme) : document.getElementById(elementId);
    if (parent === null) return Promise.reject(new Error(`There is no element ${elementId}`));
    const frame = document.createElement('iframe');
    frame.src = `${origin}/checkout/embedded/${encodeURIComponent(this.#token)}?theme=${encodeURIComponent(theme)}`;
    frame.title = 'Payment';
    // The same scheme as its page: otherwise browsers put an opaque ground under the frame.
    frame.style.cssText = 'display:block;width:100%;height:20rem;border:0';
    frame.style.colorScheme = theme;
    const listener = (message: MessageEvent<News | null>) => {
      if (message.source === frame.contentWindow && message.origin === origin)
        this.#heard(message.data, frame);
    };
    addEventListener('message', listener);
    this.#remove = () => {
      removeEventListener('message', listener);
      (this.#isModal ? parent.parentElement : frame)?.remove();
    };
    return new Promise((resolve) => {
      frame.addEventListener('load', () => resolve(), { once: true });
      parent.append(frame);
    });
  }

  on(event: string, handler: Handler): void {
    const handlers = this.#handlers.get(event);
    if (handlers === undefined) throw new Error(`There is no event ${event}`);
    handlers.push(handler);
  }

  destroy(): void {
    this.#remove?.();
    this.#remove = null;
  }

  #heard(news: News | null, frame: HTMLIFrameElement): void {
    if (news?.checkout !== this.#token) return;
    // The ring around what is in focus takes two pixels above and below.
    if (typeof news?.height === 'number' && Number.isFinite(news.height)) {
      frame.style.height = `${news.height + 4}px`;
      return;
    }
    if (news?.event === undefined) return;
    if (news.event === 'error') {
      this.#refuse(news.error ?? '').catch(() => {});
      return;
    }
    this.#tell('complete', { status: news.event });
    if (this.#returnUrl === undefined) this.#tell(news.event);
    else location.assign(this.#returnUrl);
  }

  #tell(event: string, details?: { status: string }): void {
    for (const handler of this.#handlers.get(event) ?? []) handler(details);
  }

  #refuse(error: string): Promise<never> {
    this.#fails?.({ error });
    return Promise.reject(new Error(error));
  }

  #modal(theme: 'light' | 'dark'): HTMLElement {
    const cover = document.createElement('div');
    cover.style.cssText = 'position:fixed;inset:0;z-index:1000;overflow:auto;padding:1rem;background:#0008';
    const box = document.createElement('div');
    box.style.cssText =
      'max-width:32rem;margin:0 auto;padding:1.25rem;border-radius:1rem;box-sizing:border-box;color:CanvasText;background:Canvas';
    box.style.colorScheme = theme;
    const close = document.createElement('button');
    close.type = 'button';
    close.textContent = 'Close';
    close.style.cssText =
      'display:block;margin:0 0 .75rem auto;padding:.35rem .75rem;font:inherit;color:inherit;background:none;border:1px solid;' +
      'border-radius:.375rem;cursor:pointer';
    close.dataset['testid'] = 'widget-close';
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

Object.assign(window, { YooMoneyCheckoutWidget });
