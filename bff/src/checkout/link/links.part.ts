import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { limitCurrency, tokensOf } from '../../core/families.ts'
import type { PayableTokens } from '../networks/payable-tokens.ts'
import { linkRoutes } from './link.routes.ts'
import { allowsToken, type Link, type LinkId, type LinkState } from './link.ts'
import { publicLinkView } from './link-view.ts'
import { createLinks, linkPrefix } from './manage-links.ts'
import { publicLinkRoutes } from './public-link.routes.ts'

export { deleteExpiredLinkKeys as deleteExpired } from './link-key-store.ts'

type Deps = Parameters<typeof createLinks>[0] & { payableTokens: PayableTokens; limits: RateLimits }

/** Payment links: fixed terms of a merchant, for which customers choose network and token. */
export function openLinks(deps: Deps) {
  const links = createLinks(deps)
  const { runtime, networks, payableTokens } = deps

  /** Tokens that the link can be paid in: now, or while no network is payable, at other times. */
  async function symbolsOf(link: Link, origin: string | null): Promise<readonly string[]> {
    if (link.currency !== null) return [link.currency]
    const visitor = await links.visitor(link, '')
    const payable = payableTokens(visitor, origin).filter(({ symbol, currency, Network }) =>
      allowsToken(link, { network: Network.shortName, currency: symbol }, currency),
    )
    const symbols = new Set(payable.map(({ symbol }) => symbol))
    if (symbols.size > 0) return [...symbols]
    const configured = tokensOf(networks.values())
    return configured
      .filter(({ currency }) => link.amount === null || currency === limitCurrency)
      .map(({ symbol }) => symbol)
  }

  return {
    links,
    /** For `/pay/{id}`, which serves both links and payments. */
    pages: {
      isLinkId: (text: string): text is LinkId => text.startsWith(linkPrefix),
      find: links.find,
      opened: links.opened,
      /** The link as its page shows it. @param origin - This service's origin for customers; null: unknown. */
      async page(link: Link, origin: string | null) {
        const view = publicLinkView(link, runtime.nowMs())
        const isBusy = view.state === 'open' && link.paid + link.underWay >= link.paymentsMax
        const standing: LinkState | 'busy' = isBusy ? 'busy' : view.state
        return { link: view, standing, symbols: await symbolsOf(link, origin) }
      },
    },
    routes(api: Operations) {
      linkRoutes(api, { links, runtime })
      publicLinkRoutes(api, { ...deps, links })
    },
  }
}

export type LinkPages = ReturnType<typeof openLinks>['pages']
