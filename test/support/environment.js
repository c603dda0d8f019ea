import { appendFileSync } from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';

/** Closes what a test file has left running (still-running.ts), last first, when all its hooks have run. */
export default class ClosingEnvironment extends TestEnvironment {
  constructor(config, context) { super(config, context); this.file = context.testPath; }
  async setup() {
    await super.setup();
    this.global.stillRunning = new Set();
    this.c0 = process.cpuUsage(); this.t0 = performance.now();
  }

  async handleTestEvent({ name, test }) {
    if (name === 'run_start') { this.c1 = process.cpuUsage(this.c0); this.t1 = performance.now(); }
    if (name === 'test_done' && test.duration > 2500) appendFileSync('/tmp/slowtests.log', `${test.duration} ${this.file} ${test.name}\n`);
    if (name === 'run_finish' && process.env.CPULOG) { const c = process.cpuUsage(this.c0); const f = (c) => Math.round((c.user + c.system) / 1000); appendFileSync(process.env.CPULOG, `${f(c)} ${Math.round(performance.now() - this.t0)} ${f(this.c1)} ${Math.round(this.t1 - this.t0)} ${process.pid} ${this.file}\n`); }
    if (name !== 'run_finish') return;
    // The file has failed by then, and says why.
    for (const close of [...this.global.stillRunning].toReversed()) await close().catch(() => undefined);
  }
}
