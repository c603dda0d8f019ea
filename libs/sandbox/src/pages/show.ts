import type { Response } from 'express';
import type { Html } from './html.js';

/** Answers with a page. */
export function show(response: Response, status: number, { markup }: Html): void {
  response.status(status).type('html').send(markup);
}
