import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, describe, expect, test } from 'vitest'
import type { Role } from '../access/context/caller.ts'
import type { Reader } from '../access/context/seen-by.ts'
import { setMerchant } from '../merchant/accounts.ts'
import { createKey } from '../merchant/keys.ts'

type Fields = Record<string, unknown>

const bff = await openApp({ publicUrl: pageOrigin })
afterAll(() => bff.close())
const { ask, make } = openRequests(() => bff)

const merchant: Reader[] = ['agent', 'viewer', 'staff', 'owner', 'secret']
const refunds: Reader[] = ['staff', 'owner', 'secret']

/** Each field that somebody does not see. Of the lists that the turnover is read from, `id` and `transactionHash` too. */
const seenBy: Record<string, Reader[]> = {
  orderId: merchant,
  customerEmail: merchant,
  callbackUrl: merchant,
  metadata: merchant,
  linkId: merchant,
  agentId: merchant,
  agentOwner: merchant,
  failureReason: merchant,
  refundedByMerchant: merchant,
  refundDueByMerchant: merchant,
  canAcceptLate: merchant,
  refunds: merchant,
  pageUrl: ['secret'],
  requestedBy: refunds,
  clientSecret: ['secret'],
  paymentLink: ['secret'],
  url: ['agent', 'staff', 'owner', 'secret'],
  id: merchant,
  transactionHash: merchant,
}
const ofList = ['id', 'orderId', 'transactionHash']

async function keysOf(reader: Reader): Promise<Record<string, string>> {
  if (reader === 'public') return bff.keys.public
  if (reader === 'secret') return bff.keys.secret
  if (reader === 'agent') {
    const terms = { kind: 'api', scope: 'agent', agentId: 'bot' } as const
    const { key, secret } = await bff.deps.db.write((tx) =>
      createKey(tx, bff.deps.runtime, bff.merchant.merchantId, terms),
    )
    return { 'X-API-Key': key, 'X-API-Secret': secret ?? '' }
  }
  const page = await signedIn(bff, reader satisfies Role)
  return { Cookie: page.cookie(), 'Sec-Fetch-Site': 'same-origin' }
}

/** A payment with everything that can be attached, made by a link and ended. */
async function fill() {
  const linked = {
    amount: '25.00',
    orderId: 'order-1',
    callbackUrl: 'https://shop.example/hooks',
    metadata: { a: 'b' },
  }
  const { body } = await ask('POST', '/links', bff.keys.secret, linked)
  const { id: linkId } = body['link'] as { id: string }
  const choice = { network: 'devnet', currency: 'USDC', customerEmail: 'ada@example.com' }
  const byLink = (await ask('POST', `/links/public/${linkId}/create`, {}, choice)).body.payment['id'] as string
  const { id } = await make(bff.keys.secret, { ...linked, orderId: 'order-2', agentId: 'bot', agentOwner: 'Ada' })
  const ending = { status: 'cancelled', reason: 'sold out' }
  await ask('POST', '/payments/fail', bff.keys.secret, { paymentId: id, ...ending })
  await setMerchant(bff.deps.db, bff.merchant.merchantId, { publicReports: true })
  bff.advance(1_001)
  return [byLink, id]
}
const ids = await fill()

/** Link ids are shortened for viewers, wherever they stand. */
const shortened = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll(/\bpl_([\w-]{6})[\w-]{18}/g, 'pl_$1…'))

/** What the reader is answered, each with the answer to API key and secret; not where the reader may not call at all. */
async function answersTo(reader: Reader) {
  const keys = await keysOf(reader)
  const found: { path: string; shown: Fields[]; all: Fields[] }[] = []
  for (const path of [...ids.map((id) => `/payments/${id}`), '/links', '/payments/merchant/list']) {
    const pick = async (by: Record<string, string>) => {
      const { status, body } = await ask('GET', path, by)
      if (status === 403) return undefined
      expect(status).toBe(200)
      if (path === '/links') return body['links'] as Fields[]
      return path.endsWith('/list') ? ((body as Fields)['payments'] as { data: Fields[] }).data : [body.payment]
    }
    const [shown, all = []] = [await pick(keys), await pick(bff.keys.secret)]
    if (shown) found.push({ path, shown, all })
  }
  return found
}

describe('each field of an answer', () => {
  test('that somebody does not see says so in the OpenAPI document', async () => {
    const { body } = await bff.read('/api/openapi.json', {})
    const documented: Record<string, unknown> = {}
    JSON.stringify(body, (name, value: unknown) => {
      const readers = (value as Fields | null)?.['x-seen-by']
      if (readers !== undefined) documented[name] = readers
      return value
    })
    expect(documented).toEqual(seenBy)
  })

  test.each(['public', 'agent', 'viewer', 'staff', 'owner', 'secret'] as const)(
    'is shown to %s or not',
    async (reader) => {
      const answers = await answersTo(reader)
      expect(answers.length).toBe({ public: 3, agent: 2 }[reader as string] ?? 4)
      for (const { path, shown, all } of answers) {
        expect(shown).toHaveLength(all.length)
        for (const [index, full] of all.entries()) {
          for (const [name, value] of Object.entries(full)) {
            const isGuarded = path.endsWith('/list') ? ofList.includes(name) : !['id', 'transactionHash'].includes(name)
            const isSeen = !isGuarded || (seenBy[name]?.includes(reader) ?? true)
            const given = shown[index]?.[name]
            if (isSeen) expect([path, name, shortened(given)]).toEqual([path, name, shortened(value)])
            else expect([path, name, given ?? {}]).toEqual([path, name, {}])
          }
        }
      }
    },
  )

  test('that is withheld from somebody had a value in one of these answers', async () => {
    const all = (await answersTo('secret')).flatMap(({ shown }) => shown)
    const filled = Object.keys(seenBy).filter((name) =>
      all.some((fields) => fields[name] != null && JSON.stringify(fields[name]) !== '{}'),
    )
    expect(filled.sort()).toEqual(
      Object.keys(seenBy)
        // Of a refund, and none of these payments has one.
        .filter((name) => !['transactionHash', 'pageUrl', 'requestedBy'].includes(name))
        .sort(),
    )
  })
})
