/** Red: a person must act; amber: look at it soon; grey: ordinary. Never colour alone: each has a shape and a word. */
export type Tone = 'good' | 'wait' | 'warn' | 'bad' | 'calm';

/** The shapes, as paths of a box of twelve by twelve. */
export const shapePaths = {
  done: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Z',
  open: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8Z',
  half: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6a3.4 3.4 0 0 1 0 6.8Z',
  cross: 'M2.3 1 6 4.7 9.7 1 11 2.3 7.3 6 11 9.7 9.7 11 6 7.3 2.3 11 1 9.7 4.7 6 1 2.3Z',
  slash: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1ZM3.1 7.8a3.4 3.4 0 0 1 4.7-4.7ZM8.9 4.2a3.4 3.4 0 0 1-4.7 4.7Z',
  unknown: 'M6 0l6 6-6 6-6-6ZM5.2 3v3.9h1.6V3ZM5.2 7.6v1.5h1.6V7.6Z',
  stop: 'M1 1h10v10H1Z',
  warn: 'M6 .5 12 11.5H0ZM5.2 4.4v3.3h1.6V4.4ZM5.2 8.5V10h1.6V8.5Z',
  tick: 'M.8 6.4 2.2 5l2.5 2.5L9.8 2l1.4 1.4-6.5 6.9Z',
  mail: 'M0 2h12v8H0ZM1.4 3.4v.4L6 6.9l4.6-3.1v-.4ZM1.4 5.5v3.1h9.2V5.5L6 8.5Z',
  person: 'M6 .8a2.7 2.7 0 1 1 0 5.4A2.7 2.7 0 0 1 6 .8ZM.9 11.5C1.1 8.8 3.2 7 6 7s4.9 1.8 5.1 4.5Z',
  back: 'M5 1 .7 4.8 5 8.6V6h2c1.6 0 2.5.8 2.5 2.3V11h1.8V8.1C11.3 5.5 9.7 3.9 7 3.9H5Z',
  out: 'M4 1h7v7H9.4V3.7L2.6 10.5 1.5 9.4 8.3 2.6H4Z',
} as const;

export type ShapeName = keyof typeof shapePaths;
