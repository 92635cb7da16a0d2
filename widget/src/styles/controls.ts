import { css } from 'lit'

const controls = css`
  svg {
    flex: none;
    width: 18px;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .qr {
    width: min(100%, 222px);
    border-radius: 8px;
    background: #fff;
    fill: #000;
    stroke: none;
    forced-color-adjust: none;
  }
  button,
  a {
    min-height: 44px;
    color: var(--accent);
  }
  button {
    justify-content: center;
    flex: 1 0 104px;
    background: var(--background);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  button:hover {
    border-color: currentColor;
  }
  .row button {
    flex-grow: 0;
  }
  /* As wide as its word, which is longer in other languages: what is beside it wraps. */
  [data-copy] {
    white-space: nowrap;
  }
  .main {
    flex: none;
    background: var(--accent);
    color: var(--sc-on-accent, light-dark(#fff, #0c1226));
  }
  .choices {
    min-height: 54px;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
`

const progress = css`
  .below {
    min-height: 118px;
    margin-top: auto;
  }
  .note svg,
  .seal.warning {
    color: var(--warning);
  }
  .last {
    color: var(--danger);
  }
  .skeleton {
    flex: 1;
    opacity: 0.4;
  }
  .skeleton * {
    border-color: #0000 !important;
    color: #0000 !important;
  }
  .skeleton :is(p, .box, button, .qr) {
    border-radius: 8px;
    background: var(--border);
  }
  .sr {
    position: absolute;
    width: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton {
      animation: pulse 2s infinite;
    }
    @keyframes pulse {
      50% {
        opacity: 0.7;
      }
    }
  }
`

export const controlStyles = css`${controls}${progress}`
