import type { Provider } from '@nestjs/common';
import { CommitMark } from './commit-mark.js';
<<<<<<< HEAD
import { CreateGate } from './create-gate.js';
=======
>>>>>>> noticing
import { RecoveryWindows } from './recovery-windows.js';
import { RollbackWatch } from './rollback-watch.js';
import { ShownIdentity } from './shown-identity.js';

export const rollbackProviders: readonly Provider[] = [
  CommitMark,
<<<<<<< HEAD
  CreateGate,
=======
>>>>>>> noticing
  RecoveryWindows,
  RollbackWatch,
  ShownIdentity,
];
