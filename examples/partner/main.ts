/** `npm run example:partner`, or `npm start` in a copy of examples: a platform whose owners connect their stores at the service, and are paid there. */
import { CleanUp } from '../shared/clean-up.js';
import { explainListenError } from '../shared/config/port.js';
import { openPostgres } from '../shared/database/postgres.js';
import { openThrowAwayDatabase } from '../shared/database/throw-away-database.js';
import { sandboxOwners, startDemoSandbox } from './config/demo-sandbox.js';
import {
  placeFromEnvironment,
  platformOptions,
  serviceFromEnvironment,
} from './config/options-from-environment.js';
import { loadPlatformEnvironment, type PlatformEnvironment } from './config/platform-environment.js';
import { ownSignIn } from './owners/owner-sign-in.js';
import { owners } from './owners/owners.js';
import { startPlatform } from './start-platform.js';

async function startWithService(environment: PlatformEnvironment, cleanUp: CleanUp): Promise<void> {
  const service = serviceFromEnvironment(environment, ownSignIn);
  const postgres = await openPostgres();
  cleanUp.add(() => postgres.close());
  const place = { ...(await placeFromEnvironment(environment)), databaseUrl: postgres.url };
  const platform = await startPlatform(platformOptions(environment, place, service));
  cleanUp.add(() => platform.close());
  console.log(`Platform: ${platform.url}  (its callback ${platform.url}/partner/callback)`);
}

/** The sandbox forgets every store and payment when it stops, so the database does too. */
async function startWithSandbox(environment: PlatformEnvironment, cleanUp: CleanUp): Promise<void> {
  const { url: databaseUrl } = await openThrowAwayDatabase('holdfast_partner', cleanUp);
  const place = { ...(await placeFromEnvironment(environment)), databaseUrl };
  const { SANDBOX_PORT: port, PAYMENTS_PROFILE: profile } = environment;
  const { sandbox, counterpart } = await startDemoSandbox({
    port,
    profile,
    platformUrl: place.publicUrl,
  }).catch((error: unknown) => {
    throw explainListenError(error, port, 'SANDBOX_PORT');
  });
  cleanUp.add(() => sandbox.close());
  const platform = await startPlatform(platformOptions(environment, place, counterpart));
  cleanUp.add(() => platform.close());

  console.log(`Platform: ${platform.url}`);
  console.log(
    `  Sign in there as ${owners.map(({ name }) => name).join(', ')}: no password. Then connect a store.`,
  );
  console.log(`Sandbox:  ${sandbox.url}/sandbox/  (in place of the payment service; no money moves)`);
  console.log('  Owners sign in there with these names, and the password `sandbox`:');
  for (const { login, stores } of sandboxOwners)
    console.log(`    ${login.padEnd(6)} owns ${stores.map(({ accountId }) => accountId).join(', ')}`);
  console.log('  Revoke a token on its page to see a store ask to be connected again.');
  console.log('Ctrl-C stops everything, and nothing is kept.');
}

async function start(cleanUp: CleanUp): Promise<void> {
  const environment = loadPlatformEnvironment();
  await (environment.usesService ? startWithService : startWithSandbox)(environment, cleanUp);
}

const cleanUp = new CleanUp();
const starting = start(cleanUp);
let stopping = false;

/** Lets a start in progress finish first: otherwise what it opens would be left behind. */
async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await starting.catch(() => undefined);
  const failures = await cleanUp.run();
  for (const failure of failures) console.error(failure);
  process.exit(failures.length > 0 ? 1 : exitCode);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));

starting.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return stop(1);
});
