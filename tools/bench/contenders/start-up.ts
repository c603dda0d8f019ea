/** A Nest app with TypeORM, empty or with Holdfast in it; reports how long it took from the start of its process. */
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

export type StartUp = Awaited<ReturnType<typeof open>>;

@Module({})
class AppModule {}

export async function open(settings: { databaseUrl: string; serviceUrl: string; withHoldfast: boolean }) {
  const { databaseUrl, serviceUrl, withHoldfast } = settings;
  const imports: DynamicModule[] = [
    TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, autoLoadEntities: true }),
  ];
  if (withHoldfast) {
    const { holdfastImports } = await import('./holdfast-imports.js');
    imports.push(...holdfastImports(serviceUrl));
  }
  const app = await NestFactory.create({ module: AppModule, imports }, { logger: ['fatal'] });
  await app.listen(0, '127.0.0.1');
  const ms = performance.now();
  return { startedInMs: () => ms };
}
