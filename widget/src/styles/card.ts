import { css } from 'lit'

/** Colours and sizes. A page's `--sc-…` values apply in light and dark. */
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

/** A logo is higher than its line, which must not grow: the skeleton has no logo. */
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
    overflow-wrap: anywhere;
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
  /* What does not fit beside an unbroken amount goes below it. */
  .row:has(> div) {
    flex-wrap: wrap;
  }
  .row > div {
    flex: 1;
    max-width: 100%;
  }
  .note {
    justify-content: start;
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
    color: var(--muted);
    font-size: 13px;
  }
  .badge {
    display: inline-flex;
    padding: 2px 8px;
    border: var(--line);
    border-radius: 99px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .test {
    margin: -20px -20px 0;
    padding: 6px 20px;
    border-radius: var(--sc-radius, 16px) var(--sc-radius, 16px) 0 0;
    background: #ffd54a;
    font-size: 14px;
    font-weight: 700;
    text-align: center;
    color: #2a1f00;
  }
  .amount {
    overflow-wrap: break-word;
    font-size: 28px;
    font-weight: 700;
    line-height: 1.2;
  }
  .logo {
    position: relative;
    display: inline-block;
    margin-block: -4px;
    margin-inline-end: 10px;
    vertical-align: middle;
  }
  .logo img {
    display: block;
    width: 20px;
    height: 20px;
    border-radius: 50%;
  }
  .logo img + img {
    position: absolute;
    inset-block-end: -3px;
    inset-inline-end: -5px;
    width: 12px;
    height: 12px;
    border: 1px solid var(--background);
    background: var(--background);
  }
  .logo img[hidden] {
    display: none;
  }
  small {
    font-size: 16px;
    color: var(--muted);
  }
  .panel,
  .box,
  button {
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
    font-size: 14px;
    padding-inline: 4px;
    overflow-wrap: anywhere;
    font-family: var(--sc-font-mono, ui-monospace, Menlo, Consolas, monospace);
    user-select: all;
  }
  code span {
    margin-inline-end: 0.45em;
    white-space: nowrap;
  }
  b {
    font-weight: 700;
    color: var(--text);
  }
  .status {
    padding-top: 14px;
    border-top: var(--line);
  }
  .title {
    font-size: 21px;
    font-weight: 700;
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
`

export const cardStyles = css`${theme}${layout}`
