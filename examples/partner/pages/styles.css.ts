import { styles as shopStyles } from '../../shared/pages/styles.css.js';

/** The example shop's, in other colours, with what only the platform has. */
export const styles = `${shopStyles}
:root { --leaf: #2f3e6b; --leaf-dark: #222e52; --paper: #f6f6f2; --line: #dcdcd3; --soft: #66686c; --ink: #23262e; }
.top .who { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: .4rem 1.1rem; font-size: .92rem; }
.top button { padding: 0; border: 0; background: none; color: inherit; font: inherit; text-decoration: underline; cursor: pointer; }
.empty + .panel, .grid + .panel { margin-top: 2rem; }
.items { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
.tag.good { background: #dfeadd; color: #23583c; }
.tag.bad { background: #f6ded8; color: #8a2b1b; }
.tag.plain { background: #e8e8e1; color: #55575c; }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; }
.notice.bad { background: #fbeae6; border-color: #eac3b8; color: #7c2717; }
.items .panel { height: 100%; align-content: space-between; }
.brand { white-space: nowrap; }
.empty { padding: 1.25rem; border: 1px dashed var(--line); border-radius: 14px; color: var(--soft); }
@media (max-width: 34rem) {
  .rows form { width: 100%; }
}
`;
