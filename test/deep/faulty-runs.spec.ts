import { openWatchedShop, type WatchedShop } from '../support/watched-shop.js';
import { faults } from './faulty-runs/faults.js';

describe.each(faults.map((fault) => [fault.name, fault] as const))(
  'where this is wrong: %s,',
  (_name, fault) => {
    let shop: WatchedShop;
    beforeAll(async () => {
      shop = await openWatchedShop(fault.setting);
      await fault.bring(shop);
    });
    afterAll(() => shop.close());

    it('the log, the health answer and the board point at the fault, or say nothing', async () => {
      const { shows } = fault;
      const health = JSON.stringify(await shop.health());
      const board = await shop.board(shows.board?.[0] ?? '');
      if (process.env['SHOW'])
        console.log(
          shop.log.map((line) => line.slice(0, 300)),
          health,
          board.slice(0, 1200),
        );
      expect(health).toMatch(shows.health ?? '{"payments_database":{"status":"up"}');
      expect(board).toMatch(shows.board?.[1] ?? 'Nothing needs a person');
      const { log } = shows;
      const lines = shop.log.filter((line) => log === null || log.test(line));
      expect(lines.length > 0).toBe(log !== null);
    });
  },
);
