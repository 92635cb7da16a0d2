import { css } from 'lit'

export const paymentsStyles = css`
  @media (min-width: 50.01rem) {
    td.createdAt {
      white-space: nowrap;
    }
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
    margin: 0.5rem 0 0;
    padding: 0;
    border: 0;
  }
  fieldset label {
    display: flex;
    gap: 0.5rem;
    align-items: center;
  }
  td code {
    display: inline-block;
    max-width: 12rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    vertical-align: bottom;
  }
  td.orderId a {
    font-weight: 600;
    text-decoration: none;
  }
  td.orderId a:hover {
    text-decoration: underline;
  }
  .list {
    padding: var(--space-2) var(--space-3);
  }
  /* On a phone the first line says what and how much, the second when and how it stands. */
  @media (max-width: 50rem) {
    .list {
      padding: 0 var(--space-4);
    }
    tbody tr {
      display: grid;
      gap: var(--space-1) var(--space-3);
      grid-template-columns: minmax(0, 1fr) auto;
      padding-block: var(--space-3);
    }
    td {
      grid-column: 1 / -1;
    }
    td:is(.orderId, .amount, .createdAt, .outcome, .network, .attention) {
      display: block;
      padding: 0;
    }
    td:is(.orderId, .amount, .createdAt, .outcome, .network, .attention)::before {
      content: none;
    }
    td:is(.attention):empty {
      display: none;
    }
    td.orderId {
      grid-area: 1 / 1;
    }
    td.amount {
      grid-area: 1 / 2;
      font-weight: 600;
      text-align: end;
    }
    td.createdAt {
      grid-area: 2 / 1;
      font-size: var(--text-s);
      color: var(--color-muted);
    }
    td.outcome {
      grid-area: 2 / 2;
      justify-self: end;
    }
    td.network {
      grid-area: 3 / 1;
      font-size: var(--text-s);
    }
    /* A line of its own: beside the network it would squeeze the day above. */
    td.attention {
      grid-row: 4;
    }
  }
`
