import { listedLabels } from './listed-labels.js';

const labelsOf = (labels: Readonly<Record<string, readonly string[] | string>>) =>
  listedLabels({ kind: 'counter', unit: '{run}', description: '', labels });

describe('the labels that a metric has for certain', () => {
  it('are every combination of what is listed', () => {
    expect(labelsOf({ lane: ['polls', 'failing'], result: ['done'] })).toEqual([
      { lane: 'polls', result: 'done' },
      { lane: 'failing', result: 'done' },
    ]);
    expect(labelsOf({})).toEqual([{}]);
  });

  it('are none where a value comes from elsewhere', () => {
    expect(labelsOf({ handler: 'the id of the handler', result: ['done'] })).toEqual([]);
    expect(labelsOf({ result: ['done'], handler: 'the id of the handler' })).toEqual([]);
  });
});
