import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/**
 * What a request is answered with: a page, that it is still the one that the browser has, or another address of the board, relative to that of
 * the request.
 */
export type BoardAnswer =
  | {
      readonly status: number;
      readonly html: string;
      /** Of a page that renews itself. */
      readonly tag?: string;
    }
  | { readonly tag: string; /** The time, as such a page says it. */ readonly asOf: string }
  | { readonly location: string };

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** A page that renews itself has a script of the board's own, which asks the board. All others run none. */
const LIVE_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`;

/** Nothing is loaded from elsewhere, no other site frames it, and nothing is kept by a browser or a proxy. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const PART_HEADERS = {
  'Cache-Control': 'private, max-age=300',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Sends answers the same way on every HTTP adapter, and by itself: an interceptor of the host would find a page in its hands otherwise,
 * to wrap it or to show it to somebody else.
 */
@Injectable()
export class BoardSender {
  constructor(private readonly host: HttpAdapterHost) {}

  send(response: object, answer: BoardAnswer): void {
    const { httpAdapter } = this.host;
    this.#set(response, HEADERS);
    if ('location' in answer) return httpAdapter.redirect(response, 303, answer.location);
    if (answer.tag !== undefined)
      this.#set(response, { ETag: answer.tag, 'Content-Security-Policy': LIVE_POLICY });
    if ('html' in answer) return httpAdapter.reply(response, answer.html, answer.status);
    this.#set(response, { 'Board-As-Of': answer.asOf });
    httpAdapter.reply(response, undefined, 304);
  }

  /** What pages name: the stylesheet, the script. */
  part(response: object, type: 'css' | 'javascript', text: string): void {
    this.#set(response, { ...PART_HEADERS, 'Content-Type': `text/${type}; charset=utf-8` });
    this.host.httpAdapter.reply(response, text, 200);
  }

  #set(response: object, headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers))
      this.host.httpAdapter.setHeader(response, name, value);
  }
}
