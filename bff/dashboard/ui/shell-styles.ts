import { css } from 'lit'

/** The frame of the signed-in pages: a bar at the top, the navigation beside the page, and on a phone a bar at the foot. */
export const shellStyles = css`
  :host {
    --top: 3.5rem;
    min-height: 100vh;
  }
  .skip {
    position: absolute;
    inset-inline-start: var(--space-2);
    top: -4rem;
    z-index: 4;
    padding: var(--space-2) var(--space-4);
    font: inherit;
    color: inherit;
    background: var(--color-surface);
    border: 0;
  }
  .skip:focus {
    top: var(--space-2);
  }
  .top {
    position: sticky;
    top: 0;
    z-index: 3;
    display: grid;
    grid-template-columns: 14rem minmax(0, 1fr) auto;
    gap: var(--space-4);
    align-items: center;
    min-height: var(--top);
    padding: var(--space-2) var(--space-4);
    background: var(--color-surface);
    border-bottom: 1px solid var(--color-border);
  }
  .search {
    position: relative;
    width: min(100%, 30rem);
  }
  .search wa-icon {
    position: absolute;
    inset-block: 0;
    inset-inline-start: var(--space-3);
    margin: auto 0;
    color: var(--color-muted);
    pointer-events: none;
  }
  .search input {
    width: 100%;
    padding-inline-start: 2.25rem;
    background: var(--color-raised);
    border-color: transparent;
  }
  .search input:is(:hover, :focus) {
    background: var(--color-surface);
    border-color: var(--color-control);
  }
  .layout {
    display: grid;
    grid-template-columns: 15rem minmax(0, 1fr);
    align-items: start;
  }
  .side {
    position: sticky;
    top: var(--top);
    display: flex;
    flex-direction: column;
    gap: var(--space-4);
    height: calc(100vh - var(--top));
    padding: var(--space-4) var(--space-3);
    overflow-y: auto;
    background: var(--color-surface);
    border-inline-end: 1px solid var(--color-border);
  }
  ul {
    display: grid;
    gap: 2px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .side > ul + ul {
    padding-top: var(--space-4);
    border-top: 1px solid var(--color-border);
  }
  nav a {
    display: flex;
    gap: var(--space-3);
    align-items: center;
    min-height: 2.25rem;
    padding: var(--space-1) var(--space-3);
    font-weight: 500;
    color: var(--color-text);
    text-decoration: none;
    border-radius: var(--radius-s);
  }
  nav wa-icon {
    color: var(--color-muted);
  }
  nav a:hover {
    background: var(--color-raised);
  }
  nav a[aria-current],
  nav a.within {
    color: var(--color-accent);
    background: var(--color-accent-quiet);
  }
  nav a:is([aria-current], .within) wa-icon {
    color: inherit;
  }
  .person {
    margin-top: auto;
  }
  .person summary {
    display: flex;
    gap: var(--space-3);
    align-items: center;
    min-height: 2.75rem;
    padding: var(--space-1) var(--space-3);
    line-height: 1.25;
    cursor: pointer;
    border-radius: var(--radius-s);
    list-style: none;
  }
  .person summary::-webkit-details-marker {
    display: none;
  }
  .person summary:hover {
    background: var(--color-raised);
  }
  .person summary > span {
    flex: 1;
    min-width: 0;
  }
  .preferences {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-3);
  }
  .tabs {
    padding: var(--space-4) var(--space-5) 0;
  }
  .tabs ul {
    display: flex;
    gap: var(--space-1) var(--space-5);
    overflow-x: auto;
    border-bottom: 1px solid var(--color-border);
    /* A shadow at each end that hides tabs; the covers scroll with the tabs. */
    background:
      linear-gradient(to right, var(--color-page) 50%, transparent) left / 3rem 100% no-repeat local,
      linear-gradient(to left, var(--color-page) 50%, transparent) right / 3rem 100% no-repeat local,
      linear-gradient(to right, var(--color-border), transparent) left / 1rem 100% no-repeat,
      linear-gradient(to left, var(--color-border), transparent) right / 1rem 100% no-repeat;
  }
  .tabs a {
    min-height: 2.75rem;
    padding: 0 2px;
    color: var(--color-muted);
    white-space: nowrap;
    border-radius: 0;
    border-bottom: 2px solid transparent;
    outline-offset: -2px;
  }
  .tabs a:hover {
    color: var(--color-text);
    background: none;
  }
  .tabs a[aria-current] {
    color: var(--color-text);
    background: none;
    border-bottom-color: var(--color-accent);
  }
  .page {
    min-width: 0;
  }
  .column {
    max-width: 76rem;
    margin: 0 auto;
  }
  main {
    min-width: 0;
    padding: var(--space-5);
  }
  main:focus {
    outline: none;
  }
  .mode {
    gap: var(--space-2);
    font-size: var(--text-s);
    font-weight: 500;
  }
  .test-mode {
    padding: var(--space-1) var(--space-4);
    text-align: center;
    color: var(--color-warning);
    background: var(--color-warning-quiet);
  }
  .bar {
    display: none;
  }
  .outside {
    max-width: 26rem;
    margin: 10vh auto 0;
  }
  @media (max-width: 50rem) {
    .top {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .search {
      display: none;
    }
    .layout {
      display: block;
      padding-bottom: 4rem;
    }
    .side {
      position: fixed;
      inset: var(--top) 0 calc(3.5rem + env(safe-area-inset-bottom)) 0;
      z-index: 2;
      height: auto;
      border: 0;
    }
    .side:not(.open) {
      display: none;
    }
    .side a {
      min-height: 2.75rem;
    }
    .tabs {
      padding: var(--space-2) var(--space-4) 0;
    }
    main {
      padding: var(--space-4);
    }
    .bar {
      position: fixed;
      inset: auto 0 0;
      z-index: 3;
      display: block;
      padding-bottom: env(safe-area-inset-bottom);
      background: var(--color-surface);
      border-top: 1px solid var(--color-border);
    }
    .bar ul {
      grid-auto-columns: minmax(0, 1fr);
      grid-auto-flow: column;
    }
    .bar :is(a, button) {
      display: grid;
      gap: 2px;
      justify-items: center;
      align-content: center;
      width: 100%;
      min-height: 3.5rem;
      padding: 2px;
      font: 500 0.75rem/1.2 var(--font);
      color: var(--color-muted);
      text-align: center;
      background: none;
      border: 0;
      border-radius: 0;
      outline-offset: -2px;
    }
    .bar wa-icon {
      font-size: 1.25rem;
      color: inherit;
    }
    .bar :is(a[aria-current], a.within, button[aria-expanded='true']) {
      color: var(--color-accent);
      background: none;
    }
  }
  @media print {
    .top,
    nav,
    .skip,
    .test-mode {
      display: none;
    }
    .layout {
      display: block;
    }
  }
`
