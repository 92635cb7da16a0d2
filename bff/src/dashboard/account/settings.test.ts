import { generateKeyPairSync, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { accept, inviteTo, openPage, pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isSignedByKey } from '../../chain/solana/signer/wallet-signature.ts'
import { sql } from '../../db/db.ts'
import { parseTolerance } from '../../merchant/merchant-settings.ts'
import { loadSettings, saveSettings } from '../../merchant/settings-store.ts'
import type { MerchantId } from '../../payment/payment.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

type Page = Awaited<ReturnType<typeof signedIn>>
const account = privateKeyToAccount(`0x${'2'.repeat(64)}`)
const stranger = privateKeyToAccount(`0x${'3'.repeat(64)}`)

async function auditOf(page: Page) {
  const { body } = await page.ask('GET', '/dashboard/audit')
  return body['entries'] as Record<string, unknown>[]
}

async function peopleOf(page: Page) {
  const { body } = await page.ask('GET', '/dashboard/people')
  return body['people'] as { id: string; name: string; role: string; isYou: boolean }[]
}

describe('a wallet', () => {
  const path = '/dashboard/wallets/devnet'
  const prove = async (page: Page, address: string = account.address) =>
    (await page.ask('POST', '/dashboard/wallets/proofs', { network: 'devnet', address })).body as {
      nonce: string
      message: string
    }

  test('is changed by an owner’s passkey and the new wallet’s signature, for later payments', async () => {
    const page = await signedIn(bff)
    const { nonce, message } = await prove(page)
    const body = { address: account.address, nonce, signature: await account.signMessage({ message }) }
    expect((await page.ask('PUT', path, body)).body['code']).toBe('CONFIRMATION_REQUIRED')
    const { status, body: answer } = await page.confirm('PUT', path, body)
    expect([status, answer['wallets']]).toMatchObject([200, [{ network: 'devnet', address: account.address }, {}]])
    expect((await auditOf(page))[0]).toMatchObject({
      person: { name: 'Ada' },
      action: 'wallet.changed',
      subject: 'devnet',
      before: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      after: account.address,
    })
    const replayed = await page.confirm('PUT', path, body)
    expect([replayed.status, replayed.body['code']]).toEqual([403, 'WALLET_NOT_PROVEN'])
  })

  test('whose key nobody has is refused', async () => {
    const page = await signedIn(bff)
    const { nonce, message } = await prove(page)
    for (const signature of [
      await stranger.signMessage({ message }),
      await account.signMessage({ message: 'x' }),
      '0x',
    ]) {
      const refused = await page.confirm('PUT', path, { address: account.address, nonce, signature })
      expect(refused.body['code']).toBe('WALLET_NOT_PROVEN')
    }
    const other = await prove(page, stranger.address)
    const signature = await account.signMessage({ message: other.message })
    const refused = await page.confirm('PUT', path, { address: account.address, nonce: other.nonce, signature })
    expect(refused.body['code']).toBe('WALLET_NOT_PROVEN')
    expect((await page.ask('GET', '/dashboard/wallets')).body['wallets']).toMatchObject([
      { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      {},
    ])
  })

  test('must be proven within five minutes, with a text of this service', async () => {
    const page = await signedIn(bff)
    const { nonce, message } = await prove(page)
    const made = 'A'.repeat(nonce.length)
    const forged = await account.signMessage({ message: message.replace(nonce, made) })
    const own = { address: account.address, nonce: made, signature: forged }
    expect((await page.confirm('PUT', path, own)).body['code']).toBe('WALLET_NOT_PROVEN')
    bff.advance(5 * 60_000)
    const late = { address: account.address, nonce, signature: await account.signMessage({ message }) }
    expect((await page.confirm('PUT', path, late)).body['code']).toBe('WALLET_NOT_PROVEN')
  })

  test('is proven by a text that was made for it, its network and its merchant alone', async () => {
    const page = await signedIn(bff)
    const theirs = openPage(bff)
    await accept(theirs, await inviteTo(bff, { merchantId: bff.other.merchantId, name: 'Eve' }))
    const { body } = await page.ask('GET', '/dashboard/wallets')
    const [, second] = body['wallets'] as { network: string }[]
    const network = String(second?.network)
    const { nonce, message } = await prove(page)
    const signed = async (text: string, by = account) => ({
      ...{ address: by.address, nonce, signature: await by.signMessage({ message: text }) },
    })
    const proofOfTheirs = await prove(theirs)
    const textOfTheirs = proofOfTheirs.message.replace(proofOfTheirs.nonce, nonce)
    const refused = [
      await page.confirm('PUT', `/dashboard/wallets/${network}`, await signed(message.replace('devnet', network))),
      await page.confirm('PUT', path, await signed(message.replace(account.address, stranger.address), stranger)),
      await theirs.confirm('PUT', path, await signed(textOfTheirs)),
    ]
    expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(
      refused.map(() => [403, 'WALLET_NOT_PROVEN']),
    )
    expect((await page.confirm('PUT', path, await signed(message))).status).toBe(200)
  })

  test('cannot be a token', async () => {
    const page = await signedIn(bff)
    const token = [...bff.deps.networks.values()][0]?.tokens[0]?.address ?? ''
    const { status, body } = await page.ask('POST', '/dashboard/wallets/proofs', { network: 'devnet', address: token })
    expect([status, body['message']]).toEqual([400, expect.stringContaining('is the address of a token')])
  })

  test('of Solana signs with its ed25519 key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const address = base58.encode(publicKey.export({ format: 'der', type: 'spki' }).subarray(12))
    const signature = base58.encode(sign(null, Buffer.from('text'), privateKey))
    expect(isSignedByKey(address, 'text', signature)).toBe(true)
    expect(isSignedByKey(address, 'other text', signature)).toBe(false)
    expect(isSignedByKey(address, 'text', 'no base58 0OIl')).toBe(false)
    expect(isSignedByKey('11111111111111111111111111111112', 'text', signature)).toBe(false)
  })
})

describe('a key', () => {
  test('is rotated while a shop uses the old one, and is revoked', async () => {
    const page = await signedIn(bff)
    const old = bff.merchant.apiKey
    const { body: made } = await page.confirm('POST', `/dashboard/keys/${old}/rotate`, { overlapHours: 1 })
    const fresh = { 'X-API-Key': String(made['key']), 'X-API-Secret': String(made['secret']) }
    const reads = async (keys: Record<string, string>) => (await bff.read('/api/v1/events', keys)).status
    expect([await reads(fresh), await reads(bff.keys.secret)]).toEqual([200, 200])
    const isGood = async () => {
      const { body } = await page.ask('GET', '/dashboard/keys')
      return (body['keys'] as { key: string; isGood: boolean }[]).find(({ key }) => key === old)?.isGood
    }
    bff.advance(3_599_000)
    expect([await reads(fresh), await reads(bff.keys.secret), await isGood()]).toEqual([200, 200, true])
    bff.advance(1_000)
    expect([await reads(fresh), await reads(bff.keys.secret), await isGood()]).toEqual([200, 401, false])
    expect((await page.confirm('DELETE', `/dashboard/keys/${made['key']}`)).status).toBe(200)
    bff.advance(1_000)
    expect(await reads(fresh)).toBe(401)
    expect((await auditOf(page)).map(({ action }) => action)).toEqual(['key.revoked', 'key.rotated', 'person.joined'])
  })

  test('of another merchant is unknown', async () => {
    const page = await signedIn(bff)
    const { status, body } = await page.confirm('DELETE', `/dashboard/keys/${bff.other.apiKey}`)
    expect([status, body['message']]).toEqual([400, expect.stringContaining('there is no key')])
  })
})

describe('people', () => {
  test('are invited, get another role immediately, and are removed with all their sessions', async () => {
    const owner = await signedIn(bff)
    const { body } = await owner.confirm('POST', '/dashboard/people/invitations', { name: 'Bob', role: 'staff' })
    expect(body['link']).toMatch(/^http:\/\/localhost\/dashboard#invitation=[\w-]{43}$/)
    const bob = openPage(bff)
    await accept(bob, String(body['link']).split('=')[1] ?? '')
    const known = (await peopleOf(owner)).find(({ name }) => name === 'Bob')
    expect(known).toMatchObject({ role: 'staff', isYou: false })
    expect((await bob.ask('POST', '/deposits/create', order)).status).toBe(200)
    await owner.confirm('PATCH', `/dashboard/people/${known?.id}`, { role: 'viewer' })
    expect((await bob.ask('POST', '/deposits/create', order)).body['code']).toBe('ROLE_NOT_ALLOWED')
    await owner.confirm('DELETE', `/dashboard/people/${known?.id}`)
    expect(await bob.ask('GET', '/dashboard/session')).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
    expect(await bob.signIn()).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
  })

  test('keep their last owner', async () => {
    const owner = await signedIn(bff)
    const [self] = await peopleOf(owner)
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'staff' }],
    ] as const) {
      const refused = await owner.confirm(method, `/dashboard/people/${self?.id}`, body)
      expect([refused.status, refused.body['code']]).toEqual([409, 'LAST_OWNER'])
    }
  })

  test('keep an owner also when two remove each other at the same time', async () => {
    const [one, two] = [await signedIn(bff, 'owner', 'One'), await signedIn(bff, 'owner', 'Two')]
    const people = await peopleOf(one)
    const idOf = (name: string) => people.find((person) => person.name === name)?.id
    await Promise.all([
      one.confirm('DELETE', `/dashboard/people/${idOf('Two')}`).catch(() => undefined),
      two.confirm('DELETE', `/dashboard/people/${idOf('One')}`).catch(() => undefined),
    ])
    const left = await bff.deps.db.read((tx) => tx.all(sql`select id from people where removed_at_ms is null`))
    expect(left).toHaveLength(1)
  })

  test('of another merchant are unknown', async () => {
    const owner = await signedIn(bff)
    const theirs = openPage(bff)
    await accept(theirs, await inviteTo(bff, { merchantId: bff.other.merchantId, name: 'Eve' }))
    const [eve] = await peopleOf(theirs)
    expect((await peopleOf(owner)).map(({ name }) => name)).toEqual(['Ada'])
    expect(await owner.confirm('DELETE', `/dashboard/people/${eve?.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await theirs.ask('GET', '/dashboard/session')).status).toBe(200)
  })
})

describe('sessions', () => {
  test('are listed and ended: an owner sees everybody’s, others only their own', async () => {
    const owner = await signedIn(bff)
    const viewer = await signedIn(bff, 'viewer', 'Vic')
    const sessionsOf = async (page: Page) =>
      (await page.ask('GET', '/dashboard/sessions')).body['sessions'] as {
        id: string
        person: { name: string }
        isThis: boolean
      }[]
    expect((await sessionsOf(owner)).map(({ person }) => person.name).sort()).toEqual(['Ada', 'Vic'])
    expect((await sessionsOf(viewer)).map(({ person, isThis }) => [person.name, isThis])).toEqual([['Vic', true]])
    const owners = (await sessionsOf(owner)).find(({ isThis }) => isThis)
    expect(await viewer.ask('DELETE', `/dashboard/sessions/${owners?.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const [own] = await sessionsOf(viewer)
    expect((await owner.ask('DELETE', `/dashboard/sessions/${own?.id}`)).status).toBe(200)
    expect(await viewer.ask('GET', '/dashboard/session')).toMatchObject({
      status: 401,
      body: { code: 'SESSION_ENDED' },
    })
  })
})

test('streams end immediately when an owner ends their session or removes their person', async () => {
  const owner = await signedIn(bff)
  await signedIn(bff, 'viewer', 'Vic')
  const { body } = await owner.ask('GET', '/dashboard/sessions')
  const sessions = body['sessions'] as { id: string; person: { name: string } }[]
  const session = sessions.find(({ person }) => person.name === 'Vic')?.id
  const person = (await peopleOf(owner)).find(({ name }) => name === 'Vic')?.id
  const heard = new Set<string>()
  const endListening = bff.deps.db.listen((ids) => {
    if (ids !== 'any') for (const id of ids) heard.add(id)
  })
  // PostgreSQL's listening connection opens meanwhile; commits before it listens are notified of as `any`.
  await expect
    .poll(async () => {
      await bff.deps.db.write(async (tx) => tx.notify('listening'))
      return [...heard]
    })
    .toEqual(['listening'])
  await owner.ask('DELETE', `/dashboard/sessions/${session}`)
  await expect.poll(() => [...heard]).toEqual(['listening', session])
  await owner.confirm('DELETE', `/dashboard/people/${person}`)
  await expect.poll(() => [...heard]).toContain(person)
  endListening()
})

describe('settings', () => {
  test('are changed with an owner’s passkey, and each change is in the audit log', async () => {
    const owner = await signedIn(bff)
    const { body } = await owner.confirm('PATCH', '/dashboard/settings', { name: 'Corner Café', tolerance: '100,1.50' })
    expect(body['settings']).toMatchObject({ name: 'Corner Café', tolerance: '100,1.50', latePayments: 'report' })
    expect((await auditOf(owner)).slice(0, 2)).toMatchObject([
      { subject: 'tolerance', before: '0,0.00', after: '100,1.50' },
      { subject: 'name', before: 'Corner Coffee', after: 'Corner Café' },
    ])
    const kept = await owner.ask('GET', '/dashboard/settings')
    expect(kept.body['settings']).toEqual(body['settings'])
    const refused = await owner.confirm('PATCH', '/dashboard/settings', { tolerance: '2000,1' })
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      expect.stringContaining('tolerance must be at most'),
    ])
  })

  test('two concurrent changes of different settings are both kept', async () => {
    const owner = await signedIn(bff)
    const { db } = bff.deps
    const write = db.write.bind(db)
    const spy = vi.spyOn(db, 'write')
    let changes = 0
    // Another owner changes the tolerance before this request's first write.
    spy.mockImplementation(async (work) => {
      const tolerance = parseTolerance(`${++changes},1.50`)
      const merchantId = bff.merchant.merchantId as MerchantId
      await write(async (tx) => {
        const before = await loadSettings(tx, merchantId)
        if (before) await saveSettings(tx, merchantId, { ...before, tolerance })
      })
      return await write(work)
    })
    const { status } = await owner.confirm('PATCH', '/dashboard/settings', { latePayments: 'accept' })
    spy.mockRestore()
    expect(status).toBe(200)
    const { body } = await owner.ask('GET', '/dashboard/settings')
    expect(body['settings']).toMatchObject({ tolerance: `${changes},1.50`, latePayments: 'accept' })
  })
})

describe('the demo’s link', () => {
  const signInBy = (page: Page, token: string) => page.ask('POST', '/dashboard/demo-sign-in', { token })

  test('is refused if a network has real money', async () => {
    const [network] = bff.deps.networks.values()
    if (network) bff.deps.networks.set(network.shortName, { ...network, isTestnet: false })
    const page = openPage(bff)
    const refused = await signInBy(page, await inviteTo(bff, { isDemo: true }))
    expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining('has real money')])
    expect(await page.ask('GET', '/dashboard/session')).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  test('signs the same person in without a passkey, who adds one before operations that require it', async () => {
    const token = await inviteTo(bff, { isDemo: true, name: 'Newcomer' })
    const [first, page] = [openPage(bff), openPage(bff)]
    expect((await signInBy(first, token)).status).toBe(200)
    expect((await signInBy(page, token)).status).toBe(200)
    expect((await peopleOf(page)).map(({ name }) => name)).toEqual(['Newcomer'])
    const none = await page.ask('POST', '/dashboard/confirmations', { method: 'POST', path: '/x', body: '' })
    expect(none.body['code']).toBe('NO_PASSKEY')
    const { body } = await page.ask('POST', '/dashboard/passkeys/options')
    const response = page.passkey.register(body['options'] as { challenge: string }, pageOrigin)
    expect((await page.ask('POST', '/dashboard/passkeys', { response })).status).toBe(200)
    expect((await page.confirm('POST', '/dashboard/keys', { kind: 'public' })).status).toBe(200)
    expect((await page.ask('POST', '/dashboard/passkeys', { response })).body['code']).toBe('CONFIRMATION_REQUIRED')
    // An invitation does not accept the demo's token, nor the other way round.
    expect((await accept(openPage(bff), token)).body['code']).toBe('INVITATION_ENDED')
    expect((await signInBy(openPage(bff), await inviteTo(bff))).body['code']).toBe('INVITATION_ENDED')
  })
})
