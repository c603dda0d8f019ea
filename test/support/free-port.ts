import { freePort } from '../../examples/shared/config/port.js';

const TRIES = 5;

/** For a program that has to know its address before it listens: if another takes the free port in between, `start` gets the next. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tried === TRIES || !/EADDRINUSE|Port \d+ is in use/.test(String(error))) throw error;
    }
  }
}
