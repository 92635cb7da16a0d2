import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { noticeTroubles } from './notice-troubles.ts'
import { graceMs, type Observed, planTroubles, repeatMs } from './plan-troubles.ts'
import type { Trouble } from './trouble-store.ts'

const merchantId = 'm' as MerchantId
const dayMs = 24 * 60 * 60_000

/** What one cause did over time, as the names of its notices. */
function follow(steps: readonly (readonly [atMs: number, isWrong: boolean | null])[]): string[] {
  let known: Trouble[] = []
  const notices: string[] = []
  for (const [atMs, isWrong] of steps) {
    const observed: Observed[] = [{ cause: 'gas base', facts: { about: 'gas', name: 'Base', isOver: false }, isWrong }]
    const { save, forget, notify } = planTroubles(merchantId, known, observed, atMs)
    const changed = [...save, ...forget].map(({ cause }) => cause)
    known = [...known.filter(({ cause }) => !changed.includes(cause)), ...save]
    notices.push(...notify.map(({ facts }) => `${atMs}: ${facts.isOver ? 'over' : 'wrong'}`))
  }
  if (steps.at(-1)?.[0] === 9 * dayMs) expect(known).toEqual([])
  return notices
}

describe('trouble', () => {
  test('is reported once it has lasted, not again within six hours, and once when it is over', () => {
    expect(
      follow([
        [0, true],
        [graceMs - 1, true],
        [graceMs, true],
        [graceMs + 1, true],
        [graceMs + repeatMs - 1, true],
        [graceMs + repeatMs, true],
        [graceMs + repeatMs + 1, false],
        [graceMs + repeatMs + 2, false],
      ]),
    ).toEqual([`${graceMs}: wrong`, `${graceMs + repeatMs}: wrong`, `${graceMs + repeatMs + 1}: over`])
  })

  test('that is over before it has lasted is not reported, nor is its end', () => {
    expect(
      follow([
        [0, true],
        [graceMs - 1, false],
        [graceMs, true],
        [2 * graceMs - 1, true],
        [2 * graceMs - 1, false],
      ]),
    ).toEqual([])
  })

  test('that comes back within six hours is not reported again, and is after them', () => {
    expect(
      follow([
        [0, true],
        [graceMs, true],
        [graceMs + 1, false],
        [graceMs + 2, true],
        [3 * graceMs, true],
        [3 * graceMs + 1, false],
        [4 * graceMs, true],
        [graceMs + repeatMs, true],
      ]),
    ).toEqual([`${graceMs}: wrong`, `${graceMs + 1}: over`, `${graceMs + repeatMs}: wrong`])
  })

  test('goes on while it is not known, and is forgotten a week after its end', () => {
    expect(
      follow([
        [0, true],
        [graceMs, true],
        [graceMs + 1, null],
        [dayMs, false],
        [9 * dayMs, false],
      ]),
    ).toEqual([`${graceMs}: wrong`, `${dayMs}: over`])
  })
})

describe('of a merchant', () => {
  let bff: AppFixture
  let reason: string | null = null
  const health = { get: () => ({ isPayable: reason === null, reason }) }
  beforeEach(async () => {
    reason = null
    bff = await openApp({ webhookTargets: 'any', health })
  })
  afterEach(() => bff.close())

  const watch = () => noticeTroubles({ ...bff.deps, health }, bff.nowMs())
  const made = async () => {
    const rows = await bff.deps.db.read((tx) =>
      tx.all<{ facts: string }>(sql`select facts from notices where kind = 'trouble' order by number`),
    )
    return rows.map(({ facts }) => JSON.parse(facts) as object)
  }

  test('a failing webhook, low gas and a network that is down are reported to who chose it, and the end of each', async () => {
    const page = await signedIn(bff)
    const add = (chat: number, kinds: string[]) =>
      page.confirm('POST', '/dashboard/notices', {
        kind: 'telegram',
        url: `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage?chat_id=${chat}`,
        kinds,
        language: 'en',
      })
    await add(1, ['trouble'])
    await add(2, ['paid'])
    await page.confirm('POST', '/webhooks/endpoints', { url: 'https://books.example/hooks' })
    const fail = (atMs: number | null) =>
      bff.deps.db.write((tx) => tx.run(sql`update webhook_endpoints set failing_since_ms = ${atMs}`))
    const gas = (balanceWei: bigint) =>
      bff.deps.gasBalances.note('devnet', { address: '0x1', balanceWei, neededWei: 10n, readAtMs: bff.nowMs() })
    await watch()
    await fail(bff.nowMs())
    gas(100n)
    reason = 'No node answers.'
    await watch()
    expect(await made()).toEqual([])
    bff.advance(graceMs)
    await watch()
    await watch()
    const wrong = [
      { about: 'webhook', name: 'books.example', isOver: false },
      { about: 'gas', name: 'Devnet', isOver: false },
      { about: 'network', name: 'Devnet', isOver: false },
    ]
    expect(await made()).toEqual(expect.arrayContaining(wrong))
    expect(await made()).toHaveLength(3)
    await fail(null)
    gas(10_000n)
    reason = null
    await watch()
    await watch()
    expect((await made()).slice(3)).toEqual(expect.arrayContaining(wrong.map((one) => ({ ...one, isOver: true }))))
    expect(await made()).toHaveLength(6)
    const known = () => bff.deps.db.read((tx) => tx.all(sql`select cause from notice_troubles`))
    expect(await known()).toHaveLength(3)
    bff.advance(8 * 24 * 60 * graceMs)
    await watch()
    expect(await known()).toEqual([])
  })

  test('an endpoint that the merchant has disabled or deleted is no trouble', async () => {
    const page = await signedIn(bff)
    await page.confirm('POST', '/dashboard/notices', {
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T0000/B0000/abcdef',
      kinds: ['trouble'],
      language: 'en',
    })
    const { body } = await page.confirm('POST', '/webhooks/endpoints', { url: 'https://books.example/hooks' })
    const { id } = body['endpoint'] as { id: string }
    await bff.deps.db.write((tx) =>
      tx.run(sql`update webhook_endpoints set failing_since_ms = 1, disabled_reason = 'merchant'`),
    )
    await watch()
    bff.advance(graceMs)
    await watch()
    expect(await made()).toEqual([])
    expect((await page.confirm('DELETE', `/webhooks/endpoints/${id}`)).status).toBe(200)
    await watch()
    expect(await made()).toEqual([])
  })
})
