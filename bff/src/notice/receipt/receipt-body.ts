import {
  fill,
  formatPrice,
  formatTokens,
  type PageLanguage,
  plain,
  titleName,
} from '../../checkout/pay-page/page-language.ts'
import type { PaymentViewer } from '../../checkout/read/payment-view.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import type { Payment } from '../../payment/payment.ts'
import type { MailBody } from '../mail/mail-body.ts'
import { noticeTexts } from '../texts/notice-texts.ts'

type Deps = { viewer: PaymentViewer; networks: Networks; publicUrl: string }

/**
 * The receipt of a paid payment. It shows the fields that anybody with the payment's id may read. The order id is shown only
 * if the merchant's server set it: with a public key, anybody could use it to write to strangers in the shop's name.
 */
export function receiptBody(payment: Payment, language: PageLanguage, { viewer, networks, publicUrl }: Deps) {
  const texts = noticeTexts[language]
  const view = viewer.public(payment, publicUrl)
  const shop = titleName(payment.merchantName, language)
  const paid = `${formatTokens(view.amountReceived ?? view.amount, language)} ${view.currency}`
  const price =
    view.price === null || view.priceCurrency === null ? null : formatPrice(view.price, view.priceCurrency, language)
  const orderId = payment.madeWith === 'api' ? payment.orderId : null
  const paidAtMs = payment.confirmedAtMs ?? payment.detectedAtMs ?? payment.createdAtMs
  const facts: [string, string | null][] = [
    [texts.amount, paid],
    [texts.price, price],
    [texts.date, dateText(paidAtMs, language)],
    [texts.orderLabel, orderId === null ? null : plain(orderId)],
    [texts.network, findNetwork(networks, payment.network)?.name ?? payment.network],
    [texts.transaction, payment.isTest ? null : view.transactionHash],
  ]
  const subject = fill(texts.receiptSubject, shop)
  const body: MailBody = {
    language,
    title: subject,
    lines: [fill(texts.receiptThanks, shop), ...(payment.isTest ? [texts.testPayment] : [])],
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
    button: { label: texts.openReceipt, url: `${publicUrl}/pay/${payment.id}/receipt?lang=${language}` },
    foot: [texts.receiptWhy],
    footLink: null,
  }
  return { subject, fromName: plain(payment.merchantName), body }
}

/** In UTC and marked so, because the reader's time zone is unknown. */
const dateText = (ms: number, language: PageLanguage): string =>
  `${new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`
