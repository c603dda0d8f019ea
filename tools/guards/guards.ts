import type { Guard } from './guard.js';
import { arriving } from './lists/arriving.js';
import { forgetting } from './lists/forgetting.js';
import { keeping } from './lists/keeping.js';
import { ledger } from './lists/ledger.js';
import { queue } from './lists/queue.js';
import { recording } from './lists/recording.js';
import { recovering } from './lists/recovering.js';
import { rereads } from './lists/rereads.js';
import { sending } from './lists/sending.js';
import { telling } from './lists/telling.js';

/** All lines that are known to carry a guarantee. */
export const guards: readonly Guard[] = [
  ...ledger,
  ...queue,
  ...recording,
  ...sending,
  ...rereads,
  ...arriving,
  ...telling,
  ...keeping,
  ...forgetting,
  ...recovering,
];
