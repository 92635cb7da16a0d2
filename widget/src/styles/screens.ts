import { css } from 'lit'

/** Styles for the screens after the first, added to the card's styles. */
export const screenStyles = css`
  a {
    align-self: center;
    padding: 12px;
  }
  .choice,
  .choice span {
    border: var(--line);
    border-radius: calc(var(--sc-radius, 16px) * 0.65);
  }
  .choice {
    display: flex;
    width: fit-content;
    margin: auto;
    padding: 3px;
  }
  .choice label {
    position: relative;
  }
  [type='radio'] {
    position: absolute;
    inset: 0;
    opacity: 0;
    pointer-events: none;
  }
  .choice span {
    display: block;
    overflow-wrap: break-word;
    height: 100%;
    padding: 11px 9px;
    border-color: #0000;
    font-size: 14px;
    line-height: 20px;
    color: var(--muted);
  }
  :checked + span {
    border-color: var(--accent);
    background: var(--background);
    font-weight: 600;
    color: var(--text);
  }
  :focus-visible + span {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .form {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  ol {
    display: flex;
    margin: auto -12px 0;
    padding: 8px 0 0;
    list-style: none;
    font-size: 12px;
    text-align: center;
    color: var(--muted);
  }
  ol li {
    position: relative;
    flex: 1;
    min-height: 58px;
    padding: 0 2px;
    overflow-wrap: normal;
  }
  ol li + li::before,
  ol li:has(+ li)::after {
    content: '';
    position: absolute;
    inset-block-start: 8px;
    border-top: 2px solid var(--border);
  }
  ol li + li::before {
    inset-inline: 0 calc(50% + 13px);
  }
  ol li:has(+ li)::after {
    inset-inline: calc(50% + 13px) 0;
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
  .below ol {
    margin-bottom: 8px;
  }
  .done .mark {
    border-color: var(--success);
    background: var(--success);
    color: var(--background);
  }
  .now {
    font-weight: 700;
    color: var(--text);
  }
  .now .mark {
    border: 5px solid var(--success);
  }
  @media (prefers-reduced-motion: no-preference) {
    .now .mark {
      animation: pulse 2s infinite;
    }
  }
  .quiet {
    background: none;
    color: var(--accent);
  }
  .seal.check {
    border-color: var(--success);
    background: var(--success);
    color: var(--background);
  }
  .good {
    color: var(--success);
  }
  .panel > .label {
    margin-top: 8px;
  }
  progress {
    width: 100%;
    accent-color: var(--success);
  }
  .test {
    background: repeating-linear-gradient(-45deg, #ffd54a 0 14px, #ffe27d 14px 28px);
  }
  .more {
    min-height: 44px;
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 12px;
  }
  .more button {
    flex: 0 1 auto;
    padding: 0 6px;
    border-color: #0000;
    background: none;
    font-size: 14px;
  }
  .options {
    display: flex;
    flex-direction: column;
    gap: 8px;
    padding: 0;
    list-style: none;
  }
  .options button {
    flex-direction: column;
    align-items: flex-start;
    gap: 0;
    width: 100%;
    padding: 8px 14px;
    text-align: start;
  }
  .options button:has(.logo) {
    display: grid;
    grid-template-columns: auto 1fr;
    justify-content: start;
    column-gap: 4px;
  }
  .options .logo {
    grid-row: span 2;
    scale: 1.4;
    margin-block: 6px 0;
    margin-inline: 4px 14px;
  }
  .sandbox {
    border: 2px dashed var(--warning);
  }
  .sum button {
    flex: none;
    padding-inline: 16px;
  }
  .form > button {
    flex: none;
  }
  .options .lead {
    color: var(--text);
  }
  .options .label {
    font-weight: 400;
  }
  .lead {
    font-weight: 600;
  }
  .field {
    display: flex;
    flex-direction: column;
    gap: 4px;
    font-size: 14px;
    font-weight: 600;
  }
  input[type='text'],
  select {
    width: 100%;
    min-height: 44px;
    padding: 8px 12px;
    border: var(--line);
    border-color: var(--muted);
    border-radius: calc(var(--sc-radius, 16px) * 0.65);
    background: var(--background);
    font: inherit;
    font-weight: 400;
    color: var(--text);
  }
  .field [dir='ltr'] {
    font-family: var(--sc-font-mono, ui-monospace, Menlo, Consolas, monospace);
  }
  .problem {
    display: flex;
    gap: 6px;
    font-size: 14px;
    color: var(--danger);
  }
  .address {
    flex: none;
    padding: 0;
    font-size: 14px;
  }
  .refund {
    justify-content: flex-start;
    color: inherit;
  }
  .refund.check svg {
    color: var(--success);
  }
  .receipt {
    display: flex;
    flex-direction: column;
    gap: 4px;
    padding-block: 8px;
    font-size: 14px;
  }
  .receipt div {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
  }
  .receipt div + div {
    border-top: var(--line);
    padding-top: 4px;
  }
  dt {
    flex: 1 0 auto;
    color: var(--muted);
  }
  dd {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    min-width: 0;
    margin-inline-start: auto;
  }
  /* The button moves below before the beginning of the code is cut away. */
  dd code {
    display: flex;
    flex: 1 1 7rem;
    min-width: 0;
    padding: 0;
    overflow-wrap: normal;
  }
  .cut {
    display: block;
    width: 5rem;
    margin: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  dd button {
    flex: none;
    padding-inline: 12px;
  }
  /* A shop may set any accent: text in it stays readable on the card, and text on it is black or white, whichever
     contrasts more (WCAG's luminance at which both are equal is 0.18). */
  @supports (color: color(from red xyz x y z)) {
    :host {
      --ink: light-dark(oklch(from var(--accent) min(l, 0.53) c h), oklch(from var(--accent) max(l, 0.75) c h));
    }
    button,
    a,
    .quiet {
      color: var(--ink);
    }
    .main:not(.quiet) {
      color: var(
        --sc-on-accent,
        color(
          from var(--accent) xyz clamp(0, (0.18 / y - 1) * 9999, 1) clamp(0, (0.18 / y - 1) * 9999, 1)
            clamp(0, (0.18 / y - 1) * 9999, 1)
        )
      );
    }
  }
`
