import type { RequestHandler } from 'express';
import type { Changes } from '../journal/changes.js';

/** Changes come in flocks; a page looks once for each. */
const FLOCK_MS = 100;

/** Server-sent events: one each time that something has changed. */
export function changeStream(changes: Changes): RequestHandler {
  return (_request, response) => {
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('retry: 1000\n\n');
    let timer: NodeJS.Timeout | undefined;
    const unsubscribe = changes.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        response.write('data: changed\n\n');
      }, FLOCK_MS);
    });
    response.once('close', () => {
      unsubscribe();
      clearTimeout(timer);
    });
  };
}
