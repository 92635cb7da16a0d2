import { ValidationError } from '../core/errors.ts'
import type { Db } from '../db/db.ts'
import type { Caller } from '../http/env.ts'
import type { MerchantId } from '../payment/payment.ts'
import { loadAccount, loadWallets } from './account-store.ts'

/** What records name as the caller; no key has this form. */
const commandLine = 'command line'

/**
 * Whoever hosts the service, acting for a merchant: may do what its API key and secret may.
 * @throws {ValidationError} when there is no such merchant.
 */
export async function ownerOf(db: Db, merchant: string, isTest: boolean): Promise<Caller> {
  const merchantId = merchant as MerchantId
  return await db.read(async (tx) => {
    const account = await loadAccount(tx, merchantId)
    if (!account) throw new ValidationError(`there is no merchant "${merchant}"`)
    const wallets = new Map((await loadWallets(tx, merchantId)).map(({ network, address }) => [network, address]))
    const { name: merchantName, settings } = account
    return {
      ...{ id: commandLine, kind: 'api', keyKind: 'api', client: '' },
      ...{ isTest, merchantId, merchantName, wallets, settings },
    }
  })
}
