import type { Provider } from '@nestjs/common';
import { AttemptWatch } from './attempt-watch.js';
import { CreateRecorder } from './create-recorder.js';
import { HeldPayments } from './held-payments.js';
import { Recorder } from './recorder.js';

export const operationsProviders: readonly Provider[] = [
  AttemptWatch,
  CreateRecorder,
  HeldPayments,
  Recorder,
];
