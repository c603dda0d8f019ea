import { areTooWide } from './wide-ranges.js';

const eighths = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${from + at}.0.0.0/8`);

describe('a list of addresses and CIDRs', () => {
  it.each<[string[]]>([
    [[]],
    [['10.0.0.7']],
    [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16']],
    [['fc00::/7', 'fe80::/10', '::1']],
    [['2a00::/12', '2600:1900::/28', '104.16.0.0/13']],
    [eighths(1, 16)],
    [['64.0.0.0/4', '64.0.0.0/5', '70.0.0.0/8']],
    [['2000::/7']],
  ])('case %# is one that somebody may mean', (ranges) => {
    expect(areTooWide(ranges)).toBe(false);
  });

  it.each<[string[]]>([
    [['0.0.0.0/1', '128.0.0.0/1']],
    [['0.0.0.0/1']],
    [['128.0.0.0/2', '192.0.0.0/3']],
    [['64.0.0.0/4', '80.0.0.1']],
    [eighths(1, 17)],
    [eighths(0, 256)],
    [['::ffff:0:0/96']],
    [['::/1', '8000::/1']],
    [['2000::/4', '3000::/4']],
    [['2000::/3']],
    [['2000::/7', '2200::/16']],
    [['10.0.0.0/8', '2000::/2']],
  ])('case %# is open to everybody', (ranges) => {
    expect(areTooWide(ranges)).toBe(true);
  });
});
