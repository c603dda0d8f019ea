import { HandlerRegistry } from '../../../handlers/handler.registry.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { startLines } from '../../../options/start-lines.js';
import { well, type Check } from '../check.js';

/** That the application can be made is known by now: a wrong option would have kept it from being made. */
export const configuration: Check = {
  name: 'configuration',
  needs: [],
  look: async (app) => {
    const options = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    const [line] = startLines(options, app.get(HandlerRegistry).ids.length);
    return well(line);
  },
};
