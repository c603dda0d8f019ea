import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createServer } from 'node:net';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/listen.js';
import { openBench } from '../support/payments-host.js';

/** A line is due every ten seconds, and a tick every 100 ms. */
const LOOKS = 20;

describe('an outage of the database', () => {
  it('is not one log line for each look of the sweep', async () => {
    const errors: string[] = [];
    const logged = jest
      .spyOn(Logger.prototype, 'error')
      .mockImplementation((line) => void errors.push(String(line)));
    const bench = await openBench();
    let refused = 0;
    const away = createServer((socket) => {
      refused += 1;
      socket.destroy();
    });
    const proxy = await startDatabaseProxy(bench.database.moduleUrl);
    try {
      const sweeper = await bench.startHost({ databaseUrl: proxy.url, sweeps: { intervalMs: 100 } });
      proxy.turnTo(`postgres://127.0.0.1:${await listen(away)}/`);
      await bench.asOwner(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
      );
      await eventually(
        async () => refused,
        (looks) => looks >= LOOKS,
      );
      const { hostname, port } = new URL(bench.database.moduleUrl);
      expect(errors.filter((line) => line.startsWith('The sweep was interrupted')).length).toBeLessThan(
        LOOKS / 2,
      );
      proxy.turnTo(`postgres://${hostname}:${port}/`);
      await sweeper.close();
      expect(errors).toContainEqual(
        expect.stringMatching(/^The sweep was interrupted and continues at its next tick: /),
      );
    } finally {
      logged.mockRestore();
      await proxy.close();
      away.close();
      await bench.close();
    }
  });
});
