/** The top line's search and menu, tabs, filters and the way to the next page. */
export const search = `
.find { flex: 1 1 16rem; max-width: 26rem; }
.menu { position: relative; font-size: var(--t-s); }
.menu > summary { display: flex; align-items: center; min-height: var(--control); color: var(--ink); font-weight: 500; }
.menu > summary::before { order: 1; margin: 0.15rem 0 0 0.5em; transform: rotate(90deg); color: var(--ink-3); }
.menu > div { position: absolute; inset: calc(100% + var(--s1)) 0 auto auto; z-index: 5; width: 16rem; padding: var(--s4);
  display: grid; gap: var(--s2); background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius); }

.tabs { display: flex; gap: var(--s1); overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: thin; }
.tabs a { display: inline-flex; align-items: center; gap: 0.45em; min-height: 2.5rem; padding: 0 var(--s3); color: var(--ink-2); text-decoration: none;
  white-space: nowrap; border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--ink); border-color: var(--line-strong); }
.tabs [aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.tabs a:focus-visible { outline-offset: -3px; }
.tabs .count { font-weight: 500; }
.switch { display: flex; flex-wrap: wrap; margin-right: -0.6rem; font-size: var(--t-s); }
.switch a { display: inline-flex; align-items: center; min-height: 1.75rem; padding: 0 0.6rem; color: var(--ink-2); text-decoration: none; border-radius: var(--radius-s); }
.switch a:hover { background: var(--sunk); }
.switch [aria-current] { background: var(--calm-tint); color: var(--ink); font-weight: 600; }
.filters { display: grid; grid-template-columns: minmax(14rem, 2fr) repeat(3, minmax(8rem, 1fr)) auto; gap: var(--s3); align-items: end; }
.pager { display: flex; justify-content: space-between; align-items: center; gap: var(--s3); padding: var(--s3) var(--s4); border-top: 1px solid var(--line); color: var(--ink-3); font-size: var(--t-s); }

@media (max-width: 74.99rem) {
  .filters { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .filters > :first-child { grid-column: span 4; }
}
@media (max-width: 59.99rem) {
  .find { order: 1; flex-basis: 100%; max-width: none; }
}
@media (max-width: 45rem) {
  .top .menu { order: -1; margin-left: 0; }
  .top:has(+ main .filters) .find { display: none; }
  .filters { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .filters > :first-child { grid-column: span 2; }
  .pager .acts { flex-wrap: nowrap; }
}
@media (forced-colors: active) {
  .tabs [aria-current], .switch [aria-current] { outline: 2px solid; outline-offset: -2px; }
}
@media print { .filters { display: none; } }
`;
