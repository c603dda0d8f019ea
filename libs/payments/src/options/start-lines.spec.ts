import { documentedProfile, type ServiceProfile } from '../api/service-profile.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import { resolveOptions } from './payments.resolved-options.js';
import { startLines } from './start-lines.js';

const firstLine = (serviceUrl: string, profile: ServiceProfile = yookassaProfile) =>
  startLines(resolveOptions({ serviceUrl, profile, shopId: 'tea', secretKey: 'live_key' }), 0)[0];

describe('the first line of a start', () => {
  it('names the profile’s own address where another one is used', () => {
    expect(firstLine('https://pay.example')).toBe(
      'Shop tea at pay.example, profile yookassa (its own address is api.yookassa.ru), no receipts asked for.',
    );
  });

  it.each([
    ['the profile’s own', 'https://api.yookassa.ru', yookassaProfile, 'api.yookassa.ru'],
    ['a sandbox’s', 'http://[::1]:4010', yookassaProfile, '[::1]:4010'],
    ['that of a profile without one', 'https://pay.example', documentedProfile, 'pay.example'],
  ])('names the address once where it is %s', (_whose, serviceUrl, profile, host) => {
    expect(firstLine(serviceUrl, profile)).toBe(
      `Shop tea at ${host}, profile ${profile.name}, no receipts asked for.`,
    );
  });
});
