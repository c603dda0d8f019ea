import { Controller, Get, Header, NotFoundException, Param, UseGuards } from '@nestjs/common';

import { Page } from '../../examples/shared/pages/page.decorator.js';
import { styles } from '../../examples/shared/pages/styles.css.js';
import { waitingScript } from '../../examples/shared/pages/waiting.js';
import { PlainInputGuard } from '../../examples/shared/web/plain-input.js';
import { productListPage, productPage } from '../pages/catalog-pages.js';
import { findProduct, products, type Product } from './products.js';

@Controller()
@UseGuards(PlainInputGuard)
export class CatalogController {
  @Get()
  @Page()
  list(): string {
    return productListPage(products);
  }

  @Get('products/:slug')
  @Page()
  show(@Param('slug') slug: string): string {
    return productPage(getProduct(slug));
  }

  @Get('styles.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  styles(): string {
    return styles;
  }

  @Get('waiting.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  waitingScript(): string {
    return waitingScript;
  }
}

/** @throws NotFoundException */
export function getProduct(slug: string): Product {
  const product = findProduct(slug);
  if (product === null) throw new NotFoundException();
  return product;
}
