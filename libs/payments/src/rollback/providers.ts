import type { Provider } from '@nestjs/common';
import { CommitMark } from './commit-mark.js';
import { RecoveryGate } from './recovery-gate.js';
import { RollbackWatch } from './rollback-watch.js';
import { ShownIdentity } from './shown-identity.js';

export const rollbackProviders: readonly Provider[] = [
  CommitMark,
  RecoveryGate,
  RollbackWatch,
  ShownIdentity,
];
