import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Does work that is no part of whatever request or trace gave the reason for it: a buyer's request would seem to last for hours. It
 * has the context in which this file was loaded, before any request.
 */
export const detached: (work: () => void) => void = AsyncLocalStorage.snapshot();
