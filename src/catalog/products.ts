import type { HoldPolicy, ReceiptItem } from '@holdfast/payments';

export interface Product {
  slug: string;
  name: string;
  tagline: string;
  description: string;
  size: string;
  priceMinor: number;
  /** The VAT rate's code on receipts: 11 is 22 %. */
  vatCode: ReceiptItem['vatCode'];
  /**
   * `stock` is shipped and charged at once, `in_advance` charged at once and handed over later; the others are charged on the day
   * they ship, the amount held until then.
   */
  sale: 'stock' | 'in_advance' | 'pre_order' | 'made_to_order';
  illustration: {
    backdrop: string;
    shape: 'tin' | 'pouch' | 'teapot' | 'cup';
    body: string;
    label: string;
    motif: Motif;
  };
}

export type Motif = 'smoke' | 'blossom' | 'leaf' | 'pearls' | 'mountain' | 'none';

export const products: readonly Product[] = [
  {
    slug: 'smoky-lapsang',
    name: 'Smoky Lapsang',
    tagline: 'Pine-fire black tea',
    description:
      'Whole leaves dried over pine embers, the way it has been done in the Wuyi hills for four centuries. Dark ' +
      'honey, resin and a long quiet finish. Brew at 95 °C for three minutes.',
    size: '80 g tin',
    priceMinor: 89_000,
    vatCode: 11,
    sale: 'stock',
    illustration: { backdrop: '#e9ddcf', shape: 'tin', body: '#3b3a3a', label: '#d9b382', motif: 'smoke' },
  },
  {
    slug: 'milk-oolong',
    name: 'Milk Oolong',
    tagline: 'Soft, creamy, lightly rolled',
    description:
      'Jin Xuan from the high gardens of Alishan: naturally creamy, with orchid and warm butter. Good for six short ' +
      'steepings, the third being the best of them.',
    size: '100 g tin',
    priceMinor: 123_450,
    vatCode: 11,
    sale: 'stock',
    illustration: { backdrop: '#dfe7dd', shape: 'tin', body: '#4f7a6a', label: '#f4ecd8', motif: 'blossom' },
  },
  {
    slug: 'fireweed',
    name: 'Fireweed',
    tagline: 'Ivan-chai, no caffeine',
    description:
      'Hand-picked willow-herb from the meadows near Vologda, slowly fermented. Plum, meadow honey and a little ' +
      'smoke. An evening cup that lets you sleep.',
    size: '60 g pouch',
    priceMinor: 54_000,
    vatCode: 11,
    sale: 'stock',
    illustration: { backdrop: '#ecdfe6', shape: 'pouch', body: '#b98aa5', label: '#fbf4f0', motif: 'leaf' },
  },
  {
    slug: 'gunpowder-green',
    name: 'Gunpowder Green',
    tagline: 'Rolled pearls, bright cup',
    description:
      'Tight grey-green pearls that open in the pot. Brisk and clean, and the only right start for mint tea. Keep the ' +
      'water at 75 °C.',
    size: '100 g pouch',
    priceMinor: 62_000,
    vatCode: 11,
    sale: 'stock',
    illustration: { backdrop: '#e3e6d3', shape: 'pouch', body: '#7d8f4e', label: '#f6f2df', motif: 'pearls' },
  },
  {
    slug: 'first-flush-darjeeling',
    name: 'First Flush Darjeeling',
    tagline: 'Spring harvest, forty tins',
    description:
      'The first leaves of spring from a single garden at 2,000 metres, flown in within days of picking. We have ' +
      'forty tins coming. Reserve one now: your bank holds the amount, and we charge it only when we ship.',
    size: '50 g tin',
    priceMinor: 248_000,
    vatCode: 11,
    sale: 'pre_order',
    illustration: { backdrop: '#dbe4ea', shape: 'tin', body: '#c2813f', label: '#fdf3dd', motif: 'mountain' },
  },
  {
    slug: 'stoneware-teapot',
    name: 'Stoneware Teapot',
    tagline: 'Thrown by hand for you',
    description:
      'Half a litre of speckled stoneware, thrown and glazed for you in our neighbour’s workshop. It takes about five ' +
      'days. Your bank holds the amount, and we charge it only when the pot is out of the kiln and on its way.',
    size: '0.5 l',
    priceMinor: 690_000,
    vatCode: 11,
    sale: 'made_to_order',
    illustration: { backdrop: '#e8e2d8', shape: 'teapot', body: '#6f8791', label: '#e9ded0', motif: 'none' },
  },
  {
    slug: 'stoneware-cup',
    name: 'Stoneware Cup',
    tagline: 'From the next kiln, paid in advance',
    description:
      'The cup to go with the pot, glazed in the same workshop. The kiln is opened once a month: you pay today, and we ' +
      'hand your cups over in the shop as soon as they have cooled down.',
    size: '0.2 l',
    priceMinor: 145_000,
    vatCode: 11,
    sale: 'in_advance',
    illustration: { backdrop: '#e6ddd6', shape: 'cup', body: '#8f6f5e', label: '#efe3d3', motif: 'none' },
  },
];

export function findProduct(slug: string): Product | null {
  return products.find((product) => product.slug === slug) ?? null;
}

/**
 * What happens to a hold that nears its end with nothing shipped: for a harvest that did not arrive it is released; for a pot
 * that is still in the kiln the staff decide. Nobody is charged before the goods are shipped.
 */
export function holdPolicyOf(product: Product | null): HoldPolicy {
  return product?.sale === 'pre_order' ? 'cancel' : 'flag';
}

/** One-stage sales are charged when the buyer pays. */
export function isChargedAtOnce(product: Pick<Product, 'sale'>): boolean {
  return product.sale === 'stock' || product.sale === 'in_advance';
}
