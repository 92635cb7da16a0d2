import { ValidationError } from '../../core/errors.ts'
import type { Db, Tx } from '../../db/db.ts'
import { loadAccount, loadWallets, walletMaps } from '../../merchant/account-store.ts'
import type { Credential } from '../../merchant/merchant-store.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** The roles of people in the dashboard, most rights first. */
export const roles = ['owner', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

/** A person who is signed in to the dashboard. */
export type CallerSession = {
  id: string
  personId: string
  personName: string
  role: Role
  endsAtMs: number
  /** The client's address, for the audit log. */
  address: string
}

/** An authenticated account, and its credential: a kind of key, or a session, which has an API key's rights as far as its role allows. */
export type Caller = Omit<Credential, 'secretSha256'> & {
  /** The client's address for a public key, which anybody may hold; empty for API key and secret. Never stored in clear. */
  address: string
  /** Absent for keys. */
  session?: CallerSession
  /** Only for tills. */
  till?: CallerTill
}

/** A device on the counter. It may call only operations whose access is `till`. */
export type CallerTill = { id: string; name: string; address: string }

/** For handlers of operations whose access is `till`. */
export function tillOf({ till }: Caller): CallerTill {
  if (!till) throw new Error('The operation does not require a till.')
  return till
}

/** For handlers of operations whose access is `session`. */
export function sessionOf({ session }: { session?: CallerSession }): CallerSession {
  if (!session) throw new Error('The operation does not require a session.')
  return session
}

/** The credential id in records for calls from the command line. No key has this form. */
const commandLine = 'command line'

type Account = Pick<Caller, 'merchantId' | 'merchantName' | 'wallets' | 'sources' | 'settings'>

/** Undefined when there is no such merchant. */
async function accountOf(tx: Tx, merchantId: MerchantId): Promise<Account | undefined> {
  const account = await loadAccount(tx, merchantId)
  if (!account) return undefined
  const wallets = walletMaps(await loadWallets(tx, merchantId))
  return { merchantId, merchantName: account.name, ...wallets, settings: account.settings }
}

/**
 * The caller of a command: the operator acts for a merchant with the rights of its API key and secret.
 * @throws {ValidationError} when there is no such merchant.
 */
export async function commandLineCaller(db: Db, merchant: string, isTest: boolean): Promise<Caller> {
  return await db.read((tx) => callerWithoutKey(tx, merchant as MerchantId, { id: commandLine, isTest }))
}

/**
 * A caller with the rights of API key and secret, authenticated by other means.
 * @param id - Identifies the caller in records. No key has this form.
 * @throws {ValidationError} when there is no such merchant.
 */
export async function callerWithoutKey(
  tx: Tx,
  merchantId: MerchantId,
  { id, isTest }: { id: string; isTest: boolean },
): Promise<Caller> {
  const account = await accountOf(tx, merchantId)
  if (!account) throw new ValidationError(`there is no merchant "${merchantId}"`)
  return { ...account, id, kind: 'api', scope: 'merchant', agentId: null, keyKind: 'api', address: '', isTest }
}

/**
 * The caller who opens a payment link. Rate limits apply as with a public key, per link. Payments count as
 * created by the merchant's server, which set the terms, so a public key cannot end them.
 */
export async function visitorOf(
  db: Db,
  { id, merchantId, isTest }: { id: string; merchantId: MerchantId; isTest: boolean },
  address: string,
): Promise<Caller> {
  const account = await db.read((tx) => accountOf(tx, merchantId))
  if (!account) throw new Error(`There is no merchant ${merchantId}.`)
  return { ...account, id, kind: 'public', scope: 'merchant', agentId: null, keyKind: 'api', isTest, address }
}
