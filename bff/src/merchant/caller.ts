import { ValidationError } from '../core/errors.ts'
import type { Db } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { loadAccount, loadWallets } from './account-store.ts'
import type { Credential } from './merchant-store.ts'

/** An authenticated account and the kind of key that it was authenticated by. */
export type Caller = Omit<Credential, 'secretSha256'> & {
  /** Keyed digest of the client's address for a public key, which anybody may hold; empty for API key and secret. */
  client: string
}

/** The credential id that records name for calls from the command line; no key has this form. */
const commandLine = 'command line'

/**
 * The caller of a command: whoever hosts the service acts for a merchant with the rights of its API key and secret.
 * @throws {ValidationError} when there is no such merchant.
 */
export async function commandLineCaller(db: Db, merchant: string, isTest: boolean): Promise<Caller> {
  const merchantId = merchant as MerchantId
  return await db.read(async (tx) => {
    const account = await loadAccount(tx, merchantId)
    if (!account) throw new ValidationError(`there is no merchant "${merchant}"`)
    const wallets = new Map((await loadWallets(tx, merchantId)).map(({ network, address }) => [network, address]))
    return {
      id: commandLine,
      kind: 'api',
      keyKind: 'api',
      client: '',
      isTest,
      merchantId,
      merchantName: account.name,
      wallets,
      settings: account.settings,
    }
  })
}
