import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { type DashboardPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type MailServer, openMailServer } from '@stablecoin-checkout/rig/mail-server'
import {
  type HttpReceiver,
  newPushBrowser,
  openHttpReceiver,
  vapidClaims,
} from '@stablecoin-checkout/rig/push-receiver'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { webhookPortsDefault } from '../webhook/send/target.ts'
import { createSendMail } from './mail/smtp.ts'
import type { NoticeKind } from './notice-kinds.ts'
import { createNoticeLinks } from './notice-links.ts'
import { deleteExpired } from './notices.part.ts'
import { noticeEvents } from './outbox/event-notices.ts'
import { createNoticePass } from './outbox/notice-worker.ts'
import { createSenders, type SendNotice } from './send/senders.ts'

const publicUrl = 'https://pay.shop.example'
const signal = new AbortController().signal
const minuteMs = 60_000
const hourMs = 60 * minuteMs

let mail: MailServer
let http: HttpReceiver
beforeAll(async () => {
  mail = await openMailServer()
  http = await openHttpReceiver()
})
afterAll(async () => {
  await mail.close()
  await http.close()
})

let bff: AppFixture
let page: DashboardPage
let send: SendNotice
const { make, pay, endShort } = openRequests(() => bff)
beforeEach(async () => {
  mail.mails.length = 0
  http.received.length = 0
  bff = await openApp({ webhookTargets: { ports: webhookPortsDefault } })
  page = await signedIn(bff)
  send = createSenders({
    ...bff.deps,
    sendMail: createSendMail(mail.settings()),
    targets: { ports: webhookPortsDefault },
    agent: http.agent,
    publicUrl,
  })
  await pass()
})
afterEach(() => bff.close())

/** Reads the events and sends what is due, as the service does each second. */
async function pass(sender = send): Promise<void> {
  await noticeEvents(bff.deps, bff.nowMs())
  const { vault } = bff.deps
  await createNoticePass({ ...bff.deps, send: sender, noticeLinks: createNoticeLinks(vault), publicUrl })(signal)
}

const all: NoticeKind[] = ['paid', 'late', 'refund', 'trouble']

/** A channel whose first notice has come. */
async function add(target: object, kinds: NoticeKind[] = all, by = page): Promise<string> {
  const { status, body } = await by.confirm('POST', '/dashboard/notices', { kinds, language: 'en', ...target })
  expect([status, body['message']]).toEqual([200, undefined])
  await pass()
  const link = /https:\S+\/notices\/confirm\/\S+/.exec(mail.mails.at(-1)?.text ?? '')?.[0]
  if (link) expect((await bff.fetch(link.replace(publicUrl, ''), { method: 'POST' })).status).toBe(200)
  mail.mails.length = 0
  http.received.length = 0
  return body['id'] as string
}
const byMail = (kinds?: NoticeKind[]) => add({ kind: 'email', email: 'ada@shop.example' }, kinds)
const telegramUrl = `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage?chat_id=-1001`
const slackUrl = 'https://hooks.slack.com/services/T0000/B0000/abcdefghijkl'

async function paid(more: object = {}): Promise<string> {
  const { id } = await make(bff.keys.secret, more)
  await pay(id)
  return id
}
const subjects = () => mail.mails.map(({ subject }) => subject)
const stopUrlOf = (headers: string) => /^list-unsubscribe: <(.*)>$/im.exec(headers)?.[1] ?? ''

describe('a paid order', () => {
  test('arrives once by mail, with a link to the payment and one to stop', async () => {
    await byMail()
    const id = await paid({ orderId: 'A-17' })
    await pass()
    await pass()
    expect(mail.mails).toHaveLength(1)
    const [notice] = mail.mails
    expect(notice).toMatchObject({ to: ['ada@shop.example'], subject: 'Paid: 25.00 USDC' })
    expect(notice?.from).toMatch(/^"?Corner Coffee"? <shop@shop.example>$/)
    for (const text of [notice?.text, notice?.html])
      expect(text).toContain(`Corner Coffee · ${new URL(publicUrl).host}`)
    for (const part of ['Order A-17', `${publicUrl}/dashboard/payments/${id}`]) expect(notice?.text).toContain(part)
    expect(notice?.headers).toMatch(/^list-unsubscribe-post: List-Unsubscribe=One-Click$/im)
    expect(notice?.text).toContain(stopUrlOf(notice?.headers ?? ''))
  })

  test('arrives by push, signed and encrypted for the one browser', async () => {
    const browser = newPushBrowser('https://push.example/send/abc')
    const { body } = await page.ask('GET', '/dashboard/notices')
    await add({ kind: 'push', subscription: browser.subscription })
    const id = await paid()
    await pass()
    const [request] = http.received
    expect(http.received).toHaveLength(1)
    expect(request?.url).toBe('https://push.example/send/abc')
    expect(browser.decrypt(request?.body ?? Buffer.alloc(0))).toMatchObject({
      title: 'Paid: 25.00 USDC',
      url: `${publicUrl}/dashboard/payments/${id}`,
      stopUrl: expect.stringContaining(`${publicUrl}/notices/stop/`),
      stopLabel: 'Stop these notices',
    })
    const claims = vapidClaims(request?.headers.authorization ?? '', body['pushKey'] as string)
    expect(claims).toMatchObject({ aud: 'https://push.example', sub: publicUrl })
    expect(request?.body.includes('25.00')).toBe(false)
  })

  test('arrives in Telegram and Slack as plain text, whatever the order id holds', async () => {
    await add({ kind: 'telegram', url: telegramUrl })
    await add({ kind: 'slack', url: slackUrl })
    await paid({ orderId: '<!channel> <https://eve.example|a> *b*' })
    await pass()
    const bodies = new Map(http.received.map(({ url, body }) => [url, JSON.parse(body.toString())]))
    expect([...bodies.keys()].toSorted()).toEqual([telegramUrl.split('?')[0], slackUrl])
    expect(bodies.get(slackUrl).text).toContain('&lt;!channel&gt; &lt;https')
    const chat = bodies.get(telegramUrl.split('?')[0] ?? '')
    expect(chat).toMatchObject({ chat_id: '-1001', text: expect.stringContaining('Paid: 25.00 USDC') })
    expect(Object.keys(chat)).not.toContain('parse_mode')
  })

  test('of the sandbox, of another merchant, or from before the channel is not reported', async () => {
    const strangers = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
    await paid()
    await pass()
    await byMail()
    await pay((await make(bff.keys.test)).id)
    await pay((await make(strangers)).id)
    await pass()
    expect(mail.mails).toEqual([])
    await paid()
    await pay((await make(strangers)).id)
    await pass()
    expect(mail.mails, 'only the own one of two').toHaveLength(1)
  })

  test('with a hostile order id adds neither a header nor markup', async () => {
    await byMail()
    await paid({ orderId: 'x" <img src=a>' })
    await pass()
    expect(mail.mails[0]?.html).toContain('&lt;img')
    expect(mail.mails[0]?.html).not.toContain('<img')
  })
})

test('late money and money that waits for an address have notices of their kind', async () => {
  await byMail()
  const short = await make(bff.keys.secret)
  await endShort(short)
  await pass()
  expect(subjects()).toEqual(['Refund wanted: 25.00 USDC'])
  const late = await make(bff.keys.secret)
  await bff.deps.ledger.apply(late.id, {
    type: 'window.ended',
    blockTimeMs: bff.nowMs() + hourMs,
    atMs: bff.nowMs() + hourMs,
  })
  const transfer = { ...transferTo(late.id, 25_000_000n), blockTimeMs: bff.nowMs() + 2 * hourMs }
  await bff.deps.ledger.apply(late.id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  await pass()
  expect(subjects().slice(1)).toEqual(['Paid late: 25.00 USDC'])
  expect(mail.mails.at(-1)?.text).toContain('Accept it or send it back.')
})

test('a failed payout has a notice of its own', async () => {
  await byMail(['trouble'])
  const id = await paid()
  await bff.deps.ledger.apply(id as PaymentId, { type: 'sweep.failed', isGivenUp: true, atMs: bff.nowMs() })
  await pass()
  expect(subjects()).toEqual(['Payout failed: 25.00 USDC'])
  expect(mail.mails[0]?.text).toContain(`${publicUrl}/dashboard/payments/${id}`)
})

describe('a choice', () => {
  test('of kinds is followed, and ends what waits', async () => {
    const id = await byMail(['trouble'])
    await paid()
    await pass()
    expect(mail.mails).toEqual([])
    await page.ask('PATCH', `/dashboard/notices/${id}`, { kinds: ['paid'], language: 'de' })
    await paid()
    await noticeEvents(bff.deps, bff.nowMs())
    await page.ask('PATCH', `/dashboard/notices/${id}`, { kinds: [], language: 'de' })
    await pass()
    expect(mail.mails).toEqual([])
    await page.ask('PATCH', `/dashboard/notices/${id}`, { kinds: ['paid'], language: 'de' })
    await paid()
    await pass()
    expect(subjects()).toEqual(['Bezahlt: 25,00 USDC'])
  })

  test('is a person’s own: another owner neither sees nor changes it', async () => {
    const id = await byMail()
    const bea = await signedIn(bff, 'owner', 'Bea')
    expect((await bea.ask('GET', '/dashboard/notices')).body['channels']).toEqual([])
    expect((await bea.ask('PATCH', `/dashboard/notices/${id}`, { kinds: [], language: 'en' })).status).toBe(404)
    expect((await bea.ask('DELETE', `/dashboard/notices/${id}`)).status).toBe(404)
  })

  test('is added with the passkey, at most ten times, and shows no secret', async () => {
    const body = { kind: 'telegram', url: telegramUrl, kinds: all, language: 'en' }
    expect((await page.ask('POST', '/dashboard/notices', body)).body).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    const first = await add({ kind: 'telegram', url: telegramUrl })
    expect(await add({ kind: 'telegram', url: telegramUrl }), 'the same again').toBe(first)
    for (let chat = 2; chat <= 10; chat++) await add({ kind: 'telegram', url: telegramUrl + chat })
    const refused = await page.confirm('POST', '/dashboard/notices', { ...body, url: slackUrl, kind: 'slack' })
    expect(refused.body).toMatchObject({ code: 'TOO_MANY_CHANNELS' })
    const { body: listed } = await page.ask('GET', '/dashboard/notices')
    expect(JSON.stringify(listed)).not.toContain('A'.repeat(20))
    const rows = await bff.deps.db.read((tx) => tx.all(sql`select * from notice_channels`))
    expect(JSON.stringify(rows)).not.toContain('A'.repeat(20))
    const keys = await bff.deps.db.read((tx) => tx.get<{ private_key: string }>(sql`select * from push_keys`))
    expect(keys?.private_key).toMatch(/^v1\./)
  })

  test.each([
    { kind: 'slack', url: 'https://hooks.slack.com.eve.example/services/T0000/B0000/abc' },
    { kind: 'slack', url: 'https://hooks.slack.com:8443/services/T0000/B0000/abcdef' },
    { kind: 'slack', url: 'http://hooks.slack.com/services/T0000/B0000/abcdef' },
    { kind: 'slack', url: 'https://hooks.slack.com/services/../../T0000/B0000' },
    { kind: 'slack', url: telegramUrl },
    { kind: 'telegram', url: `${telegramUrl}&parse_mode=HTML` },
    {
      kind: 'telegram',
      url: 'https://api.telegram.org@10.0.0.1/bot123456:AAAAAAAAAAAAAAAAAAAAAA/sendMessage?chat_id=1',
    },
    { kind: 'push', subscription: newPushBrowser('https://169.254.169.254/latest').subscription },
    { kind: 'push', subscription: newPushBrowser('https://localhost/').subscription },
    { kind: 'push', subscription: newPushBrowser('http://push.example/').subscription },
    { kind: 'push', subscription: newPushBrowser('https://push.example:22/').subscription },
    { kind: 'email', email: 'a@b.example,c@d.example' },
    { kind: 'email' },
  ])('of another target is refused: %j', async (target) => {
    const { status } = await page.confirm('POST', '/dashboard/notices', { kinds: all, language: 'en', ...target })
    expect(status).toBe(400)
  })
})

describe('stopping', () => {
  const visit = (url: string, init: RequestInit = {}) => bff.fetch(url.replace(publicUrl, ''), init)
  const post = (url: string, body: string) =>
    visit(url, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })

  async function stopUrl(): Promise<string> {
    await paid()
    await pass()
    const url = stopUrlOf(mail.mails.at(-1)?.headers ?? '')
    expect(url).toContain(`${publicUrl}/notices/stop/`)
    mail.mails.length = 0
    return url
  }
  const kindsNow = async () =>
    ((await page.ask('GET', '/dashboard/notices')).body['channels'] as { kinds: string[] }[])[0]?.kinds

  test('takes one request of a mail program without a sign-in, for the kind of the notice', async () => {
    await byMail()
    const url = await stopUrl()
    expect((await post(url, 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect(await kindsNow()).toEqual(['late', 'refund', 'trouble'])
    await paid()
    await pass()
    expect(mail.mails).toEqual([])
  })

  test('is a page whose opening changes nothing and whose buttons end a kind or all, without a script', async () => {
    await byMail()
    const url = await stopUrl()
    const opened = await visit(`${url}?lang=de`)
    expect(await opened.text()).toContain('Alle beenden')
    expect(opened.headers.get('Content-Security-Policy')).not.toContain('script-src')
    expect(await kindsNow()).toHaveLength(4)
    const stopped = await post(url, 'stop=all')
    expect(await stopped.text()).toContain('Done.')
    expect(await kindsNow()).toEqual([])
  })

  test('needs the whole link: neither another kind, another channel nor a guess is taken', async () => {
    await byMail()
    const url = await stopUrl()
    const forged = [
      url.replace('/paid/', '/trouble/'),
      url.replace('/paid/', '/all/'),
      url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
      url.replace(/stop\/[^/]+/, `stop/${crypto.randomUUID()}`),
    ]
    for (const one of forged) expect((await post(one, 'stop=all')).status, one).toBe(404)
    expect(await kindsNow()).toHaveLength(4)
  })
})

describe('a flood', () => {
  test('of more than twenty becomes one summary, and the next hour another', async () => {
    await byMail()
    for (let count = 0; count < 25; count++) await paid()
    await pass()
    expect(subjects()).toEqual(['25 new notices'])
    expect(mail.mails[0]?.text).toContain('Paid: 25')
    for (let minute = 0; minute < 59; minute++) {
      await paid()
      bff.advance(minuteMs)
      await pass()
    }
    expect(mail.mails).toHaveLength(1)
    bff.advance(2 * minuteMs)
    await pass()
    expect(subjects()).toEqual(['25 new notices', '59 new notices'])
  })

  test('that comes one by one waits after the twentieth for a summary', async () => {
    await add({ kind: 'slack', url: slackUrl })
    for (let count = 0; count < 30; count++) {
      await paid()
      await pass()
    }
    expect(http.received).toHaveLength(20)
    bff.advance(hourMs)
    await pass()
    expect(http.received.at(-1)?.body.toString()).toContain('10 new notices')
  })

  test('keeps at most a thousand waiting notices of a channel', async () => {
    const id = await byMail()
    await bff.deps.db.write(async (tx) => {
      for (let count = 0; count < 1_000; count++) {
        await tx.run(sql`
            insert into notices (channel_id, subject, kind, facts, attempts, due_at_ms, created_at_ms)
            values (${id}, ${`paid ${count}`}, 'paid', '{"about":"payment"}', 0, ${bff.nowMs()}, ${bff.nowMs()})`)
      }
    })
    await paid()
    await pass()
    expect(subjects()).toEqual(['1000+ new notices'])
    expect(mail.mails[0]?.text).toContain('Paid: 1000')
  })
})

describe('an attempt', () => {
  test('that fails is repeated later and reported; the channel is well again afterwards', async () => {
    await add({ kind: 'slack', url: slackUrl })
    const failing = async () =>
      ((await page.ask('GET', '/dashboard/notices')).body['channels'] as { failingSince: string | null }[])[0]
        ?.failingSince
    http.answer(500, 429)
    await paid()
    await pass()
    expect(await failing()).toBe('2026-11-21T12:00:00.000Z')
    await pass()
    expect(http.received).toHaveLength(1)
    bff.advance(minuteMs)
    await pass()
    bff.advance(5 * minuteMs)
    await pass()
    expect(http.received).toHaveLength(3)
    expect(await failing()).toBeNull()
  })

  test('that is refused for good is not repeated; a browser that ended its subscription is forgotten', async () => {
    await add({ kind: 'slack', url: slackUrl })
    http.answer(403)
    await paid()
    await pass()
    bff.advance(6 * hourMs)
    await pass()
    expect(http.received).toHaveLength(1)
    const browser = newPushBrowser('https://push.example/x')
    await add({ kind: 'push', subscription: browser.subscription }, ['paid'])
    http.answer(410, 410)
    await paid()
    await pass()
    const kinds = ((await page.ask('GET', '/dashboard/notices')).body['channels'] as { kind: string }[]).map(
      ({ kind }) => kind,
    )
    expect(kinds).toEqual(['slack'])
  })

  test('whose process is killed after the message left is repeated with the same id, and never lost', async () => {
    await byMail()
    await paid()
    await new Promise<void>((left) => {
      const killed: SendNotice = async (...sent) => {
        await send(...sent)
        left()
        return await new Promise(() => {})
      }
      void pass(killed)
    })
    await pass()
    expect(mail.mails).toHaveLength(1)
    bff.advance(2 * minuteMs)
    await pass()
    const ids = mail.mails.map(({ headers }) => /^message-id: (.*)$/im.exec(headers)?.[1])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  test('that two processes make of the same events stores each notice once', async () => {
    await byMail()
    await paid()
    await Promise.all([1, 2, 3].map(() => noticeEvents(bff.deps, bff.nowMs())))
    await pass()
    expect(mail.mails).toHaveLength(1)
  })
})

test('a removed person gets nothing, and the target is deleted with what was sent', async () => {
  const bea = await signedIn(bff, 'staff', 'Bea')
  await add({ kind: 'email', email: 'bea@shop.example' }, all, bea)
  const people = (await page.ask('GET', '/dashboard/people')).body['people'] as { id: string; name: string }[]
  const id = people.find(({ name }) => name === 'Bea')?.id
  await paid()
  await noticeEvents(bff.deps, bff.nowMs())
  expect((await page.confirm('DELETE', `/dashboard/people/${id}`)).status).toBe(200)
  await paid()
  await pass()
  expect(mail.mails).toEqual([])
  await bff.deps.db.write((tx) => deleteExpired(tx, bff.nowMs(), 10))
  expect(await bff.deps.db.read((tx) => tx.all(sql`select id from notice_channels`))).toEqual([])
})

test('after a week what was sent is forgotten; a service that had no notices for a month begins with today', async () => {
  await byMail()
  await paid()
  await pass()
  bff.advance(8 * 24 * hourMs)
  await bff.deps.db.write((tx) => deleteExpired(tx, bff.nowMs(), 10))
  expect(await bff.deps.db.read((tx) => tx.all(sql`select number from notices`))).toEqual([])
  mail.mails.length = 0
  await paid()
  bff.advance(30 * 24 * hourMs)
  await pass()
  expect(mail.mails).toEqual([])
})
