import { seen } from './seen.js';

describe('a page', () => {
  it('shows the code of what would turn its texts around, and keeps what letters and emoji need', () => {
    expect(seen('<p>A\u202E00,1\u2066\u001B[2J\u009B\u{E0041}</p>')).toBe(
      '<p>A[U+202E]00,1[U+2066][U+001B][2J[U+009B][U+E0041]</p>',
    );
    const kept = '<p>\n\tЁлка 👩‍🔧 نمی‌خواهم 1\u00a0234,50\u00a0₽</p>';
    expect(seen(kept)).toBe(kept);
  });
});
