import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export type AdapterName = 'express' | 'fastify';

export function adapterOf(name: AdapterName): AbstractHttpAdapter {
  return name === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
}
