import { InvalidArgumentError } from 'commander';
import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { actorFlag } from '../flags.js';
import { showIncidents } from '../show-incidents.js';

export const addIncidents: AddCommand = (program, perform) => {
  const incidents = program
    .command('incidents')
    .summary('anomalies, overpaid orders and holds that ran out, and their end')
    .description(
      'What happened to payments and nobody has resolved: anomalies, orders that are overpaid, holds that ran out; the oldest first, at most ' +
        '100. Exit code 1: there is one.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        const items = await operator.incidents();
        screen.result({ items }, () => {
          if (items.length === 0) {
            screen.line('No incident is open.');
            return;
          }
          showIncidents(screen, items);
          screen.times();
        });
        return items.length > 0 ? exitCodes.wrong : exitCodes.well;
      });
    });
  addResolve(incidents, perform);
};

interface ResolveFlags {
  readonly note: string;
  readonly actor: string;
}

const addResolve: AddCommand = (incidents, perform) => {
  incidents
    .command('resolve')
    .summary('ends an incident, with what was done')
    .description(
      'Records that a person has looked at an incident and what was done. The incident leaves the list, and the timeline of the payment says ' +
        'who did it and why. Exit code 1: no such incident is open.',
    )
    .argument('<incident>', 'as the list names it: 42', incidentOf)
    .requiredOption('--note <text>', 'what was done')
    .addOption(actorFlag())
    .action(async (incident: string, { note, actor }: ResolveFlags) => {
      await perform(async ({ operator }, screen) => {
        const isResolved = await operator.resolveIncident(incident, { by: actor, note });
        screen.result({ incident, isResolved }, () =>
          isResolved
            ? screen.line(`✔ Incident ${incident} is resolved.`, 'good')
            : screen.line(`✖ ${incident}: no such incident is open.`, 'bad'),
        );
        return isResolved ? exitCodes.well : exitCodes.wrong;
      });
    });
};

function incidentOf(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new InvalidArgumentError('An incident is named as in the list, such as 42.');
  return text;
}
