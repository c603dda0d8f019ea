import { indexBy, membersOf } from './share.js';

const all = Array.from({ length: 10 }, (_, place) => place);

describe('the shares of the guards', () => {
  it('have each of them once', () => {
    const shares = [1, 2, 3].map((index) => membersOf(all, { index, of: 3 }));
    expect(shares.flat().toSorted((a, b) => a - b)).toEqual(all);
  });

  it('are chosen by a commit, each by one in as many', () => {
    const commits = all.map((place) => `0000000${place}9e1f`);
    expect(commits.map((commit) => indexBy(commit, 5))).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  });
});
