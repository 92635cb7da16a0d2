import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { type DashboardPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type MailServer, openMailServer } from '@stablecoin-checkout/rig/mail-server'
import { type HttpReceiver, openHttpReceiver } from '@stablecoin-checkout/rig/push-receiver'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { webhookPortsDefault } from '../../webhook/send/target.ts'
import { createSendMail } from '../mail/smtp.ts'
import { createNoticeLinks } from '../notice-links.ts'
import { deleteExpired } from '../notices.part.ts'
import { noticeEvents } from '../outbox/event-notices.ts'
import { createNoticePass } from '../outbox/notice-worker.ts'
import { createSenders } from '../send/senders.ts'
import { noticeTroubles } from '../trouble/notice-troubles.ts'
import { graceMs } from '../trouble/plan-troubles.ts'

const publicUrl = 'https://pay.shop.example'
const signal = new AbortController().signal
const hourMs = 3_600_000
const dayMs = 24 * hourMs

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
const { make, pay } = openRequests(() => bff)
beforeEach(async () => {
  mail.mails.length = 0
  http.received.length = 0
  bff = await openApp({ webhookTargets: { ports: webhookPortsDefault } })
  page = await signedIn(bff)
  await pass()
})
afterEach(() => bff.close())

/** Reads the events and sends what is due, as the service does each second. */
async function pass(): Promise<void> {
  const targets = { ports: webhookPortsDefault }
  const sendMail = createSendMail(mail.settings())
  const send = createSenders({ ...bff.deps, sendMail, targets, agent: http.agent, publicUrl })
  await noticeEvents(bff.deps, bff.nowMs())
  await createNoticePass({ ...bff.deps, send, noticeLinks: createNoticeLinks(bff.deps.vault), publicUrl })(signal)
}

const kinds = ['paid', 'late', 'refund', 'trouble']
const slackUrl = 'https://hooks.slack.com/services/T0000/B0000/abcdefghijkl'
async function add(target: object, by = page): Promise<string> {
  const { status, body } = await by.confirm('POST', '/dashboard/notices', { kinds, language: 'en', ...target })
  return status === 200 ? (body['id'] as string) : `${status} ${body['code']}`
}
const byMail = (email = 'ada@shop.example', by = page) => add({ kind: 'email', email }, by)
const remove = (id: string, by = page) => by.ask('DELETE', `/dashboard/notices/${id}`)
const paid = async () => pay((await make(bff.keys.secret)).id)
const confirmUrl = () => /https:\S+\/notices\/confirm\/\S+/.exec(mail.mails.at(-1)?.text ?? '')?.[0] ?? ''
const visit = (url: string, method = 'GET') => bff.fetch(url.replace(publicUrl, ''), { method })
const subjects = () => mail.mails.map(({ subject }) => subject)
const isConfirmed = async () =>
  ((await page.ask('GET', '/dashboard/notices')).body['channels'] as { isConfirmed: boolean }[]).map(
    (channel) => channel.isConfirmed,
  )

describe('an address', () => {
  test('gets nothing but a link until the button behind it was pressed', async () => {
    await byMail()
    await paid()
    await pass()
    expect(subjects()).toEqual(['Confirm your address'])
    expect(await isConfirmed()).toEqual([false])
    const opened = await visit(confirmUrl())
    expect(await opened.text()).toContain('<form method="post"><button>Confirm</button></form>')
    expect(opened.headers.get('Content-Security-Policy')).not.toContain('script-src')
    expect(await isConfirmed(), 'mail programs open links by themselves').toEqual([false])
    expect((await visit(confirmUrl(), 'POST')).status).toBe(200)
    expect(await isConfirmed()).toEqual([true])
    await pass()
    await paid()
    await pass()
    expect(subjects()).toEqual(['Confirm your address', 'Paid: 25.00 USDC'])
    expect((await visit(confirmUrl(), 'POST')).status, 'twice').toBe(404)
  })

  test('is asked in the language that was chosen', async () => {
    await page.confirm('POST', '/dashboard/notices', { kind: 'email', email: 'a@b.example', kinds, language: 'de' })
    await pass()
    expect(subjects()).toEqual(['Adresse bestätigen'])
    expect(await (await visit(`${confirmUrl()}?lang=de`)).text()).toContain('Bestätigen')
  })

  test('is confirmed by its own link alone, within a day', async () => {
    const id = await byMail()
    await pass()
    const url = confirmUrl()
    const forged = [
      url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
      url.replace(id, crypto.randomUUID()),
      publicUrl + createNoticeLinks(bff.deps.vault).stopPath(id, 'all').replace('stop', 'confirm').replace('/all', ''),
    ]
    for (const one of forged) expect((await visit(one, 'POST')).status, one).toBe(404)
    bff.advance(dayMs)
    expect((await visit(url, 'POST')).status).toBe(404)
    await bff.deps.db.write((tx) => deleteExpired(tx, bff.nowMs(), 10))
    expect(await bff.deps.db.read((tx) => tx.all(sql`select id from notice_channels`))).toEqual([])
    expect(await bff.deps.db.read((tx) => tx.all(sql`select number from notice_additions`))).toEqual([])
  })

  test('that was not confirmed is asked once more when it is added again, with another link', async () => {
    const first = await byMail()
    await pass()
    const old = confirmUrl()
    const second = await byMail('ADA@shop.example')
    expect(second).not.toBe(first)
    await pass()
    expect(mail.mails).toHaveLength(2)
    expect((await visit(old, 'POST')).status).toBe(404)
    expect((await visit(confirmUrl(), 'POST')).status).toBe(200)
    await byMail()
    await pass()
    expect(mail.mails, 'confirmed: nothing to ask').toHaveLength(2)
  })
})

describe('first messages', () => {
  test('go to one address three times a day, whoever adds and removes it', async () => {
    const viewer = await signedIn(bff, 'viewer', 'Vic')
    for (const by of [viewer, viewer, page]) await remove(await byMail('eve@mail.example', by), by)
    expect(await byMail('eve@mail.example', viewer)).toBe('429 NOTICE_LIMIT')
    expect(await byMail('EVE@mail.example')).toBe('429 NOTICE_LIMIT')
    await pass()
    expect(mail.mails, 'removed channels are not written to').toEqual([])
    bff.advance(dayMs)
    page = await signedIn(bff)
    expect(await byMail('eve@mail.example')).toMatch(/^[\w-]{36}$/)
  })

  test('of one person go out twenty times a day', async () => {
    for (let count = 0; count < 20; count++) await remove(await byMail(`eve${count}@mail.example`))
    expect(await byMail('last@mail.example')).toBe('429 NOTICE_LIMIT')
    expect(await add({ kind: 'slack', url: slackUrl })).toBe('429 NOTICE_LIMIT')
    expect(await byMail('last@mail.example', await signedIn(bff, 'viewer', 'Vic'))).toMatch(/^[\w-]{36}$/)
  })

  test('of one merchant go out a hundred times a day', async () => {
    await byMail()
    const nowMs = bff.nowMs()
    await bff.deps.db.write(async (tx) => {
      for (let count = 0; count < 99; count++) {
        await tx.run(sql`
            insert into notice_additions (merchant_id, person_id, target_digest, created_at_ms)
            select merchant_id, person_id, ${String(count)}, ${nowMs} from notice_additions where number = 1`)
      }
    })
    expect(await byMail('vic@shop.example', await signedIn(bff, 'viewer', 'Vic'))).toBe('429 NOTICE_LIMIT')
  })
})

test('the audit log says who added, changed and removed which channel, without its secret parts', async () => {
  const id = await add({ kind: 'slack', url: slackUrl })
  await page.ask('PATCH', `/dashboard/notices/${id}`, { kinds: ['paid'], language: 'en' })
  await remove(id)
  const { entries } = (await page.ask('GET', '/dashboard/audit')).body as unknown as {
    entries: { action: string; subject: string; before: string | null; after: string | null }[]
  }
  const changes = entries.filter(({ action }) => action.startsWith('noticeChannel.')).reverse()
  expect(changes.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['noticeChannel.added', null, 'paid late refund trouble'],
    ['noticeChannel.changed', 'paid late refund trouble', 'paid'],
    ['noticeChannel.removed', null, null],
  ])
  expect(new Set(changes.map(({ subject }) => subject))).toEqual(new Set(['slack …ijkl']))
  expect(JSON.stringify(entries)).not.toContain('abcdefgh')
})

describe('a channel that cannot be read', () => {
  const breakOne = (id: string) =>
    bff.deps.db.write((tx) => tx.run(sql`update notice_channels set kinds = 'no JSON' where id = ${id}`))

  test('does not end the pass for those after it, and what was for it is given up', async () => {
    const broken = await add({ kind: 'slack', url: slackUrl })
    await add({ kind: 'telegram', url: `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage?chat_id=-1` })
    await pass()
    await paid()
    await noticeEvents(bff.deps, bff.nowMs())
    await breakOne(broken)
    await bff.deps.db.write((tx) =>
      tx.run(sql`update notices set due_at_ms = 1 where channel_id = ${broken} and due_at_ms > 0`),
    )
    http.received.length = 0
    await paid()
    await pass()
    expect(http.received.map(({ url }) => new URL(url).host)).toEqual(['api.telegram.org', 'api.telegram.org'])
    const waiting = () =>
      bff.deps.db.read((tx) =>
        tx.all(sql`select number from notices where channel_id = ${broken} and due_at_ms is not null`),
      )
    expect(await waiting()).toHaveLength(1)
    for (let attempt = 0; attempt < 8; attempt++) {
      bff.advance(hourMs)
      await pass()
    }
    expect(await waiting()).toEqual([])
  })

  test('is still in the list of its person, who chooses again or removes it', async () => {
    const broken = await add({ kind: 'slack', url: slackUrl })
    await breakOne(broken)
    const listed = await page.ask('GET', '/dashboard/notices')
    expect([listed.status, listed.body['channels']]).toEqual([
      200,
      [expect.objectContaining({ id: broken, kinds: [] })],
    ])
    const chosen = await page.ask('PATCH', `/dashboard/notices/${broken}`, { kinds: ['paid'], language: 'en' })
    expect(chosen.status).toBe(200)
    await breakOne(broken)
    expect((await remove(broken)).status).toBe(200)
    expect((await page.ask('GET', '/dashboard/notices')).body['channels']).toEqual([])
  })

  test('of one merchant does not end the troubles of the next', async () => {
    const health = { get: () => ({ isPayable: false, reason: 'No node answers.' }) }
    await add({ kind: 'slack', url: slackUrl })
    await bff.deps.db.write(async (tx) => {
      await tx.run(sql`
          insert into notice_troubles (merchant_id, cause, facts, is_open, since_ms, is_notified)
          values ((select min(id) from merchants), 'gas x', 'no JSON', 1, 0, 0)`)
      await tx.run(sql`
          insert into notice_channels (id, merchant_id, person_id, kind, target, target_digest, label, kinds, language, origin,
                                       confirmed_at_ms, created_at_ms)
          select 'other', (select id from merchants where id <> c.merchant_id order by id limit 1), person_id, kind, target,
                 'other', label, kinds, language, origin, 0, 0 from notice_channels c`)
    })
    const watch = () => noticeTroubles({ ...bff.deps, health }, bff.nowMs())
    await watch()
    bff.advance(graceMs)
    await watch()
    const troubled = await bff.deps.db.read((tx) =>
      tx.all<{ id: string }>(sql`select distinct merchant_id as id from notice_troubles where cause like 'network %'`),
    )
    const first = await bff.deps.db.read((tx) => tx.get<{ id: string }>(sql`select min(id) as id from merchants`))
    expect(troubled.map(({ id }) => id)).toHaveLength(1)
    expect(troubled[0]?.id).not.toBe(first?.id)
  })
})

test('mails come under the name of the shop, which can add neither a header nor markup', async () => {
  await byMail()
  await pass()
  expect((await visit(confirmUrl(), 'POST')).status).toBe(200)
  const name = 'Eve\r\nBcc: eve@mail.example\r\n\r\n<img src=x> "Co" <eve@mail.example>'
  const { merchantId } = bff.merchant
  await bff.deps.db.write((tx) => tx.run(sql`update merchants set name = ${name} where id = ${merchantId}`))
  await paid()
  await pass()
  const notice = mail.mails.at(-1)
  expect(notice?.to).toEqual(['ada@shop.example'])
  expect(notice?.headers).not.toMatch(/^bcc:/im)
  expect(notice?.headers.match(/^from:/gim)).toHaveLength(1)
  expect(notice?.from).toContain('<shop@shop.example>')
  expect(notice?.from).toContain('Eve')
  expect(notice?.html).not.toContain('<img')
})
