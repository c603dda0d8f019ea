/** Colours of the light and the dark theme, space, type: what all pages are drawn in. A theme is the `color-scheme` of the root alone. */
export const tokens = `
:root {
  color-scheme: light dark;

  /* ground and ink */
  --paper: light-dark(#f5f6f8, #0e1116);
  --surface: light-dark(#ffffff, #161a20);
  --sunk: light-dark(#eff1f5, #1e232b);
  --line: light-dark(#e2e6eb, #2a303a);
  --line-strong: light-dark(#828c9b, #727d8d);
  --ink: light-dark(#161a21, #e9ecf1);
  --ink-2: light-dark(#454e5c, #bcc4cf);
  --ink-3: light-dark(#5d6776, #98a2b1);
  --accent: light-dark(#1d58cf, #8fb3ff);
  --accent-solid: light-dark(#1d58cf, #2f67dc);
  --accent-ink: #ffffff;

  /* states: a tone for shape and word, a tint for what lies under them. Each has a shape of its own */
  --good: light-dark(#17703f, #6fd39b);
  --good-tint: light-dark(#e5f4eb, #12301f);
  --wait: light-dark(#2456b8, #94b6ff);
  --wait-tint: light-dark(#e8effc, #182846);
  --warn: light-dark(#8a5300, #f0be62);
  --warn-tint: light-dark(#fdf2da, #2b220f);
  --bad: light-dark(#b4231a, #ff857b);
  --bad-tint: light-dark(#fdebe9, #301817);
  --calm: light-dark(#5d6776, #a4aebb);
  --calm-tint: light-dark(#eceff3, #232932);

  /* money that is left */
  --left: light-dark(#2c9a61, #3fae76);

  /* space: 4 px steps */
  --s1: 0.25rem;
  --s2: 0.5rem;
  --s3: 0.75rem;
  --s4: 1rem;
  --s5: 1.5rem;
  --s6: 2rem;

  /* type */
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --t-xs: 0.75rem;
  --t-s: 0.8125rem;
  --t-m: 0.875rem;
  --t-l: 1rem;
  --t-xl: 1.375rem;
  --t-2xl: 2rem;

  --radius: 0.625rem;
  --radius-s: 0.375rem;
  --control: 2rem;
}

/* touch: larger controls, and 16 px in fields so that phones do not zoom */
@media (pointer: coarse), (max-width: 45rem) {
  :root { --control: 2.75rem; --field: 1rem; }
}
`;
