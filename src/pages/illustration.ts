import { html, type Html } from '../../examples/shared/pages/html.js';
import type { Motif, Product } from '../catalog/products.js';

type Drawing = Product['illustration'];

/** The product drawn in a 240 × 200 frame. Decorative: the name is beside it. */
export function illustration({ illustration: drawing }: Product): Html {
  return html`<svg class="art" viewBox="0 0 240 200" aria-hidden="true" focusable="false">
    <rect width="240" height="200" fill="${drawing.backdrop}" />
    <circle cx="120" cy="96" r="74" fill="#fff" opacity=".35" />
    <ellipse cx="120" cy="172" rx="66" ry="8" fill="#2b2320" opacity=".14" />
    ${shapes[drawing.shape](drawing)}
  </svg>`;
}

const shapes: Record<Drawing['shape'], (drawing: Drawing) => Html> = {
  tin: ({ body, label, motif }) => html`
    <path d="M78 60h84v104q0 8-8 8H86q-8 0-8-8z" fill="${body}" />
    <path d="M150 60h12v104q0 8-8 8h-8q4 0 4-8z" fill="#000" opacity=".16" />
    <path d="M84 66h6v98h-6z" fill="#fff" opacity=".18" />
    <rect x="73" y="40" width="94" height="24" rx="6" fill="${body}" />
    <rect x="73" y="40" width="94" height="24" rx="6" fill="#fff" opacity=".14" />
    <path d="M73 58h94v2q0 4-6 4H79q-6 0-6-4z" fill="#000" opacity=".18" />
    <rect x="92" y="82" width="56" height="66" rx="4" fill="${label}" />
    <rect x="96" y="86" width="48" height="58" rx="2" fill="none" stroke="${body}" stroke-opacity=".45" />
    ${motifs[motif](body)}
  `,
  pouch: ({ body, label, motif }) => html`
    <path d="M84 46h72l10 118q0 8-8 8H82q-8 0-8-8z" fill="${body}" />
    <path d="M146 46h10l10 118q0 8-8 8h-10q4-2 3-10z" fill="#000" opacity=".12" />
    <path d="M84 34h72v18H84z" fill="${body}" />
    <path d="M84 34h72v18H84z" fill="#000" opacity=".14" />
    <path d="M84 43h72" stroke="#fff" stroke-opacity=".5" stroke-dasharray="3 3" />
    <rect x="92" y="76" width="56" height="72" rx="28" fill="${label}" />
    ${motifs[motif](body)}
  `,
  teapot: ({ body, label }) => html`
    <path
      d="M160 92q40-14 38 18-2 30-44 34"
      fill="none"
      stroke="${body}"
      stroke-width="11"
      stroke-linecap="round"
    />
    <path d="M78 118q-22-4-26-30-2-12-14-16 10-8 22 0 8 8 10 20 2 8 14 8z" fill="${body}" />
    <path d="M66 112q0-38 54-38t54 38q0 58-54 58t-54-58z" fill="${body}" />
    <path
      d="M66 112q0-38 54-38t54 38l-1 12q-5 12-12 4t-12 6-14 6-14-7-14 8-14-9-14 3-12-6-11-5z"
      fill="${label}"
    />
    <path d="M92 76q4-16 28-16t28 16q-12 6-28 6t-28-6z" fill="${body}" />
    <circle cx="120" cy="54" r="8" fill="${body}" />
    ${speckles.map(([x, y]) => html`<circle cx="${x}" cy="${y}" r="1.4" fill="#2b2320" opacity=".45" />`)}
  `,
  cup: ({ body, label }) => html`
    <path
      d="M158 92q34-4 30 22-4 22-36 24"
      fill="none"
      stroke="${body}"
      stroke-width="10"
      stroke-linecap="round"
    />
    <path d="M76 78h88l-6 70q-2 24-26 24h-24q-24 0-26-24z" fill="${body}" />
    <path d="M76 78h88l-2 26q-5 12-12 4t-14 8-14 4-16-6-14 6-12-10-12-4z" fill="${label}" />
    <path d="M146 78h18l-6 70q-2 24-26 24h-8q14-4 16-24z" fill="#000" opacity=".1" />
    <ellipse cx="120" cy="78" rx="44" ry="7" fill="${body}" />
    <ellipse cx="120" cy="78" rx="38" ry="5" fill="#2b2320" opacity=".35" />
  `,
};

const speckles = [
  [92, 98],
  [108, 90],
  [128, 104],
  [146, 94],
  [156, 110],
  [100, 112],
  [120, 118],
  [84, 110],
  [138, 88],
];

const motifs: Record<Motif, (ink: string) => Html> = {
  smoke: (ink) => html`
    <g fill="none" stroke="${ink}" stroke-width="3" stroke-linecap="round">
      <path d="M110 134q-8-9 0-18t0-18" />
      <path d="M121 134q-8-9 0-18t0-18" />
      <path d="M132 134q-8-9 0-18t0-18" />
    </g>
  `,
  blossom: (ink) => html`
    <g fill="${ink}" opacity=".85">
      ${[0, 72, 144, 216, 288].map((turn) => html`<ellipse cx="120" cy="103" rx="6.5" ry="11" transform="rotate(${turn} 120 115)" />`)}
    </g>
    <circle cx="120" cy="115" r="5" fill="#e5b04c" />
  `,
  leaf: (ink) => html`
    <path d="M120 88q18 20 0 46-18-26 0-46z" fill="${ink}" />
    <path d="M120 94v48" stroke="#fff" stroke-width="2" />
    <path d="M120 110l7-6M120 118l-7-6" stroke="#fff" stroke-width="1.6" />
  `,
  pearls: (ink) => html`
    <g fill="${ink}">
      ${[
        [110, 124],
        [124, 128],
        [118, 112],
        [131, 114],
        [106, 108],
        [123, 98],
      ].map(([x, y]) => html`<circle cx="${x}" cy="${y}" r="6.5" />`)}
    </g>
  `,
  mountain: (ink) => html`
    <circle cx="133" cy="102" r="7" fill="#e5a54c" />
    <path d="M97 136l17-28 10 15 7-9 12 22z" fill="${ink}" />
    <path d="M114 108l-6 10 6-3 5 3z" fill="#fff" />
  `,
  none: () => html``,
};
