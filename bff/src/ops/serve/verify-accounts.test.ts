import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MerchantAccount } from '../../chain/connector.ts'
import { silentLog } from '../../core/log.ts'
import { type Db, sql } from '../../db/db.ts'
import { saveWallet } from '../../merchant/merchant-store.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { verifyAccounts } from './verify-accounts.ts'

const { merchantId } = newPayment()
const other = 'other' as MerchantId

let db: Db
let remove: () => Promise<void>
let lines: unknown[]
let verified: MerchantAccount[]
const log = { ...silentLog, error: (...line: unknown[]) => void lines.push(line) } as typeof silentLog

beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
  lines = []
  verified = []
  await db.write(async (tx) => {
    await tx.run(
      sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${other}, 'Other', 's', 1)`,
    )
    await saveWallet(tx, merchantId, { network: 'base', address: '0xb', source: null })
    await saveWallet(tx, merchantId, { network: 'tempo', address: '0xa', source: '0x58e21090' })
    await saveWallet(tx, other, { network: 'removed', address: '0xd', source: null })
    await saveWallet(tx, other, { network: 'tempo', address: '0xc', source: null })
  })
})
afterEach(() => remove())

/** Base verifies no wallets. */
const chainsThat = (verifyAccount: (account: MerchantAccount) => Promise<void>) => {
  const chains = {
    base: { walletPayments: {} },
    tempo: {
      walletPayments: {
        verifyAccount: async (account: MerchantAccount) => {
          verified.push(account)
          await verifyAccount(account)
        },
      },
    },
  }
  return new Map(Object.entries(chains)) as unknown as Parameters<typeof verifyAccounts>[0]['chains']
}
const { signal } = new AbortController()

test('each wallet of a network that verifies wallets is verified, also behind one that the chain does not confirm', async () => {
  const chains = chainsThat(async ({ address }) => {
    if (address === '0xa') throw new Error('0xa is not registered')
  })
  await verifyAccounts({ db, chains, log }, signal)
  expect(verified).toEqual([
    { source: '0x58e21090', address: '0xa' },
    { source: '', address: '0xc' },
  ])
  expect(lines).toEqual([
    [
      { network: 'tempo', merchantId, wallet: '0xa', fault: '0xa is not registered' },
      'The chain does not confirm a merchant’s wallet: no deposits are created',
    ],
  ])
})

test('a service that stops verifies no further wallet, and reports none', async () => {
  const stopping = new AbortController()
  const chains = chainsThat(async () => {
    stopping.abort()
    throw new Error('stopped')
  })
  await verifyAccounts({ db, chains, log }, stopping.signal)
  expect([verified.length, lines]).toEqual([1, []])
})

test('a database that cannot be read is reported, and does not keep the service from starting', async () => {
  const broken: Db = { ...db, read: () => Promise.reject(new Error('the database is gone')) }
  await verifyAccounts({ db: broken, chains: chainsThat(async () => {}), log }, signal)
  expect(lines).toEqual([[{ fault: 'the database is gone' }, 'Verifying the merchants’ wallets failed']])
})
