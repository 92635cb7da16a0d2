import { css } from 'lit'

/** Tables of all pages; on a phone, lists. */
export const tableStyles = css`
  /* Positioned, so that a hidden text in it does not widen the page. */
  .scroll {
    position: relative;
    overflow-x: auto;
    border-radius: var(--radius-s);
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--text-m);
  }
  th,
  td {
    overflow-wrap: break-word;
    padding: 0.5rem 0.75rem;
    text-align: start;
    vertical-align: top;
    border-bottom: 1px solid var(--color-border);
  }
  /* Keys and hashes break into lines that can still be read; the table scrolls where they do not fit. */
  td code {
    display: inline-block;
    min-width: 14ch;
  }
  th {
    font-size: var(--text-s);
    font-weight: 500;
    white-space: nowrap;
    color: var(--color-muted);
  }
  th.end,
  td.end {
    text-align: end;
  }
  /* The table scrolls where the buttons of a row do not fit beside each other. */
  td.end > .buttons {
    display: flex;
    gap: 0.5rem;
    justify-content: end;
    white-space: nowrap;
  }
  tbody tr:last-child > td,
  tr:has(+ .more) > td {
    border-bottom: 0;
  }
  /* What belongs to the row above it. */
  .more > td {
    padding-top: 0;
  }
  .more summary {
    margin-bottom: 0.25rem;
  }
  tbody tr:hover {
    background: var(--color-raised);
  }
  /* On a phone a row is a list of its cells, each with its column's name (label-cells.ts), so that nothing has to be scrolled for. */
  @media (max-width: 50rem) {
    table,
    tbody,
    tr {
      display: block;
    }
    thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    tbody tr {
      padding-block: 0.625rem;
      border-bottom: 1px solid var(--color-border);
    }
    tbody tr:last-child,
    tbody tr:has(+ .more) {
      border-bottom: 0;
    }
    tbody .more {
      padding-top: 0;
    }
    /* The card has its own space above the first row and below the last. */
    .card:not(.list) > table > tbody > tr:first-child {
      padding-top: 0;
    }
    .card:not(.list) > table > tbody > tr:last-child {
      padding-bottom: 0;
    }
    td,
    td.end {
      display: grid;
      grid-template-columns: minmax(5rem, 35%) minmax(0, 1fr);
      gap: 0 0.75rem;
      padding: 0.1875rem 0;
      overflow-wrap: anywhere;
      text-align: start;
      border-bottom: 0;
    }
    td > * {
      grid-column: 2;
      justify-self: start;
    }
    td.number {
      white-space: normal;
    }
    td::before {
      grid-row: 1 / span 20;
      content: attr(data-label);
      font-size: var(--text-s);
      color: var(--color-muted);
    }
    td[data-label=''] {
      display: block;
      padding-top: 0.375rem;
    }
    td:empty {
      display: none;
    }
    td.end > .buttons {
      flex-wrap: wrap;
      justify-content: start;
      white-space: normal;
    }
    td code {
      min-width: 0;
    }
  }
`
