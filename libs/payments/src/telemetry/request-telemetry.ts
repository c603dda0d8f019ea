import type { FailureInfo, RequestHooks } from '../api/hooks.js';
import type { LabelsOf } from './instruments.js';
import type { Telemetry } from './telemetry.js';

type Outcome = LabelsOf<'holdfast.requests'>['outcome'];

/** The host's hooks, and beside them what is counted and traced of each request. */
export function observedRequests(telemetry: Telemetry, hooks: RequestHooks): RequestHooks {
  return {
    onRequest: (info) => hooks.onRequest?.(info),
    onAnswer: (info) => {
      const { operation, durationMs } = info;
      telemetry.requested(info);
      telemetry.count('holdfast.requests', { operation, outcome: 'answered' });
      telemetry.time('holdfast.request.duration.seconds', durationMs, { operation });
      return hooks.onAnswer?.(info);
    },
    onFailure: (info) => {
      const { operation, durationMs } = info;
      const outcome = outcomeOf(info);
      telemetry.requested(info);
      telemetry.count('holdfast.requests', { operation, outcome });
      if (outcome !== 'not_sent')
        telemetry.time('holdfast.request.duration.seconds', durationMs, { operation });
      return hooks.onFailure?.(info);
    },
  };
}

function outcomeOf({ code, outcome }: FailureInfo): Outcome {
  return code === 'service_circuit_open' ? 'not_sent' : outcome;
}
