import { loadPayment, type Payment, type PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import {
  mailHtml,
  mailText,
  messageOf,
  type Notice,
  type NoticeKind,
  noticeMailBody,
  receiptBody,
} from '@stablecoin-checkout/bff/testing/texts'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foreignWordsIn } from './foreign-words.ts'
import { type LanguageCode, languageNames } from './locale.ts'

const others = (Object.keys(languageNames) as LanguageCode[]).filter((code) => code !== 'en')
const customer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const file = { name: 'x.js', hashedName: 'x.js', integrity: 'sha384-x', body: async () => Buffer.from('') }
const elementFiles = { element: file, files: [file], find: () => undefined }

let bff: AppFixture
let pages: string[]
let paidPayment: Payment

/** A payment in each state that has a page of its own, a link, a refund before and after its address, and what does not exist. */
beforeAll(async () => {
  bff = await openApp({ elementFiles, publicUrl: 'https://pay.example' })
  const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
  const create = async () => (await bff.create({ ...order, orderId: '7' })).body.payment['id'] as PaymentId
  const pay = async (id: PaymentId, units: bigint) => {
    const transfer = { ...transferTo(id, units), blockTimeMs: bff.nowMs() }
    await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  }
  const post = async (path: string, body: object) =>
    (await (await bff.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Record<
      'link' | 'refund',
      { id: string; pageUrl: string }
    >
  const [open, paid, partial, refunded] = [await create(), await create(), await create(), await create()]
  await pay(paid, 25_000_000n)
  await pay(partial, 5_000_000n)
  await pay(refunded, 25_000_000n)
  const { refund } = await post(`/api/v1/payments/${refunded}/refunds`, { amount: '10.00' })
  const { refund: named } = await post(`/api/v1/payments/${paid}/refunds`, { amount: '10.00' })
  const clientSecret = named.pageUrl.split('#client_secret=')[1]
  await post(`/api/v1/refunds/${named.id}/address`, { address: customer, clientSecret })
  const { link } = await post('/api/v1/links', { amount: '5' })
  const loaded = await bff.deps.db.read((tx) => loadPayment(tx, paid))
  if (!loaded) throw new Error('The paid payment is not stored')
  paidPayment = loaded
  pages = [
    ...[open, paid, partial, refunded].flatMap((id) => [`/pay/${id}`, `/pay/${id}/receipt`]),
    ...[`/pay/${link.id}`, '/pay/seven', `/refund/${refund.id}`, `/refund/${named.id}`, '/refund/seven'],
    ...['/notices/stop/seven/all/x', '/'],
  ]
})
afterAll(() => bff.close())

/** Names, and what stands in another language on purpose and says so. */
const names = /Corner Coffee|Devnet|stablecoin-checkout|\b0x[\da-f]+|\b[ap]m\b|\b[\da-f]{8}-[\da-f-]{27}/gi

/** What a page says, with what it says to a screen reader and in a preview. */
const saidBy = (page: string) =>
  [
    ...[
      ...page.matchAll(
        /\s(?:aria-label|label|title|placeholder|alt|data-(?:confirming|paid|expired|closed))="([^"]*)"/g,
      ),
    ].map(([, text]) => text),
    ...[...page.matchAll(/property="og:(?:title|description)" content="([^"]*)"/g)].map(([, text]) => text),
    page
      .replaceAll(/<(style|script)\b.*?<\/\1>/gs, ' ')
      .replaceAll(/<(a|span|code|bdi)\b[^>]*\s(?:lang|translate|class="mono")[^>]*>.*?<\/\1>/gs, ' ')
      .replaceAll(/<[^>]*>/g, ' '),
  ]
    .join(' ')
    .replaceAll(names, ' ')
    .replaceAll(/&\w+;|&#\d+;/g, ' ')

test.each(others)(
  'in "%s" hosted pages, receipts, refunds and the page that stops notices say no word of English',
  async (language) => {
    const foreign = foreignWordsIn(language)
    const found: string[] = []
    for (const path of pages) {
      const answer = await bff.fetch(path, { headers: { 'Accept-Language': language, Accept: 'text/html' } })
      const page = await answer.text()
      expect(page, `${path} ${answer.status}`).toContain(`<html lang="${language}"`)
      for (const word of foreign(saidBy(page))) found.push(`${path.replace(/[\da-f-]{36}/, 'id')}: ${word}`)
    }
    expect(found).toEqual([])
  },
)

const payment = { about: 'payment', paymentId: '7', amount: '25.00', currency: 'USDC', orderId: '7' }
const sorts: [NoticeKind | 'test', object][] = [
  ['test', { about: 'test' }],
  ...(['paid', 'late', 'refund', 'trouble'] as const).map((kind): [NoticeKind, object] => [kind, payment]),
  ...['unpaid', 'excess'].map((refund): [NoticeKind, object] => ['refund', { ...payment, refund, refundId: '7' }]),
  ...['webhook', 'gas', 'network'].flatMap((about): [NoticeKind, object][] =>
    [true, false].map((isOver) => ['trouble', { about, name: '7', isOver }]),
  ),
]

const groups = sorts.map(([kind, facts]) => [{ kind, facts } as Notice])
const origin = 'https://pay.example'
const price = { amount: '20.00', currency: 'EUR', rate: '0.8', rateAtMs: 0 }

test.each(others)('in "%s" a notice of each kind and the sum of many say no word of English', (language) => {
  const foreign = foreignWordsIn(language)
  for (const group of [...groups, groups.flat(), groups.slice(0, 2).flat()]) {
    const { title, lines, link, stopLabel } = messageOf(group, language, { origin, confirmUrl: null })
    expect(foreign([title, ...lines, link.label, stopLabel].join(' ')), title).toEqual([])
  }
})

test.each(others)('in "%s" no mail to owners or customers says a word of English', (language) => {
  const foreign = foreignWordsIn(language)
  const confirmUrl = `${origin}/notices/confirm/x`
  const messages = [
    ...[...groups, groups.flat()].map((group) => messageOf(group, language, { origin, confirmUrl: null })),
    messageOf(groups.slice(0, 1).flat(), language, { origin, confirmUrl }),
  ]
  const receipts = [paidPayment, { ...paidPayment, isTest: true }, { ...paidPayment, price }]
  const bodies = [
    ...messages.map((message) => noticeMailBody(message, `${origin}/notices/stop/x`, '')),
    ...receipts.map((payment) => receiptBody(payment, language, { ...bff.deps, publicUrl: origin }).body),
  ]
  for (const body of bodies) {
    expect(foreign(saidBy(mailHtml(body))), body.title).toEqual([])
    expect(
      foreign(
        mailText(body)
          .replaceAll(/https:\S+/g, ' ')
          .replaceAll(names, ' '),
      ),
      body.title,
    ).toEqual([])
  }
})
