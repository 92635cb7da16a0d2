import type { Operation } from '../access/context/operation.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { PayableTokens } from '../checkout/networks/payable-tokens.ts'
import type { Networks } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { ReadMaster, Registrations } from '../merchant/wallet-registration.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import { addressRoutes, type ReadHoldings } from './account/addresses.routes.ts'
import { keyRoutes } from './account/keys.routes.ts'
import { registrationRoutes } from './account/registration.routes.ts'
import { settingsRoutes } from './account/settings.routes.ts'
import { type IsSignedBy, walletRoutes } from './account/wallets.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { createAudit } from './audit/audit.ts'
import { createPageOrigin } from './page/page-origin.ts'
import { invitationRoutes } from './people/invitation.routes.ts'
import { peopleRoutes } from './people/people.routes.ts'
import { passkeyRoutes } from './sign-in/passkey.routes.ts'
import { createPasskeys } from './sign-in/passkeys.ts'
import { sessionRoutes } from './sign-in/session.routes.ts'
import { deleteEnded } from './sign-in/session-store.ts'
import { createSessions } from './sign-in/sessions.ts'
import { signInRoutes } from './sign-in/sign-in.routes.ts'
import { manageTillsRoutes } from './till/manage-tills.routes.ts'
import { createPins } from './till/pin.ts'
import { createSales } from './till/sales.ts'
import { tillRoutes } from './till/till.routes.ts'
import { createTillSessions } from './till/till-sessions.ts'

export { dashboardPageRoutes, openDashboardFiles } from './page/page.routes.ts'

/** Ended sessions and invitations are kept for a day, so that setting back the clock makes none valid again. */
const endedKeptMs = 24 * 60 * 60_000

type Deps = {
  db: Db
  runtime: Runtime
  log: Log
  vault: Vault
  networks: Networks
  limits: RateLimits
  isSignedBy: IsSignedBy
  readHoldings: ReadHoldings
  readMaster: ReadMaster
  publicUrl: string | null
}

export type Dashboard = ReturnType<typeof openDashboard>

/** What the dashboard's routes share with the sessions of all other routes. */
export function openDashboard(deps: Deps) {
  const pageOf = createPageOrigin(deps.publicUrl)
  const passkeys = createPasskeys(deps)
  const sessions = createSessions({ ...deps, passkeys, pageOf, addressOf: deps.limits.addressOf })
  const pins = createPins(deps.vault)
  const tills = createTillSessions({ ...deps, pins, pageOf, addressOf: deps.limits.addressOf })
  const registrations: Registrations = {
    networks: deps.networks,
    readMaster: deps.readMaster,
    onFault: (network, fault) => deps.log.warn({ network, fault }, 'Reading the registration of a wallet failed'),
  }
  return { ...deps, pageOf, passkeys, sessions, pins, tills, registrations, audit: createAudit(deps) }
}

/** The operations for people, except those that API keys may call too. */
export function dashboardRoutes(
  api: Operations,
  dashboard: Dashboard & { operations: readonly Operation[]; readRates: ReadRates },
) {
  signInRoutes(api, dashboard)
  sessionRoutes(api, dashboard)
  passkeyRoutes(api, dashboard)
  peopleRoutes(api, dashboard)
  invitationRoutes(api, dashboard)
  keyRoutes(api, dashboard)
  settingsRoutes(api, dashboard)
  walletRoutes(api, dashboard)
  registrationRoutes(api, dashboard)
  addressRoutes(api, dashboard)
  auditRoutes(api, dashboard)
  manageTillsRoutes(api, dashboard)
}

type Selling = Omit<Parameters<typeof createSales>[0], keyof Deps> & { payableTokens: PayableTokens }

/** The operations of tills, which sell through payment links. */
export function sellingRoutes(api: Operations, dashboard: Dashboard, selling: Selling) {
  const sales = createSales({ ...dashboard, ...selling })
  tillRoutes(api, { ...dashboard, ...selling, sales })
}

/** Deletes at most `rowsMax` ended rows of each table. @returns the largest number deleted from one table. */
export const deleteExpired = (tx: Tx, nowMs: number, rowsMax: number): Promise<number> =>
  deleteEnded(tx, nowMs - endedKeptMs, rowsMax)
