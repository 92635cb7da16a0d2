import { fill, formatTokens, type PageLanguage, plain } from '../../checkout/pay-page/page-language.ts'
import { fillText } from '../../core/fill-text.ts'
import type { NoticeKind } from '../notice-kinds.ts'
import type { NoticeTexts } from '../texts/en.ts'
import { noticeTexts } from '../texts/notice-texts.ts'
import { type Notice, waitingMax } from './notice-store.ts'

/** A notice for people to read: a title, one or more lines, and a link to follow. */
export type Message = {
  language: PageLanguage
  title: string
  lines: string[]
  link: { label: string; url: string }
  /** What the stop link ends: one kind, or all. */
  stops: NoticeKind | 'all'
  stopLabel: string
}

export const kindLabels = {
  paid: 'kindPaid',
  late: 'kindLate',
  refund: 'kindRefund',
  trouble: 'kindTrouble',
} as const satisfies Record<NoticeKind, keyof NoticeTexts>

const troubleTexts = {
  webhook: ['webhook', 'webhookText'],
  gas: ['gas', 'gasText'],
  network: ['down', 'downText'],
} as const

const paymentTexts = {
  paid: ['paid', null],
  late: ['late', 'lateText'],
  refund: ['refund', 'refundText'],
  trouble: ['payout', 'payoutText'],
} as const

const refundTexts = {
  unpaid: ['refundUnpaid', 'refundUnpaidText'],
  excess: ['refundExcess', 'refundExcessText'],
} as const

type Links = {
  /** The origin of the dashboard. */
  origin: string
  /** The confirmation link of an unconfirmed address; null when it is confirmed. */
  confirmUrl: string | null
}

export function messageOf(group: readonly Notice[], language: PageLanguage, { origin, confirmUrl }: Links): Message {
  const texts = noticeTexts[language]
  const [first] = group
  if (!first) throw new Error('A message is of a notice.')
  const dashboard = { label: texts.openDashboard, url: `${origin}/dashboard/` }
  const base = { language, stopLabel: texts.stop }
  if (confirmUrl !== null) {
    const link = { label: texts.confirmButton, url: confirmUrl }
    const lines = [texts.confirmText, texts.confirmWhy]
    return { ...base, title: texts.confirmTitle, lines, link, stops: 'all' }
  }
  if (group.length > 1) {
    const count = group.length >= waitingMax ? `${waitingMax}+` : String(group.length)
    const title = fillText(texts.digest, [count], language)
    return { ...base, title, lines: countLines(group, texts), link: dashboard, stops: 'all' }
  }
  const { facts, kind } = first
  if (facts.about === 'test' || kind === 'test') {
    return { ...base, title: texts.test, lines: [texts.testText], link: dashboard, stops: 'all' }
  }
  if (facts.about !== 'payment') {
    const [title, text] = troubleTexts[facts.about]
    const named = fill(texts[title], plain(facts.name))
    return facts.isOver
      ? { ...base, title: fill(texts.over, named), lines: [], link: dashboard, stops: kind }
      : { ...base, title: named, lines: [texts[text]], link: dashboard, stops: kind }
  }
  const [title, text] = facts.refund ? refundTexts[facts.refund] : paymentTexts[kind]
  const lines = [facts.orderId === null ? null : fill(texts.order, plain(facts.orderId)), text && texts[text]]
  return {
    ...base,
    title: fill(texts[title], `${formatTokens(facts.amount, language)} ${facts.currency}`),
    lines: lines.filter((line) => line !== null),
    link:
      facts.refundId === undefined
        ? { label: texts.openPayment, url: `${origin}/dashboard/payments/${facts.paymentId}` }
        : { label: texts.openRefund, url: `${origin}/dashboard/refunds/${facts.refundId}` },
    stops: kind,
  }
}

/** One line for each kind, with its number of notices. */
function countLines(group: readonly Notice[], texts: NoticeTexts): string[] {
  return (Object.keys(kindLabels) as NoticeKind[]).flatMap((kind) => {
    const { length } = group.filter((notice) => notice.kind === kind)
    return length === 0 ? [] : [`${texts[kindLabels[kind]]}: ${length}`]
  })
}
