import { css } from 'lit'

/** What only these screens need, on top of the card's own styles. */
export const crossChainStyles = css`
  select {
    width: 100%;
    min-height: 44px;
    padding: 8px 12px;
    border: 1px solid var(--border);
    border-radius: 8px;
    background: var(--background);
    font: inherit;
    color: var(--text);
  }
`
