import { css } from 'lit'

export const linksStyles = css`
  .qr {
    display: block;
    width: min(100%, 16rem);
    margin: 0 auto;
  }
  wa-dialog.wide {
    --width: 52rem;
  }
  .link-code .qr {
    width: min(100%, 20rem);
  }
  .link-code > .row {
    justify-content: center;
  }
  /* The name opens the code. Prose is cut at its end, where its column ends; its title has all of it. */
  .name {
    display: block;
    max-width: 100%;
    padding: 0;
    overflow: hidden;
    font: inherit;
    font-weight: 600;
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: inherit;
    background: none;
    border: 0;
  }
  button.name {
    cursor: pointer;
  }
  button.name:hover {
    text-decoration: underline;
  }
  td.end > .buttons {
    align-items: center;
    gap: 0.25rem;
  }
  @media (min-width: 50.01rem) {
    td {
      vertical-align: middle;
    }
    /* The name has what the other columns leave, and 9rem at least. */
    td:first-child {
      width: 100%;
      max-width: 9rem;
    }
  }
  /* The end of a link must be in sight: the day gives way. */
  @media (max-width: 80rem) {
    .created {
      display: none;
    }
  }
  @media (min-width: 50.01rem) and (max-width: 80rem) {
    th,
    td {
      padding-inline: 0.5rem;
    }
  }
  /* What ends soon is said at the foot of the screen, so that the rows stay where they are. */
  .ending {
    position: fixed;
    z-index: 2;
    inset-block-end: var(--space-4);
    inset-inline: var(--space-4);
    width: fit-content;
    max-width: min(34rem, 100% - 2 * var(--space-4));
    margin-inline: auto;
    padding: var(--space-3) var(--space-4);
    color: var(--color-page);
    background: var(--color-text);
    border-radius: var(--radius-m);
  }
  .ending:empty {
    padding: 0;
  }
  @media (max-width: 50rem) {
    .ending {
      inset-block-end: 5.5rem;
    }
    .name {
      white-space: normal;
    }
    /* The first line says what for, the second how much and whether it is open. */
    tbody tr {
      display: grid;
      gap: var(--space-1) var(--space-3);
      grid-template-columns: minmax(0, 1fr) auto;
      padding-block: var(--space-3);
    }
    td:is(.what, :last-child) {
      grid-column: 1 / -1;
    }
    /* The first picture stands below the first letter, and the end of the link at the end of the line. */
    td.end > .buttons {
      width: calc(100% + 0.625rem);
      margin-inline-start: -0.625rem;
    }
    td.end > .buttons > wa-button:last-child {
      margin-inline-start: auto;
    }
    td:is(.what, .asks, .state) {
      display: block;
      padding: 0;
    }
    td:is(.what, .asks, .state)::before {
      content: none;
    }
    td.asks {
      grid-area: 2 / 1;
      text-align: start;
    }
    td.state {
      grid-area: 2 / 2;
      justify-self: end;
    }
    td:is(.opened, .paid) {
      display: flex;
      gap: var(--space-2);
      padding: 0;
      font-size: var(--text-s);
    }
    td.opened {
      grid-area: 3 / 1;
    }
    td.paid {
      grid-area: 3 / 2;
      justify-self: end;
    }
  }
  .paper {
    display: none;
  }
  /* On paper: whose link it is, what it is for and asks for, its code and its address, and nothing of the page behind the dialog. */
  @media print {
    :has(~ wa-dialog[open]),
    wa-dialog::part(header-actions),
    wa-dialog .row {
      display: none;
    }
    wa-dialog {
      --wa-color-overlay-modal: transparent;
    }
    wa-dialog::part(dialog) {
      position: static;
      width: 100%;
      max-width: none;
      max-height: none;
      box-shadow: none;
    }
    wa-dialog::part(title),
    wa-dialog .stack {
      text-align: center;
    }
    .paper {
      display: block;
      font-size: 1.25rem;
    }
    .qr {
      width: min(100%, 10cm);
    }
  }
`
