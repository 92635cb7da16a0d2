import { css } from 'lit'

/** Styles for the wallet screens, added to the card's styles. */
export const walletStyles = css`
  .wallets {
    display: flex;
    flex-direction: column;
    gap: 8px;
    width: 100%;
  }
  .wallets button {
    flex: none;
    justify-content: flex-start;
    padding: 8px 12px;
    text-align: start;
    color: var(--text);
  }
  .wallets img {
    width: 28px;
    height: 28px;
    border-radius: 6px;
  }
  .links {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
  }
  .reason {
    overflow-wrap: anywhere;
    font-size: 13px;
    color: var(--muted);
  }
  .main[disabled] {
    opacity: 0.5;
    cursor: default;
  }
`
