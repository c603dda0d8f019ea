import { interleave } from './rounds.js';

describe('rounds', () => {
  it('let contenders take turns, each beginning in its turn, and ignore the warm-up', async () => {
    const turns: string[] = [];
    const contender = (name: string) => ({
      name,
      run: async (round: number) => {
        turns.push(`${name}${round}`);
        return { value: round };
      },
    });
    const samples = await interleave([contender('a'), contender('b')], { rounds: 2 });
    expect(turns).toEqual(['a-1', 'b-1', 'b0', 'a0', 'a1', 'b1']);
    expect(samples).toEqual(
      new Map([
        ['a', [{ value: 0 }, { value: 1 }]],
        ['b', [{ value: 0 }, { value: 1 }]],
      ]),
    );
  });
});
