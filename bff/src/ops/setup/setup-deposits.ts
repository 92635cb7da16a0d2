import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '../../access/context/env.ts'
import { ValidationError } from '../../core/errors.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import type { DepositChoice } from '../cli/init.ts'
import { parseDeposits, parseWallet, verifyAccountKey } from '../cli/init-answers.ts'
import { forgetUnfit } from './prove-wallet.ts'
import { setupBodies } from './setup-bodies.ts'
import { bodyOf, isLocal, openPageOf, type SetupContext } from './setup-context.ts'
import { networksWith, type SetupAccount, type SetupDraft } from './setup-draft.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** The page sets no platform share. */
const feeBps = 0

/** Receives what customers pay to on each network, and the account of the merchant's own wallet. */
export function setupDeposits(app: OpenAPIHono<Env>, setup: SetupContext): void {
  const { draft, runtime, nodes } = setup

  app.put('/setup/api/deposits', async (c) => {
    const page = openPageOf(c, setup)
    const { network, deposits } = await bodyOf(c, setupBodies.deposits)
    verifyDeposits(draft, network, deposits)
    // A new list, so that a wallet which is being verified for the old networks is not accepted.
    draft.networks = draft.networks.map((one) => (one.network === network ? { ...one, deposits } : one))
    setup.unverified += 1
    try {
      await forgetUnfit(draft, { runtime, fetchFn: nodes.fetchAt(isLocal(page)) })
    } finally {
      setup.unverified -= 1
    }
    return c.json({ success: true })
  })

  /** Checks while typing: first the key alone, then both. Stores nothing. */
  app.post('/setup/api/account/check', async (c) => {
    openPageOf(c, setup)
    const { key, first } = await bodyOf(c, setupBodies.accountCheck)
    if (first === undefined) verifyKey(key)
    else verifyAccount(draft, key, first)
    return c.json({ success: true })
  })

  app.put('/setup/api/account', async (c) => {
    openPageOf(c, setup)
    const { key, first } = await bodyOf(c, setupBodies.account)
    draft.account = verifyAccount(draft, key, first)
    return c.json({ success: true, address: draft.account.address })
  })
}

/** @throws {SetupRefusal} naming the network. */
function verifyDeposits({ networks }: SetupDraft, network: string, deposits: DepositChoice): void {
  const known = knownNetworks.get(network)
  if (!known || !networks.some((one) => one.network === network)) throw new SetupRefusal('NETWORK_UNKNOWN', network)
  try {
    parseDeposits(known, deposits, feeBps)
  } catch {
    throw new SetupRefusal('DEPOSITS_UNAVAILABLE', network)
  }
}

/** The refusal does not repeat the key, which may be a private one. @throws {SetupRefusal} */
function verifyKey(key: string): void {
  try {
    verifyAccountKey(key)
  } catch (error) {
    const isPrivate = error instanceof ValidationError && error.code === 'ACCOUNT_KEY_PRIVATE'
    throw new SetupRefusal(isPrivate ? 'ACCOUNT_KEY_PRIVATE' : 'ACCOUNT_KEY_WRONG', 'key')
  }
}

/**
 * The account for all networks where customers pay to addresses of the merchant's own wallet. Its first address proves that the key
 * belongs to that wallet.
 * @throws {SetupRefusal} naming the key or the first address.
 */
function verifyAccount(draft: SetupDraft, key: string, first: string): SetupAccount {
  verifyKey(key)
  const networks = networksWith('xpub', draft).flatMap(({ network }) => knownNetworks.get(network) ?? [])
  const texts = networks.map((network) => {
    try {
      return parseWallet(network, `${key}@${first}`, 'xpub')
    } catch {
      throw new SetupRefusal('ACCOUNT_ADDRESS_WRONG', 'first')
    }
  })
  const [text] = texts
  if (text === undefined) throw new SetupRefusal('NETWORKS_MISSING', 'networks')
  return { text, address: text.split('@').at(-1) ?? '' }
}
