import { PaymentsConfigurationError } from '../../../common/payments.errors.js';
import { HandlerRegistry } from '../../../handlers/handler.registry.js';
import { broken, well, type Check } from '../check.js';

/** As code that is pasted: a row may name a handler as no decorator would. */
const literal = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** Deliveries of a handler that no code has wait for ever. */
export const handlers: Check = {
  name: 'handlers',
  needs: ['migrations'],
  look: async (app) => {
    const registry = app.get(HandlerRegistry);
    try {
      if (registry.ids.length === 0) registry.find();
    } catch (error) {
      if (!(error instanceof PaymentsConfigurationError)) throw error;
      return broken('the module refuses them', ...error.faults);
    }
    const registered = await app.operator.handlers();
    const orphans = registered.filter(
      ({ isHere, retiredAt, waiting, failing, parked }) =>
        !isHere && retiredAt === null && [waiting, failing, parked].some(({ count }) => count > 0),
    );
    if (orphans.length > 0)
      return broken(
        `deliveries wait for ${orphans.map(({ id }) => id).join(', ')}, which the code of this application does not have`,
        'Deploy a process that has the handler; or, if none ever will, give its deliveries up: ' +
          orphans.map(({ id }) => `operator.retireHandler(${literal(id)}, { by: 'your name' })`).join(', '),
      );
    return well(`${registry.ids.length} in the code; no delivery waits for one that is gone`);
  },
};
