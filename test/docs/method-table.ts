import { formatAmount } from '@holdfast/payments';
import type { MethodRules } from '../../libs/payments/src/api/method-rules.js';
import type { ServiceProfile } from '../../libs/payments/src/api/service-profile.js';
import { methodToWire } from '../../libs/payments/src/api/wire-names.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The ways of paying of a profile that a create can name, as Markdown. */
export function methodTable(profile: ServiceProfile): string {
  const rows = Object.entries(profile.methods)
    .filter(([, { confirmations }]) => confirmations.length > 0)
    .map(([name, rules]) => {
      const wire = methodToWire(profile, name);
      return [
        `\`${name}\``,
        wire === name ? rules.title : `${rules.title} (\`${wire}\`)`,
        confirmationsOf(rules),
        termOf(rules),
        holdOf(rules),
        partOf(rules),
        rules.refundWindowMs === null ? 'never' : spanOf(rules.refundWindowMs),
        rules.saving === 'none' ? 'no' : rules.saving,
        `${roubles(rules.minMinor)} – ${roubles(rules.maxMinor)}`,
      ];
    });
  const head = [
    '`method`',
    'is',
    'confirmations',
    'time to pay',
    'hold',
    'part of a hold',
    'refund within',
    'saved',
    'roubles',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function confirmationsOf({ confirmations, fields }: MethodRules): string {
  return confirmations
    .map((type) => (type === 'external' && fields.phone ? `\`${type}\` with a phone` : `\`${type}\``))
    .join(', ');
}

/** Where it depends on the amount, all of them. */
function termOf({ termMs, minMinor, maxMinor }: MethodRules): string {
  const amounts = [minMinor, 5_000_000, 20_000_000, maxMinor].filter((minor) => minor <= maxMinor);
  const terms = new Set(amounts.map((minor) => termMs(minor)));
  return [...terms].map((ms) => (ms === null ? 'no limit' : spanOf(ms))).join(', ');
}

function holdOf({ hold }: MethodRules): string {
  return hold ? spanOf(hold.lengthMs) : 'none';
}

function partOf({ hold }: MethodRules): string {
  if (hold === null) return '–';
  if (hold.partMinMinor === null) return 'no';
  const least = hold.partMinMinor > 1 ? `from ${roubles(hold.partMinMinor)}` : 'yes';
  return hold.partIfSaved ? least : `${least}, but for a saved one`;
}

function spanOf(ms: number): string {
  const years = ms / (366 * DAY_MS);
  if (Number.isInteger(years)) return years === 1 ? '1 year' : `${years} years`;
  return ms % DAY_MS === 0 && ms > 3 * DAY_MS ? `${ms / DAY_MS} days` : `${ms / HOUR_MS} h`;
}

function roubles(minor: number): string {
  const [whole = ''] = formatAmount(minor).value.split('.');
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
