import { type Db, sql } from '@stablecoin-checkout/bff/testing/db'
import {
  createLedger,
  type MerchantId,
  type PaymentId,
  queueAuthorization,
} from '@stablecoin-checkout/bff/testing/payment'
import { newPayment } from './new-payment.ts'

export const { merchantId } = newPayment()
export const otherMerchant = 'other' as MerchantId

/** Account, token, network and client of the rows. */
export const [payer, token, network, client] = ['0xpayer', '0xtoken', 'devnet', 'digest of an address']

export type AuthorizationRow = {
  state: 'queued' | 'sent' | 'confirmed' | 'failed' | 'external'
  merchantId: MerchantId
  payer: string
  token: string
  network: string
  client: string | null
  amount: bigint
  costMicros: number
  transactionId: string | null
  externalTxId: string | null
  atMs: number
}

/** Rows of authorizations without a chain, each with its own payment. For tests. */
export async function openAuthorizationRows(db: Db, atMs: number) {
  let count = 0
  await db.write(async (tx) => {
    for (const id of [merchantId, otherMerchant])
      await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 0)`)
  })
  return async function add(changes: Partial<AuthorizationRow> = {}): Promise<{ id: string; paymentId: PaymentId }> {
    count += 1
    const [id, paymentId] = [`authorization ${count}`, `payment ${count}` as PaymentId]
    const row: AuthorizationRow = {
      state: 'queued',
      merchantId,
      payer,
      token,
      network,
      client,
      amount: 25_000_000n,
      costMicros: 10,
      transactionId: null,
      externalTxId: null,
      atMs,
      ...changes,
    }
    await db.write(async (tx) => {
      const payment = { id: paymentId, merchantId: row.merchantId, depositAddress: paymentId, sequence: 0 }
      await createLedger(db, () => ({})).createIn(tx, newPayment(payment))
      await queueAuthorization(tx, {
        id,
        paymentId,
        merchantId: row.merchantId,
        network: row.network,
        token: row.token,
        payer: row.payer,
        nonce: `0x${count}`,
        kind: 'authorization',
        value: row.amount,
        recipient: '0x',
        target: '0x',
        data: '0x',
        digest: '0x',
        signature: '0x',
        isKeySignature: true,
        sendBeforeMs: 9_000,
        client: row.client,
        presenter: null,
        costMicros: row.costMicros,
        atMs: row.atMs,
      })
      const isFailed = row.state === 'failed'
      await tx.run(sql`
          update authorizations
             set state = ${row.state}, transaction_id = ${row.transactionId}, external_tx_id = ${row.externalTxId},
                 code = ${isFailed ? 'TRANSFER_REFUSED' : null}, reason = ${isFailed ? 'reverted' : null}
           where id = ${id}`)
    })
    return { id, paymentId }
  }
}
