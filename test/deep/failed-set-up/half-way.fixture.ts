import { PaymentsModule } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from '../../hosts/host.js';

@Injectable()
class Closed implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    process.stdout.write('the application is closed\n');
  }
}

let sandbox: Sandbox;
let late: Host;
let host: Host;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  const imports = [
    ScheduleModule.forRoot(),
    typeOrm(process.env['FIXTURE_DATABASE'] ?? ''),
    PaymentsModule.forRoot(paymentsOptions(sandbox)),
  ];
  host = await startHost({ imports, providers: [Closed] });
  late = await Promise.reject(new Error('the set-up failed half-way'));
});
afterAll(async () => {
  await late.close();
  await host.close();
  await sandbox.close();
});

it('is never reached', () => undefined);
