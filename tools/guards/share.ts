/** Every `of`th guard, beginning with number `index`, counted from 1. */
export interface Share {
  /** `commit`: the one that the commit's hash chooses. */
  readonly index: number | 'commit';
  readonly of: number;
}

/** The members of a share: neighbours in the list, which cost alike, are in different ones. */
export function membersOf<T>(all: readonly T[], { index, of }: { index: number; of: number }): readonly T[] {
  return all.filter((_, place) => place % of === index - 1);
}

/** From commit to commit another one, so that all are run over time. */
export function indexBy(commit: string, of: number): number {
  return (Number.parseInt(commit.slice(0, 8), 16) % of) + 1;
}
