import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { insertPerson } from '../../dashboard/sign-in/people-store.ts'
import { sql } from '../../db/db.ts'
import { openDatabase } from '../../db/open-database.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { runCli } from './program.ts'
import { systemInput } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'checkout-dashboard-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const network = (isTestnet: boolean) => ({
  ...{ shortName: 'one', name: 'One', family: 'evm', chainId: 31_337, isTestnet, rpcUrls: ['http://127.0.0.1:1'] },
  ...{ confirmations: 3, platformWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  tokens: [{ symbol: 'USDC', name: 'USD Coin', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', decimals: 6 }],
})

let parts: object = {}

async function run(isTestnet: boolean, ...args: string[]) {
  const config = join(folder, 'checkout.json')
  const settings = { database: join(folder, 'checkout.sqlite'), port: 8787, networks: [network(isTestnet)], parts }
  writeFileSync(config, JSON.stringify(settings))
  let [out, errors] = ['', '']
  const exitCode = await runCli(args, {
    env: () => ({ BFF_CONFIG: config, OPERATOR_PRIVATE_KEY: `0x${'1'.repeat(64)}` }),
    input: systemInput(),
    folder: '/',
    program: { command: 'checkout', start: null },
    runtime: systemRuntime,
    write: (text) => {
      out += text
    },
    writeError: (text) => {
      errors += text
    },
  })
  return { exitCode, out, errors }
}

test('a link is printed for the single merchant, listed and revoked, and the demo’s only when all networks are test networks', async () => {
  expect((await run(true, 'dashboard', 'invite')).errors).toContain('there is no merchant')
  await run(true, 'merchants', 'create', '--name', 'Corner Coffee')
  expect((await run(true, 'dashboard', 'invite')).out).toMatch(
    /^http:\/\/localhost:8787\/dashboard#invitation=[\w-]{43}\n/,
  )
  expect((await run(true, 'dashboard', 'invite', '--demo')).out).toMatch(/\/dashboard#demo=[\w-]{43}\n/)
  const refused = await run(false, 'dashboard', 'invite', '--demo')
  expect([refused.exitCode, refused.errors]).toEqual([1, expect.stringContaining('One has real money')])

  const listed = async () =>
    (JSON.parse((await run(true, 'dashboard', 'invitations', '--json')).out) as { invitations: { id: string }[] })
      .invitations
  const [one, ...others] = await listed()
  expect([one, others.length]).toMatchObject([{ role: 'owner', invitedBy: 'command line' }, 1])
  const takenBack = await run(true, 'dashboard', 'revoke', one?.id ?? '')
  expect([takenBack.exitCode, takenBack.out]).toEqual([0, 'The invitation of Owner was revoked.\n'])
  expect(await listed()).toEqual(others)
  const again = await run(true, 'dashboard', 'revoke', one?.id ?? '')
  expect([again.exitCode, again.errors]).toEqual([1, expect.stringContaining('there is no open invitation')])

  await run(true, 'merchants', 'create', '--name', 'Other')
  expect((await run(true, 'dashboard', 'invite')).errors).toContain('there are several merchants')
})

test('a link that replaces a passkey is recorded with the name and the role of its person', async () => {
  await run(true, 'merchants', 'create', '--name', 'Bookshop')
  const db = await openDatabase(join(folder, 'checkout.sqlite'))
  try {
    const { id: merchantId } = (await db.read((tx) =>
      tx.get<{ id: MerchantId }>(sql`select id from merchants where name = 'Bookshop'`),
    )) as { id: MerchantId }
    const person = { id: 'person-1', merchantId, name: 'Ada', role: 'viewer' as const, createdAtMs: 1 }
    await db.write((tx) => insertPerson(tx, person))
    expect((await run(true, 'dashboard', 'invite', merchantId, '--person', person.id)).exitCode).toBe(0)
    expect(
      await db.read((tx) =>
        tx.all(sql`select subject, after_value as "after" from audit_log where merchant_id = ${merchantId}`),
      ),
    ).toEqual([{ subject: 'Ada', after: 'viewer' }])
  } finally {
    await db.close()
  }
})

test('no link is printed that the service would not answer: the dashboard is switched off', async () => {
  parts = { dashboard: false }
  const { exitCode, out, errors } = await run(true, 'dashboard', 'invite')
  expect([exitCode, out, errors]).toEqual([1, '', expect.stringContaining('the dashboard is switched off')])
})
