import { effectJson } from '../handlers/effect-data.js';
import { recordedOtherwise } from '../handlers/effect-faults.js';
import { keyOfEffect } from '../handlers/effect-key.js';
import type { EffectRecorder } from '../handlers/on-payment-effect.js';

/** An effect that a handler recorded. */
export interface NotedEffect {
  readonly id: string;
  /** As the effect's method gets it: what JSON makes of it. */
  readonly data: unknown;
  readonly effectKey: string;
}

/** Notes what a handler records, by the rules of the module: for tests without a database. */
export function notedEffects(parentKey: string): {
  readonly effects: EffectRecorder;
  readonly noted: () => NotedEffect[];
} {
  const byKey = new Map<string, { readonly id: string; readonly json: string }>();
  const effects: EffectRecorder = {
    async record(id, data, { key } = {}) {
      const effectKey = keyOfEffect(parentKey, id, key);
      const json = effectJson(data);
      const before = byKey.get(effectKey);
      if (before !== undefined && before.json !== json) throw recordedOtherwise(id);
      byKey.set(effectKey, { id, json });
    },
  };
  const noted = () =>
    [...byKey].map(([effectKey, { id, json }]) => ({ id, data: JSON.parse(json), effectKey }));
  return { effects, noted };
}
