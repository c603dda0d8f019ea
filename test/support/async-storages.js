import { AsyncLocalStorage } from 'node:async_hooks';

/** That were used since the last {@link disableAsyncStorages}. */
const used = new Set();

/** Notes each storage that is used in this process. */
export function watchAsyncStorages() {
  const { prototype } = AsyncLocalStorage;
  for (const name of ['run', 'enterWith']) {
    const method = prototype[name];
    prototype[name] = function (...args) {
      used.add(this);
      return method.apply(this, args);
    };
  }
}

/** Before Node 24, every promise of the process pays for each storage that was ever used: a fifth of a run's time, were those of ended files left. */
export function disableAsyncStorages() {
  for (const storage of used) storage.disable();
  used.clear();
}
