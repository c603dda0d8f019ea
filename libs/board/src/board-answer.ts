import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** What a request is answered with: a page, or another address of the board, relative to that of the request. */
export type BoardAnswer = { readonly status: number; readonly html: string } | { readonly location: string };

/** Nothing is loaded from elsewhere, no script runs, no other site frames it, and nothing is kept by a browser or a proxy. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Sends answers the same way on every HTTP adapter. */
@Injectable()
export class BoardSender {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Sets status and headers; returns the body. */
  send(response: object, answer: BoardAnswer): string {
    const { httpAdapter } = this.host;
    for (const [name, value] of Object.entries(HEADERS)) httpAdapter.setHeader(response, name, value);
    httpAdapter.setHeader(response, 'Content-Type', 'text/html; charset=utf-8');
    if ('location' in answer) {
      httpAdapter.status(response, 303);
      httpAdapter.setHeader(response, 'Location', answer.location);
      return '';
    }
    httpAdapter.status(response, answer.status);
    return answer.html;
  }
}
