import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** What a request is answered with: a page, or another address of the board, relative to that of the request. */
export type BoardAnswer = { readonly status: number; readonly html: string } | { readonly location: string };

/** Nothing is loaded from elsewhere, no script runs, no other site frames it, and nothing is kept by a browser or a proxy. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const STYLE_HEADERS = {
  'Content-Type': 'text/css; charset=utf-8',
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
    if ('location' in answer) httpAdapter.redirect(response, 303, answer.location);
    else httpAdapter.reply(response, answer.html, answer.status);
  }

  style(response: object, css: string): void {
    this.#set(response, STYLE_HEADERS);
    this.host.httpAdapter.reply(response, css, 200);
  }

  #set(response: object, headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers))
      this.host.httpAdapter.setHeader(response, name, value);
  }
}
