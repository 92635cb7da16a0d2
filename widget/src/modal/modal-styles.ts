import { css } from 'lit'

/** Styles for the button and the dialog only, added to the card's styles. */
export const modalStyles = css`
  :host([display='button']) {
    min-height: 44px;
  }
  .open {
    width: 100%;
    padding: 11px 20px;
  }
  dialog {
    width: 100%;
    max-width: var(--sc-max-width, 26rem);
    max-height: 100dvh;
    margin: auto;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    overscroll-behavior: contain;
  }
  dialog::backdrop {
    background: var(--sc-backdrop, #000a);
  }
  .shut {
    width: 44px;
    height: 44px;
    margin: 0 0 8px auto;
    font-size: 22px;
    line-height: 1;
  }
  @media (max-width: 480px) {
    dialog {
      margin-bottom: 0;
    }
  }
`
