import type { ComponentChildren, JSX } from 'preact';
import { shapePaths, type ShapeName, type Tone } from '../../../style/src/index.js';

export type { ShapeName, Tone };

/** Once in a page, before all that shows one of them. */
export function Sprite(): JSX.Element {
  return (
    <svg class="sprite" aria-hidden="true" focusable="false">
      {Object.entries(shapePaths).map(([name, path]) => (
        <symbol id={`s-${name}`} viewBox="0 0 12 12">
          <path d={path} />
        </symbol>
      ))}
      <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="6" height="6" />
        <line class="hatch-line" y2="6" />
      </pattern>
    </svg>
  );
}

export function Shape({ name }: { readonly name: ShapeName }): JSX.Element {
  return (
    <svg class="shape" aria-hidden="true">
      <use href={`#s-${name}`} />
    </svg>
  );
}

interface StatusProps {
  readonly shape: ShapeName;
  readonly tone: Tone;
  readonly pill?: boolean;
  readonly children: ComponentChildren;
}

export function Status({ shape, tone, pill = false, children }: StatusProps): JSX.Element {
  return (
    <span class={`status${pill ? ' pill' : ''} is-${tone}`}>
      <Shape name={shape} />
      {children}
    </span>
  );
}
