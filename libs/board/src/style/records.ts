/** Lists and one payment, as far as the board alone has them, and the second step of what is done. */
export const records = `
.pill { padding: 0.1rem 0.6rem 0.1rem 0.5rem; min-height: 1.5rem; font-size: var(--t-s); font-weight: 600; color: var(--tone);
  background: var(--tint); border: 1px solid transparent; border-radius: 1rem; }
.test { padding: 0.1rem 0.5rem; font-size: var(--t-xs); font-weight: 600; color: var(--warn); white-space: nowrap;
  border: 1px dashed currentColor; border-radius: var(--radius-s); }
.id.cut { max-width: 9ch; }
.err { font-family: var(--mono); font-size: var(--t-s); color: var(--ink-2); overflow-wrap: anywhere; }
.empty.blank { padding: var(--s6) var(--s4); display: grid; gap: var(--s3); justify-items: center; text-align: center; }
.empty h2 { color: var(--ink); }
/* Where a link leads out of the board. */
.hero a .shape { margin-left: 0.3em; }
/* What is pressed keeps its distance from what it is about. */
:is(td, th) > :is(form, .acts) { margin-top: var(--s2); }
.body > * + form, form.body > * + * { margin-top: var(--s3); }
textarea { min-height: 4.5rem; padding-block: 0.4rem; resize: vertical; }
progress { display: block; width: 100%; margin-bottom: var(--s3); accent-color: var(--good); }

caption:not(.vh) { padding: var(--s3) var(--s4) var(--s2); }
.plain thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.plain tbody th { width: 48%; overflow-wrap: anywhere; }
.plain .num { width: 1%; }
.plain tbody tr:first-child > * { border: 0; padding-top: 0; }
.group > section + section { border-top: 1px solid var(--line); }
.rule { border-top: 1px solid var(--line); margin-top: var(--s4); padding-top: var(--s4); }
/* Beside a button, too, a finger hits it. */
.cards th > a { display: inline-block; max-width: 100%; min-height: 1.5rem; }

.step { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: var(--s4); align-items: start; }
.step .panel > .body > * + * { margin-top: var(--s4); }
.sums :is(th, td) { padding-inline: 0.4rem; }
.sums :is(th, td):first-child { padding-left: 0; }
.sums :is(th, td):last-child { padding-right: 0; }
.effects { counter-reset: n; display: grid; gap: var(--s2); }
.effects li { counter-increment: n; display: grid; grid-template-columns: 1.5rem minmax(0, 1fr); }
.effects li::before { content: counter(n) "."; color: var(--ink-3); }
.pieces { display: grid; gap: var(--s3); min-width: 0; margin: 0; padding: 0; border: 0; }
.pieces legend { padding: 0; font-weight: 600; }
.bottom { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: center; }

@media (min-width: 45.01rem) {
  .w3, .w6 { grid-column: span 6; }
}
@media (min-width: 75rem) {
  .w3 { grid-column: span 3; }
  .list .nw-wide { white-space: nowrap; }
}
@media (max-width: 74.99rem) {
  .cols > .w-full { grid-column: span 12; }
}
@media (max-width: 59.99rem) {
  .step { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 45rem) {
  /* the page's actions stay within the thumb's reach */
  .bottom { position: fixed; inset: auto 0 0; z-index: 4; flex-wrap: nowrap; padding: var(--s2) var(--s4) calc(var(--s2) + env(safe-area-inset-bottom));
    background: var(--surface); border-top: 1px solid var(--line); }
  .bottom > * { flex: 1; }
  .bottom .btn { width: 100%; }
}
@media print { .bottom { display: none; } }
`;
