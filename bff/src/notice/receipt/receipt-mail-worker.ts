import type { PageLanguage } from '../../checkout/pay-page/page-language.ts'
import { isPageLanguage } from '../../checkout/pay-page/page-language.ts'
import type { PaymentViewer } from '../../checkout/read/payment-view.ts'
import type { Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { mailHtml, mailText } from '../mail/mail-body.ts'
import type { Mail, SendMail, SendResult } from '../mail/smtp.ts'
import { delayAfter } from '../send-retry.ts'
import { receiptBody } from './receipt-body.ts'
import {
  delayReceiptMail,
  dueReceiptMails,
  endReceiptMail,
  forgetDigests,
  giveUpReceiptMail,
  type ReceiptMail,
} from './receipt-mail-store.ts'
import { dayMs, sealedRow } from './receipt-mails.ts'

const pauseMs = 1_000
/** Mails in one pass, one after another, because a mail server limits connections. */
const batchMax = 20
/** Longer than an attempt may take. After a crash during an attempt, the mail is due again then. */
const attemptMs = 2 * 60_000

type Deps = {
  db: Db
  runtime: Runtime
  log: Log
  vault: Vault
  viewer: PaymentViewer
  networks: Networks
  publicUrl: string
  send: SendMail
}

export type ReceiptMailPass = (signal: AbortSignal) => Promise<boolean>

/**
 * Sends due receipts. The attempt is counted before the server is called and the address deleted afterwards: after a crash between
 * the two, the mail is sent again with the same message id and never lost.
 */
export function createReceiptMailPass(deps: Deps): ReceiptMailPass {
  const { db, runtime, log, send } = deps

  async function deliver(row: ReceiptMail): Promise<void> {
    const { paymentId } = row
    const attempts = row.attempts + 1
    await db.write((tx) => delayReceiptMail(tx, paymentId, attempts, runtime.nowMs() + attemptMs))
    const result = await attempt(row)
    const nextMs = delayAfter(attempts)
    if (!result || (!result.isSent && (result.isFinal || nextMs === undefined))) {
      await db.write((tx) => giveUpReceiptMail(tx, paymentId))
      log.warn({ paymentId, attempts, error: result?.error }, 'Receipt mail abandoned')
    } else if (result.isSent) {
      await db.write((tx) => endReceiptMail(tx, paymentId))
      log.info({ paymentId, attempts }, 'Receipt mailed')
    } else {
      await db.write((tx) => delayReceiptMail(tx, paymentId, attempts, runtime.nowMs() + (nextMs ?? 0)))
      log.warn({ paymentId, attempts, error: result.error }, 'Receipt mail failed; retrying')
    }
  }

  /** Never throws: a mail that cannot be written counts as refused for now. Undefined when there is nothing to send. */
  async function attempt(row: ReceiptMail): Promise<SendResult | undefined> {
    try {
      const mail = await mailOf(row)
      return mail && (await send(mail))
    } catch (error) {
      return { isSent: false, isFinal: false, error: error instanceof Error ? error.name : 'unknown' }
    }
  }

  /** Undefined when there is nothing to send. */
  async function mailOf({ paymentId, address, language: stored }: ReceiptMail): Promise<Mail | undefined> {
    const payment = await db.read((tx) => loadPayment(tx, paymentId))
    if (!payment || address === null) return undefined
    const language: PageLanguage = isPageLanguage(stored) ? stored : 'en'
    const { subject, fromName, body } = receiptBody(payment, language, deps)
    return {
      to: deps.vault.open(address, sealedRow(paymentId)),
      fromName,
      subject,
      text: mailText(body),
      html: mailHtml(body),
      messageId: `<receipt-${paymentId}@${new URL(deps.publicUrl).hostname}>`,
      stopUrl: null,
    }
  }

  return async (signal) => {
    const nowMs = runtime.nowMs()
    const due = await db.read((tx) => dueReceiptMails(tx, nowMs, batchMax))
    for (const row of due) {
      if (signal.aborted) return false
      await deliver(row)
    }
    await db.write((tx) => forgetDigests(tx, nowMs - dayMs, batchMax))
    return due.length === batchMax
  }
}

/** Sends receipts until the signal aborts. Never rejects. */
export const runReceiptMails = (deps: Deps, signal: AbortSignal): Promise<void> =>
  runWorker(
    {
      pauseMs,
      pass: createReceiptMailPass(deps),
      onFailure: ({ error }) => deps.log.warn({ err: error }, 'Sending receipts failed; retrying'),
    },
    signal,
  )
