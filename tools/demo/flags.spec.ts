import { parseFlags } from './flags.js';

describe('the flags of the demo', () => {
  it('stand for the documented profile when none is given', () => {
    expect(parseFlags([])).toEqual({ profile: 'documented' });
  });

  it.each(['documented', 'yookassa'])('choose the profile %s', (profile) => {
    expect(parseFlags(['--profile', profile])).toEqual({ profile });
    expect(parseFlags([`--profile=${profile}`])).toEqual({ profile });
  });

  it.each<[string, string[], RegExp]>([
    ['a profile that does not exist', ['--profile', 'public'], /--profile must be .* not "public"/],
    ['a profile without a name', ['--profile'], /--profile/],
    ['a flag that does not exist', ['--profil', 'yookassa'], /--profil/],
    ['a word that is no flag', ['yookassa'], /yookassa/],
  ])('name %s', (_what, args, message) => {
    expect(() => parseFlags(args)).toThrow(message);
  });
});
