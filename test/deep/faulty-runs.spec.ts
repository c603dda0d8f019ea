import { faults } from './faulty-runs/faults.js';
import { openStage, type Stage } from './faulty-runs/stage.js';

describe.each(faults.map((fault) => [fault.name, fault] as const))(
  'where this is wrong: %s,',
  (_name, fault) => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(fault.setting);
      await fault.bring(stage);
    });
    afterAll(() => stage.close());

    it('the log, the health answer and the board point at the fault, or say nothing', async () => {
      const { shows } = fault;
      const health = JSON.stringify(await stage.health());
      const board = await stage.board(shows.board?.[0] ?? '');
      if (process.env['SHOW'])
        console.log(
          stage.log.map((line) => line.slice(0, 300)),
          health,
          board.slice(0, 1200),
        );
      expect(health).toMatch(shows.health ?? '{"payments_database":{"status":"up"}');
      expect(board).toMatch(shows.board?.[1] ?? 'Nothing needs a person');
      expect(stage.log).toEqual(
        shows.log === null ? [] : expect.arrayContaining([expect.stringMatching(shows.log)]),
      );
    });
  },
);
