import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AbstractHttpAdapter } from '@nestjs/core';

export type AdapterName = 'express' | 'fastify';

export function adapterOf(name: AdapterName): AbstractHttpAdapter {
  return name === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
}
