import { css } from 'lit'

/** Colours and measures. A page sets the `--sc-…` of its choice; it applies in light and dark alike. */
const theme = css`
  :host {
    --accent: var(--sc-accent, light-dark(#2b50c8, #93adff));
    --background: var(--sc-background, light-dark(#fff, #15171c));
    --surface: var(--sc-surface, light-dark(#f4f5f8, #20232b));
    --text: var(--sc-text, light-dark(#151922, #f2f4f8));
    --muted: var(--sc-muted, light-dark(#59616f, #a7adba));
    --border: var(--sc-border, light-dark(#dde1e8, #363b46));
    --success: var(--sc-success, light-dark(#0a7548, #57cc96));
    --warning: var(--sc-warning, light-dark(#85560a, #f2b950));
    --danger: var(--sc-danger, light-dark(#b3261e, #ff958a));
    --line: 1px solid var(--border);
    color-scheme: light dark;
    display: block;
    max-width: var(--sc-max-width, 26rem);
    font: 400 15px/1.45 var(--sc-font, system-ui, sans-serif);
    color: var(--text);
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([hidden]) {
    display: none;
  }
`

const layout = css`
  * {
    box-sizing: border-box;
    margin: 0;
  }
  .card,
  .skeleton,
  .middle {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .card {
    position: relative;
    min-height: 30rem;
    padding: 20px;
    border: var(--line);
    border-radius: var(--sc-radius, 16px);
    background: var(--background);
    box-shadow: var(--sc-shadow, 0 12px 32px -14px #10182840);
    overflow-wrap: break-word;
  }
  .row,
  .box,
  .note,
  .badge,
  button {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 6px;
  }
  .middle {
    flex: 1;
    align-items: center;
    justify-content: center;
    text-align: center;
  }
  .top,
  .status {
    min-height: 30px;
    font-weight: 600;
  }
  .label,
  .note,
  .badge,
  code {
    font-size: 13px;
    color: var(--muted);
  }
  .badge {
    display: inline-flex;
    padding: 2px 8px;
    border: var(--line);
    border-radius: 99px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .amount {
    font-size: 28px;
    font-weight: 650;
    line-height: 1.2;
  }
  small {
    font-size: 16px;
    color: var(--muted);
  }
  .panel,
  .box,
  button,
  .choice,
  label span {
    border: var(--line);
    border-radius: calc(var(--sc-radius, 16px) * 0.65);
  }
  .panel {
    padding: 14px;
    background: var(--surface);
  }
  p.panel {
    width: 100%;
    font-size: 14px;
  }
  .box {
    flex-wrap: wrap;
    padding: 8px;
    background: var(--background);
  }
  code {
    flex: 9 1 11rem;
    padding-inline: 4px;
    overflow-wrap: anywhere;
    font-family: var(--sc-font-mono, ui-monospace, Menlo, Consolas, monospace);
    user-select: all;
  }
  .box code {
    font-size: 14px;
  }
  code span {
    margin-inline-end: 0.45em;
    white-space: nowrap;
  }
  b,
  .now {
    font-weight: 700;
    color: var(--text);
  }
  .status {
    padding-top: 14px;
    border-top: var(--line);
  }
  .title {
    font-size: 21px;
    font-weight: 650;
    outline: 0;
  }
  .seal {
    padding: 14px;
    border: 2px solid;
    border-radius: 50%;
    color: var(--muted);
  }
  .seal svg {
    display: block;
    width: 34px;
  }
  progress {
    width: 100%;
    accent-color: var(--success);
  }
`

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
  a {
    align-self: center;
    padding: 12px;
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
  .main {
    flex: none;
    background: var(--accent);
    color: var(--sc-on-accent, light-dark(#fff, #0c1226));
  }
  .quiet {
    background: none;
    color: var(--accent);
  }
  .choice {
    display: flex;
    padding: 3px;
  }
  label {
    position: relative;
  }
  input {
    position: absolute;
    inset: 0;
    opacity: 0;
    pointer-events: none;
  }
  label span {
    display: block;
    padding: 11px;
    border-color: #0000;
    color: var(--muted);
  }
  :checked + span {
    border-color: var(--accent);
    background: var(--background);
    color: var(--text);
  }
  :focus-visible,
  :focus-visible + span {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
`

const progress = css`
  ol {
    display: flex;
    margin: auto -12px 0;
    padding: 8px 0 0;
    list-style: none;
    font-size: 12px;
    text-align: center;
    color: var(--muted);
  }
  li {
    position: relative;
    flex: 1;
    min-height: 58px;
  }
  li + li::before {
    content: '';
    position: absolute;
    inset-block-start: 8px;
    inset-inline: calc(13px - 50%) calc(50% + 13px);
    border-top: 2px solid var(--border);
  }
  .mark {
    display: block;
    width: 18px;
    height: 18px;
    margin: 0 auto 5px;
    border: 2px solid var(--border);
    border-radius: 50%;
  }
  .mark svg {
    display: block;
    width: 14px;
    stroke-width: 4;
  }
  .done .mark,
  .seal.check {
    border-color: var(--success);
    background: var(--success);
    color: var(--background);
  }
  .now .mark {
    border: 5px solid var(--success);
  }
  .good {
    color: var(--success);
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
    .skeleton,
    .now .mark {
      animation: pulse 2s infinite;
    }
    @keyframes pulse {
      50% {
        opacity: 0.7;
      }
    }
  }
`

export const styles = [theme, layout, controls, progress]
