import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { runBeside } from './harness/bff.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, files, gates, sweep, wallets } = await openStory('accounts', { gated: true })
const { merchantId } = bff.merchant

/** Runs a command beside the running service. @returns its answer. */
async function run(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runBeside([...args, '--json'], files.env)
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('a running service takes the new key at once, the old one until its end, and a revoked one no more', async () => {
  const status = async (key: string, secret: string) =>
    (await bff.get('/payments/merchant/list', { 'x-api-key': key, 'x-api-secret': secret })).status
  const made = await run('keys', 'create', merchantId, '--kind', 'api')
  const [apiKey, apiSecret] = [String(made['key']), String(made['secret'])]
  const rotated = await run('keys', 'rotate', apiKey, '--overlap-hours', '1')
  const [key, secret] = [String(rotated['key']), String(rotated['secret'])]
  expect(await status(key, secret)).toBe(200)
  expect(await status(apiKey, apiSecret)).toBe(200)
  expect(await run('keys', 'list', merchantId)).toMatchObject({
    keys: expect.arrayContaining([
      expect.objectContaining({ key: apiKey, kind: 'api', isGood: true, endsAt: rotated['oldEndsAt'] }),
      expect.objectContaining({ key, kind: 'api', isGood: true, endsAt: null }),
    ]),
  })
  await run('keys', 'revoke', apiKey)
  await expect.poll(() => status(apiKey, apiSecret)).toBe(401)
  expect(await status(key, secret)).toBe(200)
  const listed = (await runBeside(['keys', 'list', merchantId], files.env)).stdout
  expect(listed).toMatch(new RegExp(`^${apiKey} +api +\\S+ +ended `, 'm'))
  expect(listed).not.toContain(secret)
})

test('a payment is paid to the wallet that it was created with, and the next one to the new wallet', async () => {
  const before = await bff.createDeposit({ amount: '25.00' })
  const next = getAddress(`0x${'5a'.repeat(20)}`)
  expect(await run('wallets', 'set', merchantId, `devnet=${next.toLowerCase()}`)).toEqual({
    merchantId,
    wallets: [{ network: 'devnet', address: next, source: null, before: wallets.merchant }],
  })
  expect((await run('wallets', 'list', merchantId))['wallets']).toContainEqual({
    network: 'devnet',
    address: next,
    source: null,
  })
  // The service remembers a key's merchant for a second.
  const created = await until('the service to know the new wallet', async () => {
    const payment = await bff.createDeposit({ amount: '30.00' })
    const [row] = await bff.query<{ terms: string }>(
      'select deposit_terms as terms from payments where id = ?',
      payment.id,
    )
    return row?.terms.includes(next) ? payment : undefined
  })
  for (const [payment, amount] of [
    [before, '25.00'],
    [created, '30.00'],
  ] as const) {
    await chain.pay(payment.depositAddress, amount)
  }
  await chain.mine(2)
  await sweep([before, created])
  expect(await chain.balance('USDC', wallets.merchant)).toBe(24_625_000n)
  expect(await chain.balance('USDC', next)).toBe(29_550_000n)
})

test('the link of a payment is printed with the client secret that its create returned', async () => {
  const { id } = await bff.createDeposit({ amount: '5.00' })
  expect(await run('payments', 'link', id)).toEqual({ id, clientSecret: bff.clientSecretOf(id), link: null })
})

test('what a public key reads of the turnover is the merchant’s to say', async () => {
  await bff.createDeposit({ amount: '5.00' })
  const count = async () => {
    const { body } = await bff.get('/payments/merchant/stats', { 'x-public-key': bff.merchant.publicKey })
    return (body['stats'] as { totalPayments: number }).totalPayments
  }
  expect(await count()).toBe(0)
  expect(await run('merchants', 'set', merchantId, '--public-reports', 'on')).toMatchObject({ publicReports: true })
  await expect.poll(count).toBeGreaterThan(0)
  expect(await run('merchants', 'set', merchantId, '--public-reports', 'off')).toMatchObject({ publicReports: false })
  await expect.poll(count).toBe(0)
})

test('the list of networks says which can be paid on, and why not', async () => {
  const list = async () => (await run('networks', 'list'))['networks'] as Record<string, unknown>[]
  const good = { isPayable: true, reason: null }
  expect(await list()).toMatchObject([
    { shortName: 'devnet', chainId: 31_337, tokens: ['USDC', 'USDT'], deposits: good, contractPayments: good },
    { shortName: 'devnet-b', deposits: good },
  ])
  await gates['devnet-b'].close()
  const [devnet, other] = await list()
  expect(devnet).toMatchObject({ deposits: good })
  expect(other?.['deposits']).toEqual({
    isPayable: false,
    reason: expect.stringMatching(/No node of .* returns a usable response/),
  })
})
