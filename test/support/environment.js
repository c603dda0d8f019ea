import { TestEnvironment } from 'jest-environment-node';
import { disableAsyncStorages, watchAsyncStorages } from './async-storages.js';
import { keepCompiledCode } from './compiled-code.js';

keepCompiledCode();
watchAsyncStorages();

/** Closes what a test file has left running (still-running.ts), last first, when all its hooks have run. */
export default class ClosingEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.stillRunning = new Set();
  }

  async teardown() {
    await super.teardown();
    disableAsyncStorages();
  }

  async handleTestEvent({ name }) {
    if (name !== 'run_finish') return;
    // The file has failed by then, and says why.
    for (const close of [...this.global.stillRunning].toReversed()) await close().catch(() => undefined);
  }
}
