import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { Operations } from '../../access/operation-registry.ts'
import type { PayableTokens } from '../networks/payable-tokens.ts'
import { linkRoutes } from './link.routes.ts'
import type { Link, LinkId } from './link.ts'
import { publicLinkView } from './link-view.ts'
import { createLinks, linkPrefix } from './manage-links.ts'
import { publicLinkRoutes } from './public-link.routes.ts'

export { deleteExpiredLinkKeys as deleteExpired } from './link-key-store.ts'

type Deps = Parameters<typeof createLinks>[0] & { payableTokens: PayableTokens; limits: RateLimits }

/** Payment links: fixed terms of a merchant, for which customers choose network and token. */
export function openLinks(deps: Deps) {
  const links = createLinks(deps)
  const { runtime } = deps
  return {
    links,
    /** For `/pay/{id}`, which serves both links and payments. */
    pages: {
      isLinkId: (text: string): text is LinkId => text.startsWith(linkPrefix),
      find: links.find,
      opened: links.opened,
      view: (link: Link) => publicLinkView(link, runtime.nowMs()),
    },
    routes(api: Operations) {
      linkRoutes(api, { links, runtime })
      publicLinkRoutes(api, { ...deps, links })
    },
  }
}

export type LinkPages = ReturnType<typeof openLinks>['pages']
