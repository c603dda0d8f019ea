import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import type { ShopOptions } from './shop-options.js';

/** The address at which buyers reach this shop. Never taken from a request, whose Host header anyone can forge. */
@Injectable()
export class ShopAddress {
  /** Kept, since requests are answered while the server does not listen any more. */
  #url: string | null = null;

  constructor(
    private readonly config: ConfigService<ShopOptions, true>,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** Without a trailing slash. Known once the shop listens, since port 0 takes a free port. */
  get url(): string {
    const publicUrl = this.config.get('publicUrl', { infer: true });
    this.#url ??= publicUrl?.replace(/\/+$/, '') ?? this.#listeningUrl();
    return this.#url;
  }

  #listeningUrl(): string {
    const server: ReturnType<NestExpressApplication['getHttpServer']> =
      this.adapterHost.httpAdapter.getHttpServer();
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The shop is not listening yet.');
    const host = this.config.get('host', { infer: true });
    const isEveryAddress = host === '0.0.0.0' || host === '::';
    const reachable = isEveryAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
    return `http://${reachable}:${address.port}`;
  }
}
