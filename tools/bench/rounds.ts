/** What one round of a contender measured, by name. */
type Sample = Readonly<Record<string, number>>;

export interface Contender {
  readonly name: string;
  /** @param round from 0, and below zero while it warms up */
  run(round: number): Promise<Sample>;
}

/** What each contender measured, round by round. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Lets them take turns; another one begins each round, and the first rounds, which warm up, do not count. */
export async function interleave(
  contenders: readonly Contender[],
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const sample = await contender.run(round);
      if (round >= 0) samples.get(contender.name)?.push(sample);
    }
  }
  return samples;
}
