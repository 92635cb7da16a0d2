import { setTimeout as sleep } from 'node:timers/promises'
import {
  accept,
  type DashboardPage,
  inviteTo,
  openPage,
  pageOrigin,
  signedIn,
} from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { invite, peopleMax } from '../sign-in/invitations.ts'

let bff: AppFixture
let owner: DashboardPage
beforeEach(async () => {
  bff = await openApp()
  owner = await signedIn(bff)
})
afterEach(() => bff.close())

type Invited = { id: string; link: string }
const path = '/dashboard/people/invitations'

async function inviteBy(page: DashboardPage, name: string, role = 'owner'): Promise<Invited> {
  const { status, body } = await page.confirm('POST', path, { name, role })
  expect([status, body['message']]).toEqual([200, undefined])
  return body as unknown as Invited
}

const tokenOf = ({ link }: Invited): string => link.split('=')[1] ?? ''

async function invitationsOf(page: DashboardPage) {
  return (await page.ask('GET', path)).body['invitations'] as Record<string, unknown>[]
}

async function idOf(page: DashboardPage): Promise<string> {
  const { body } = await page.ask('GET', '/dashboard/session')
  return (body['session'] as { person: { id: string } }).person.id
}

describe('an invitation', () => {
  test('is listed with its creator until it is accepted, revoked or expired', async () => {
    const [first, second] = [await inviteBy(owner, 'Bob', 'staff'), await inviteBy(owner, 'Eve')]
    bff.advance(1)
    await inviteTo(bff, { name: 'Cleo', role: 'viewer' })
    expect(await invitationsOf(owner)).toMatchObject([
      { name: 'Cleo', role: 'viewer', invitedBy: 'command line', endsAt: '2026-11-21T12:10:00.001Z' },
      ...[first, second]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id }) => ({ id, invitedBy: 'Ada', isDemo: false, replacesPasskey: false })),
    ])
    expect(JSON.stringify(await invitationsOf(owner))).not.toContain(tokenOf(first))
    expect((await accept(openPage(bff), tokenOf(first))).status).toBe(200)
    expect((await owner.ask('DELETE', `${path}/${second.id}`)).status).toBe(200)
    expect((await invitationsOf(owner)).map(({ name }) => name)).toEqual(['Cleo'])
    const refused = await accept(openPage(bff), tokenOf(second))
    expect([refused.status, refused.body['code']]).toEqual([403, 'INVITATION_ENDED'])
    for (const { id } of [first, second]) {
      const again = await owner.ask('DELETE', `${path}/${id}`)
      expect([again.status, again.body['code']]).toEqual([404, 'NOT_FOUND'])
    }
    const { body } = await owner.ask('GET', '/dashboard/audit')
    const entries = body['entries'] as Record<string, unknown>[]
    expect(entries.filter(({ action }) => action === 'invitation.takenBack')).toMatchObject([{ subject: 'Eve' }])
    bff.advance(10 * 60_000)
    expect(await invitationsOf(owner)).toEqual([])
  })

  test.each(['before its passkey arrives', 'before the commit that uses it'])(
    'that is revoked %s lets nobody in',
    async (when) => {
      const invited = await inviteBy(owner, 'Zoe')
      const token = tokenOf(invited)
      const zoe = openPage(bff)
      const { body } = await zoe.ask('POST', '/dashboard/invitation/options', { token })
      const response = zoe.passkey.register(body['options'] as { challenge: string; rp: { id: string } }, pageOrigin)
      const revoke = async () => expect((await owner.ask('DELETE', `${path}/${invited.id}`)).status).toBe(200)
      if (when === 'before its passkey arrives') await revoke()
      else {
        const { db } = bff.deps
        const write = db.write.bind(db)
        const spy = vi.spyOn(db, 'write').mockImplementationOnce(async (unit) => {
          spy.mockRestore()
          await revoke()
          return await write(unit)
        })
      }
      const accepted = await zoe.ask('POST', '/dashboard/invitation/accept', { token, response })
      expect(accepted.body).toMatchObject({ success: false, code: 'INVITATION_ENDED' })
      expect((await zoe.ask('GET', '/dashboard/session')).status).toBe(401)
      expect((await zoe.signIn()).body).toMatchObject({ code: 'PASSKEY_REFUSED' })
      const { body: listed } = await owner.ask('GET', '/dashboard/people')
      expect(listed['people']).toMatchObject([{ name: 'Ada' }])
    },
  )

  test('of another merchant is neither listed nor revoked', async () => {
    const theirs = openPage(bff)
    await accept(theirs, await inviteTo(bff, { merchantId: bff.other.merchantId, name: 'Eve' }))
    const { id, ...invited } = await inviteBy(owner, 'Bob')
    expect(await invitationsOf(theirs)).toEqual([])
    expect(await theirs.ask('DELETE', `${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await accept(openPage(bff), tokenOf({ id, ...invited }))).status).toBe(200)
  })

  test.each([
    ['was removed', 'DELETE', undefined],
    ['became staff', 'PATCH', { role: 'staff' }],
  ])('ends when the owner who created it %s, and lets nobody back in', async (_, method, body) => {
    const mallory = await signedIn(bff, 'owner', 'Mallory')
    const invited = await inviteBy(mallory, 'Mallory again')
    const others = await inviteBy(owner, 'Bob', 'viewer')
    expect((await owner.confirm(method, `/dashboard/people/${await idOf(mallory)}`, body)).status).toBe(200)
    const back = await accept(openPage(bff), tokenOf(invited))
    expect([back.status, back.body['code']]).toEqual([403, 'INVITATION_ENDED'])
    expect((await invitationsOf(owner)).map(({ name }) => name)).toEqual(['Bob'])
    expect((await accept(openPage(bff), tokenOf(others))).status).toBe(200)
  })

  test.each([
    ['was removed', 'DELETE', undefined],
    ['became staff', 'PATCH', { role: 'staff' }],
  ])('is not valid when its owner %s between the check of the session and the commit', async (_, method, body) => {
    const mallory = await signedIn(bff, 'owner', 'Mallory')
    const invitedBy = await idOf(mallory)
    expect((await owner.confirm(method, `/dashboard/people/${invitedBy}`, body)).status).toBe(200)
    // What the pending request commits.
    const merchantId = bff.merchant.merchantId as MerchantId
    const asked = { merchantId, name: 'Mallory again', role: 'owner', personId: null, invitedBy } as const
    const { token } = await bff.deps.db.write((tx) => invite(tx, bff.deps.runtime, asked))
    const back = await accept(openPage(bff), token)
    expect([back.status, back.body['code']]).toEqual([403, 'INVITATION_ENDED'])
    expect(await invitationsOf(owner)).toEqual([])
  })

  test('of an owner who became staff stays invalid when that person is an owner again, and a new name ends none', async () => {
    const grace = await signedIn(bff, 'owner', 'Grace')
    const person = `/dashboard/people/${await idOf(grace)}`
    const [first, second] = [await inviteBy(grace, 'Bob', 'staff'), await inviteBy(grace, 'Eve', 'staff')]
    expect((await owner.confirm('PATCH', person, { name: 'Grace H.' })).status).toBe(200)
    expect((await accept(openPage(bff), tokenOf(first))).status).toBe(200)
    for (const role of ['staff', 'owner']) expect((await owner.confirm('PATCH', person, { role })).status).toBe(200)
    const back = await accept(openPage(bff), tokenOf(second))
    expect([back.status, back.body['code']]).toEqual([403, 'INVITATION_ENDED'])
  })

  test('leaves nothing behind when its owner is removed, and neither does a passkey', async () => {
    const grace = await signedIn(bff, 'owner', 'Grace')
    const id = await idOf(grace)
    await inviteBy(grace, 'Bob', 'staff')
    const left = async () => {
      const { db } = bff.deps
      const rows = await db.read(async (tx) => [
        ...(await tx.all(sql`select person_id from passkeys where person_id = ${id}`)),
        ...(await tx.all(sql`select invited_by from invitations where invited_by = ${id}`)),
      ])
      return rows.length
    }
    expect(await left()).toBe(2)
    expect((await owner.confirm('DELETE', `/dashboard/people/${id}`)).status).toBe(200)
    expect(await left()).toBe(0)
  })

  test('that replaces a passkey has the name and role of its person, whatever was requested', async () => {
    const viewer = await signedIn(bff, 'viewer', 'Vera')
    await inviteTo(bff, { personId: await idOf(viewer), name: 'Mallory', role: 'owner' })
    expect(await invitationsOf(owner)).toMatchObject([{ name: 'Vera', role: 'viewer', replacesPasskey: true }])
  })

  test('that replaces a passkey ends with its person, and creates no other person of that name', async () => {
    const staff = await signedIn(bff, 'staff', 'Sam')
    const token = await inviteTo(bff, { personId: await idOf(staff) })
    const page = openPage(bff)
    const { body } = await page.ask('POST', '/dashboard/invitation/options', { token })
    const response = page.passkey.register(body['options'] as { challenge: string }, pageOrigin)
    expect((await owner.confirm('DELETE', `/dashboard/people/${await idOf(staff)}`)).status).toBe(200)
    const back = await page.ask('POST', '/dashboard/invitation/accept', { token, response })
    expect([back.status, back.body['code']]).toEqual([403, 'INVITATION_ENDED'])
    const { body: shown } = await owner.ask('GET', '/dashboard/people')
    expect((shown['people'] as { name: string }[]).map(({ name }) => name)).not.toContain('Sam')
  })

  test('is not created for the 201st person of a merchant, but for a passkey of any existing one', async () => {
    const merchantId = bff.merchant.merchantId as MerchantId
    const asked = { merchantId, name: 'Last', role: 'viewer', personId: null, invitedBy: null } as const
    const inviteOf = (personId: string | null) =>
      bff.deps.db.write((tx) => invite(tx, bff.deps.runtime, { ...asked, personId }))
    const personId = await idOf(owner)
    await bff.deps.db.write((tx) =>
      tx.run(sql`
          insert into people (id, merchant_id, name, role, created_at_ms)
          with recursive more (n) as (select 2 union all select n + 1 from more where n < ${peopleMax - 1})
          select 'person ' || n, ${merchantId}, 'n', 'viewer', 0 from more`),
    )
    expect((await accept(openPage(bff), (await inviteOf(null)).token)).status).toBe(200)
    await expect(inviteOf(null)).rejects.toThrow('a merchant has at most 200 people')
    await expect(inviteOf(personId)).resolves.toMatchObject({ token: expect.any(String) })
  })

  test('that was created with a stolen passkey ends when the passkey is replaced', async () => {
    const invited = await inviteBy(owner, 'Thief')
    const token = await inviteTo(bff, { personId: await idOf(owner) })
    expect((await accept(openPage(bff), token)).status).toBe(200)
    expect((await accept(openPage(bff), tokenOf(invited))).body['code']).toBe('INVITATION_ENDED')
  })
})

describe('a stream of the dashboard', () => {
  /** @returns whether it has ended within that time. */
  async function openStream(headers: Record<string, string>) {
    const response = await bff.fetch('/api/v1/payments/events', { headers })
    const reader = response.body?.getReader()
    expect([response.status, new TextDecoder().decode((await reader?.read())?.value)]).toEqual([
      200,
      expect.stringContaining('event: payments'),
    ])
    return async (withinMs: number): Promise<boolean> => {
      const ended = (async () => {
        while (!(await reader?.read())?.done);
        return true
      })()
      return await Promise.race([ended, sleep(withinMs, false)])
    }
  }
  const headersOf = (page: DashboardPage) => ({
    Cookie: page.cookie(),
    Origin: pageOrigin,
    'Sec-Fetch-Site': 'same-origin',
  })

  /** Far longer than needed. */
  const boundMs = 10_000

  test.each<[string, (id: string, page: DashboardPage) => Promise<{ status: number }>]>([
    ['was removed', (id) => owner.confirm('DELETE', `/dashboard/people/${id}`)],
    ['became a viewer', (id) => owner.confirm('PATCH', `/dashboard/people/${id}`, { role: 'viewer' })],
    ['signed out', (_, page) => page.ask('DELETE', '/dashboard/session')],
  ])('ends when the person %s, by a notification to every replica', async (_, change) => {
    const page = await signedIn(bff, 'staff', 'Sam')
    const hasEnded = await openStream(headersOf(page))
    const others = await openStream(headersOf(owner))
    const notified: string[] = []
    const endListening = bff.deps.db.listen((ids) => notified.push(...(ids === 'any' ? [] : ids)))
    // PostgreSQL's listening connection opens meanwhile; commits before it listens are notified of as `any`.
    await expect
      .poll(async () => {
        await bff.deps.db.write(async (tx) => tx.notify('listening'))
        return notified
      })
      .toContain('listening')
    const { body } = await page.ask('GET', '/dashboard/sessions')
    const [session] = body['sessions'] as { id: string }[]
    const id = await idOf(page)
    expect((await change(id, page)).status).toBe(200)
    expect(await hasEnded(boundMs)).toBe(true)
    expect(await others(1)).toBe(false)
    await expect.poll(() => notified.filter((one) => one === id || one === session?.id)).not.toEqual([])
    endListening()
  })

  test.each<[string, (page: DashboardPage) => unknown, (page: DashboardPage) => Record<string, string>]>([
    ['the session’s time is over', () => bff.advance(12 * 3_600_000), headersOf],
    [
      'its key is revoked',
      async () => {
        await owner.confirm('DELETE', `/dashboard/keys/${bff.merchant.apiKey}`)
        bff.advance(1_000)
      },
      () => bff.keys.secret,
    ],
  ])('ends when %s', async (_, change, headers) => {
    const hasEnded = await openStream(headers(owner))
    await change(owner)
    expect(await hasEnded(boundMs)).toBe(true)
  })
})
