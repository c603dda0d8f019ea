/** Something that a shop sells. */
export interface Item {
  slug: string;
  name: string;
  about: string;
  priceMinor: number;
}

/** A person with a shop on the platform. */
export interface Owner {
  id: string;
  name: string;
  trade: string;
  items: readonly Item[];
}

/** The demo's owners: a platform of your own has a table of them, with passwords. */
export const owners: readonly Owner[] = [
  {
    id: 'vera',
    name: 'Vera',
    trade: 'Bakery',
    items: [
      {
        slug: 'rye-loaf',
        name: 'Rye loaf',
        about: 'Two days of sourdough, one hour of oven.',
        priceMinor: 32_000,
      },
      {
        slug: 'honey-cake',
        name: 'Honey cake',
        about: 'Eight thin layers, for eight people.',
        priceMinor: 149_050,
      },
    ],
  },
  {
    id: 'oleg',
    name: 'Oleg',
    trade: 'Ceramics',
    items: [
      { slug: 'mug', name: 'Blue mug', about: 'Holds 300 ml, and warm hands.', priceMinor: 125_000 },
      { slug: 'bowl', name: 'Soup bowl', about: 'Stoneware, glazed inside only.', priceMinor: 230_000 },
    ],
  },
  {
    id: 'nina',
    name: 'Nina',
    trade: 'Wool and candles',
    items: [
      { slug: 'candle', name: 'Beeswax candle', about: 'Burns for thirty hours.', priceMinor: 64_000 },
      { slug: 'scarf', name: 'Wool scarf', about: 'Two metres, woven in one piece.', priceMinor: 390_000 },
    ],
  },
];

export function findOwner(id: string): Owner | null {
  return owners.find((owner) => owner.id === id) ?? null;
}

export function findItem(owner: Owner | null, slug: string): Item | null {
  return owner?.items.find((item) => item.slug === slug) ?? null;
}
