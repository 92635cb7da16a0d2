import { createHmac } from 'node:crypto'
import { clientSecretRequired } from '../../access/callers/client-secret.ts'
import { isOfRequester, type Requester } from '../../checkout/access.ts'
import type { PageLanguage } from '../../checkout/pay-page/page-language.ts'
import { paymentNotFound } from '../../checkout/read/payment-reader.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { outcomeOf, type PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { countReceiptMails, loadReceiptMail, type ReceiptMail, saveReceiptMail } from './receipt-mail-store.ts'

export const dayMs = 24 * 60 * 60_000

/** Enough for a household that shops several times a day. With more, anybody could fill a stranger's mailbox. */
const perAddressMax = 5
/** More than a small shop sells, and fewer than mail providers block an account for. */
const perMerchantMax = 500
/** A customer mistypes an address once or twice. With more, one payment could have the mail server asked for any number of addresses. */
const givenUpMax = 3

/** The row for which the vault seals the address. */
export const sealedRow = (id: PaymentId): string => `receipt mail ${id}`

type Deps = { db: Db; runtime: Runtime; vault: Vault }

export type RequestReceiptMail = ReturnType<typeof createReceiptMails>

/**
 * Queues the receipt of a paid payment for one address. A repeat with the same address changes nothing. `client`: the network of the client.
 * @throws {PaymentError} CLIENT_SECRET_REQUIRED, PAYMENT_NOT_FOUND, NOT_PAID, RECEIPT_SENT, or MAIL_LIMIT.
 */
export function createReceiptMails({ db, runtime, vault }: Deps) {
  const key = vault.derive('addresses of receipts')
  const digestOf = (address: string) => createHmac('sha256', key).update(address.toLowerCase()).digest('base64url')

  return async function requestReceiptMail(
    requester: Requester,
    id: PaymentId,
    { address, language, client }: { address: string; language: PageLanguage; client: string },
  ): Promise<void> {
    const isMerchant = requester.caller?.kind === 'api'
    if (requester.caller === null && !requester.hasClientSecret) throw clientSecretRequired()
    const addressDigest = digestOf(address)
    const clientDigest = isMerchant ? null : digestOf(client)
    await db.write(async (tx) => {
      const payment = await loadPayment(tx, id)
      if (!isOfRequester(requester, payment)) throw paymentNotFound(id)
      if (!isMerchant && !requester.hasClientSecret) throw clientSecretRequired()
      // Test payments cost nothing, so anybody with a public key could have mail sent to strangers.
      if (payment.isTest && !isMerchant)
        throw new PaymentError('MAIL_LIMIT', 'Only the merchant sends receipts of test payments.')
      if (outcomeOf(payment) !== 'paid') throw new PaymentError('NOT_PAID', `Payment ${id} is not paid.`)
      const known = await loadReceiptMail(tx, id)
      if (known && !isGivenUp(known)) {
        if (known.addressDigest === addressDigest) return
        throw new PaymentError('RECEIPT_SENT', `The receipt of payment ${id} was sent before.`)
      }
      const { merchantId } = payment
      const nowMs = runtime.nowMs()
      const givenUp = known && known.createdAtMs > nowMs - dayMs ? known.givenUp : 0
      const counted = { merchantId, addressDigest, clientDigest }
      const sent = await countReceiptMails(tx, counted, nowMs - dayMs, perMerchantMax)
      const isOver = givenUp >= givenUpMax || sent.ofAddress >= perAddressMax || sent.ofMerchant >= perMerchantMax
      // Payments may cost less than a cent: one client gets at most half of what the others leave.
      const ofOneMax = Math.max(1, (perMerchantMax - (sent.ofMerchant - sent.ofClient)) / 2)
      if (isOver || (clientDigest !== null && sent.ofClient >= ofOneMax)) {
        throw new PaymentError('MAIL_LIMIT', 'Too many receipts were sent today.', { retryAfterSeconds: 3_600 })
      }
      await saveReceiptMail(tx, {
        paymentId: id,
        merchantId,
        address: vault.seal(address, sealedRow(id)),
        addressDigest,
        clientDigest,
        language,
        attempts: 0,
        givenUp,
        dueAtMs: nowMs,
        createdAtMs: nowMs,
      })
    })
  }
}

const isGivenUp = ({ dueAtMs, givenUp }: ReceiptMail): boolean => dueAtMs === null && givenUp > 0
