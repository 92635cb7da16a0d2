import { css } from 'lit'
import { tableStyles } from './table-styles.ts'

/** Shared styles of the shell and all pages: native elements, cards, tables, forms. */
export const baseStyles = css`
  :host {
    display: block;
    font-size: var(--text-m);
    color: var(--color-text);
    overflow-wrap: anywhere;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  h3 {
    margin: 0;
    line-height: 1.25;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  h1 {
    font-size: var(--text-xl);
    letter-spacing: -0.01em;
  }
  h1:focus {
    outline: none;
  }
  h2 {
    font-size: var(--text-l);
  }
  h3 {
    font-size: var(--text-m);
  }
  p {
    margin: 0;
  }
  a {
    color: var(--color-accent);
    text-underline-offset: 0.15em;
  }
  :focus-visible {
    outline: 2px solid var(--color-accent);
    outline-offset: 2px;
  }
  code,
  pre {
    font-family: var(--font-code);
    font-size: var(--text-s);
    overflow-wrap: anywhere;
  }
  pre {
    margin: 0;
    padding: 0.75rem;
    overflow: auto;
    max-height: 30rem;
    background: var(--color-raised);
    border-radius: var(--radius-s);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    align-items: center;
  }
  /* Buttons stand beside the fields, not beside their labels. */
  form.row {
    align-items: end;
  }
  /* An address is read as a whole; on a phone every field has the whole line. */
  form.row > label.field:has(> input[type='url']) {
    flex: 1 1 22rem;
    max-width: 36rem;
  }
  @media (max-width: 30rem) {
    form.row > label.field:has(> input:not([type='checkbox'])) {
      flex: 1 1 100%;
    }
  }
  label.row {
    flex-wrap: nowrap;
  }
  form.row > label.row {
    min-height: 2.5rem;
  }
  .spread {
    justify-content: space-between;
  }
  /* A text with the button that copies it: the text breaks, so that the button stays beside it on a phone. */
  .copied {
    display: inline-flex;
    align-items: center;
    max-width: 100%;
  }
  .copied > :first-child {
    min-width: 0;
  }
  /* The button is higher than a line, and moves no other. */
  .copied > copy-text {
    flex: none;
    margin-block: -0.375rem;
  }
  /* What has nothing to say or to press takes no room between its neighbours. */
  .row:not(:has(> *)) {
    display: none;
  }
  [role='status']:empty {
    position: absolute;
  }
  .stack {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .grid {
    display: grid;
    gap: 1rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
  }
  .card {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    padding: var(--space-5);
    background: var(--color-surface);
    border: 1px solid var(--color-border);
    border-radius: var(--radius-m);
    box-shadow: var(--shadow-s);
  }
  .card.row {
    display: flex;
  }
  .empty {
    justify-items: center;
    padding-block: 3rem;
    text-align: center;
  }
  .empty > wa-icon {
    font-size: 2rem;
    color: var(--color-muted);
  }
  .empty > p {
    max-width: 32rem;
  }
  .quiet {
    color: var(--color-muted);
  }
  .small {
    font-size: var(--text-s);
  }
  .number {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  /* The middle of a long text (cut-text.ts): there for readers and the clipboard, drawn as three dots until the keyboard is at its link: a press must not move what it is at. */
  .cut .rest {
    font-size: 0;
  }
  .cut .head::after {
    content: '…' / '';
  }
  :focus-visible > .cut .rest {
    font-size: inherit;
  }
  :focus-visible > .cut .head::after {
    content: none;
  }
  /* A name or a sentence in a list. */
  .prose {
    display: inline-block;
    max-width: min(100%, 20rem);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    vertical-align: bottom;
  }
  :focus-visible > .prose {
    white-space: normal;
  }
  .network-label {
    display: inline-flex;
    gap: 0.375rem;
    align-items: center;
    vertical-align: bottom;
    white-space: nowrap;
  }
  .network-label img {
    flex: none;
    border-radius: 50%;
  }
  summary {
    cursor: pointer;
  }
  details > summary + .row {
    margin-top: 0.75rem;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  /* Amounts, dates, addresses and names are read each in its own direction: a date beside an amount is not mixed up with it. */
  a,
  bdi,
  code,
  dd,
  span,
  strong,
  td {
    unicode-bidi: isolate;
  }
  code,
  pre,
  input[type='url'],
  input[type='email'],
  input[spellcheck='false'] {
    direction: ltr;
  }
  pre {
    text-align: left;
  }
  ${tableStyles}
  dl {
    display: grid;
    grid-template-columns: fit-content(45%) minmax(0, 1fr);
    gap: 0.375rem 1rem;
    margin: 0;
  }
  dt {
    color: var(--color-muted);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  dd.number {
    white-space: normal;
  }
  @media (max-width: 50rem) {
    .card {
      padding: var(--space-4);
    }
  }
  @media (max-width: 30rem) {
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    dd {
      margin-bottom: 0.5rem;
    }
  }
  label.field {
    display: grid;
    gap: 0.25rem;
    font-size: var(--text-s);
    font-weight: 500;
    min-width: 0;
    max-width: 36rem;
  }
  select,
  input:not([type='checkbox'], [type='radio']),
  textarea {
    font: inherit;
    font-size: var(--text-m);
    min-height: 2.5rem;
    min-width: 0;
    max-width: 100%;
    padding: 0.375rem 0.625rem;
    color: var(--color-text);
    background: var(--color-surface);
    border: 1px solid var(--color-control);
    border-radius: var(--radius-s);
  }
  input[type='checkbox'],
  input[type='radio'] {
    flex: none;
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    accent-color: var(--color-accent);
  }
  input::file-selector-button {
    font: inherit;
    min-height: 1.75rem;
    margin-inline-end: 0.625rem;
    padding: 0 0.625rem;
    color: var(--color-text);
    background: transparent;
    border: 1px solid var(--color-control);
    border-radius: var(--radius-s);
    cursor: pointer;
  }
  wa-button {
    max-width: 100%;
  }
  wa-button::part(base) {
    height: auto;
    min-height: var(--wa-form-control-height);
    padding-block: 0.25rem;
    white-space: inherit;
  }
  wa-callout {
    overflow-wrap: anywhere;
  }
  wa-callout > .row {
    margin-top: 0.5rem;
  }
`
