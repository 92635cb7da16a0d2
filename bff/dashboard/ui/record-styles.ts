import { css } from 'lit'

/** Styles of a page about one payment or refund: its amount, and two columns where there is room. */
export const recordStyles = css`
  .columns {
    display: grid;
    gap: var(--space-4);
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
  @media (min-width: 64rem) {
    .columns {
      grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    }
  }
  /* Five digits and a token fit in a line of the narrowest phone. */
  .sum {
    font-size: min(var(--text-2xl), 8.5vw);
    font-weight: 650;
    line-height: 1.2;
    letter-spacing: -0.02em;
    overflow-wrap: anywhere;
  }
  dl {
    grid-template-columns: minmax(0, 1fr);
    gap: 0;
  }
  dt {
    font-size: var(--text-s);
  }
  dd:not(:last-child) {
    margin-bottom: var(--space-3);
  }
`
