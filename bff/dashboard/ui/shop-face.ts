import { css, html } from 'lit'
import type { Session } from '../api/session.ts'

const key = 'shop'

export type ShopFace = Pick<Session['merchant'], 'name' | 'logo'>

/** Stores the shop for the next sign-in in this browser, before the service knows the person. */
export function rememberShop({ name, logo }: ShopFace): void {
  localStorage.setItem(key, JSON.stringify({ name, logo }))
}

/** Null if nobody has signed in with this browser yet. */
export function rememberedShop(): ShopFace | null {
  try {
    const { name, logo } = JSON.parse(localStorage.getItem(key) ?? '') as Record<string, unknown>
    const isOwnPath = typeof logo === 'string' && logo.startsWith('/logos/')
    return typeof name === 'string' ? { name, logo: isOwnPath ? logo : null } : null
  } catch {
    return null
  }
}

/** The shop's logo, or its first letter, before its name. */
export function shopFace({ name, logo }: ShopFace) {
  return html`
    <div class="shop">
      ${
        logo === null
          ? html`<span class="initial" aria-hidden="true">${[...name.trim()][0]?.toUpperCase()}</span>`
          : html`<img class="logo" src=${logo} alt="" />`
      }
      <strong>${name}</strong>
    </div>
  `
}

export const shopFaceStyles = css`
  .shop {
    display: flex;
    gap: var(--space-3);
    align-items: center;
    min-width: 0;
  }
  .shop strong {
    display: -webkit-box;
    overflow: hidden;
    line-height: 1.25;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .initial {
    display: grid;
    flex: none;
    width: 2rem;
    height: 2rem;
    place-items: center;
    font-weight: 600;
    color: var(--color-on-accent);
    background: var(--color-accent);
    border-radius: var(--radius-m);
  }
  .logo {
    flex: none;
    width: 2rem;
    height: 2rem;
    object-fit: contain;
    border-radius: var(--radius-s);
  }
`
