import { parseFlags } from './flags.js';

describe('the flags of the demo', () => {
  it('stand for the documented profile when none is given', () => {
    expect(parseFlags([])).toEqual({ profile: 'documented', receipts: null });
  });

  it.each([
    ['documented', null],
    ['yookassa', 'with'],
  ])('choose the profile %s', (profile, receipts) => {
    expect(parseFlags(['--profile', profile])).toEqual({ profile, receipts });
    expect(parseFlags([`--profile=${profile}`])).toEqual({ profile, receipts });
  });

  it.each(['with', 'after'])('have receipts go %s the money', (receipts) => {
    const flags = ['--profile', 'yookassa', '--receipts', receipts];
    expect(parseFlags(flags)).toEqual({ profile: 'yookassa', receipts });
  });

  it.each<[string, string[], RegExp]>([
    ['a profile that does not exist', ['--profile', 'public'], /--profile must be .* not "public"/],
    ['a profile without a name', ['--profile'], /--profile/],
    [
      'a time that receipts do not know',
      ['--profile', 'yookassa', '--receipts', 'before'],
      /--receipts must be with or after, not "before"/,
    ],
    ['receipts where there are none', ['--receipts', 'after'], /--receipts needs --profile yookassa/],
    [
      'receipts of the documented service',
      ['--profile', 'documented', '--receipts', 'with'],
      /the documented service has none/,
    ],
    ['a flag that does not exist', ['--profil', 'yookassa'], /--profil/],
    ['a word that is no flag', ['yookassa'], /yookassa/],
  ])('name %s', (_what, args, message) => {
    expect(() => parseFlags(args)).toThrow(message);
  });
});
