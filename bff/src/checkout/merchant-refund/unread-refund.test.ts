import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPromptCheck } from '../../chain/evm/submit/check-prompt.ts'
import { moveSecondReads, saveSecondRead } from '../../chain/evm/watch/second-read-store.ts'
import { saveFault } from '../../chain/watch-fault-store.ts'
import { type Db, type Sql, sql } from '../../db/db.ts'

const never = new AbortController().signal

let stage: ContractStage
// Each moves the time of its chain.
beforeEach(async () => {
  stage = await openContractStage()
  const account = stage.merchantAccount.address
  await stage.chain.setBalance({ address: account, value: 10n ** 19n })
  const data = encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [account, 1_000_000_000n] })
  await stage.send({ to: stage.network.tokens[0]?.address as Hex, data }, stage.tokenOwner)
})
afterEach(() => stage.close())

type Call = { approval: { to: Hex; data: Hex }; contractAddress: Hex; before: { data: Hex } }
type Refund = { id: string; status: string; prompt: object | null; call: Call | null }

async function ask(path: string, body?: unknown) {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { code?: string; refund: Refund; refunds: Refund[] }
}

async function settle() {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
}

/** A paid payment with a refund of 5 for which the merchant's wallet was prompted. */
async function prompted() {
  const payment = await stage.create()
  await stage.pay(payment)
  await settle()
  const address = privateKeyToAccount(generatePrivateKey()).address
  const { refund } = await ask(`/payments/${payment.id}/refunds`, { address, amount: '5.00' })
  const prompt = () => ask('/refunds/prompts', { refundIds: [refund.id], account: stage.merchantAccount.address })
  const { call } = (await prompt()).refunds[0] as Refund
  if (!call) throw new Error('There is no call.')
  return { payment, refund, prompt, call }
}

/** The merchant's wallet confirms. @returns the number of the block. */
async function confirm(call: Call): Promise<number> {
  await stage.send({ to: call.approval.to, data: call.approval.data }, stage.merchantAccount)
  const paid = await stage.send({ to: call.contractAddress, data: call.before.data }, stage.merchantAccount)
  return Number(paid.blockNumber)
}

test('a call of the splitter is not over while its block is to be read again: nobody is prompted to pay the refund twice', async () => {
  const { refund, prompt, call } = await prompted()
  const paidIn = await confirm(call)

  // The node omits the transfer at first, and then no longer returns its block.
  let isOmitted = false
  const lagging = stage.otherWatcher(
    {},
    {
      adapter: {
        ...stage.evm,
        async transfers(range, signal) {
          if (range.from > paidIn || range.to < paidIn) return await stage.evm.transfers(range, signal)
          if (isOmitted) throw new Error('no response')
          isOmitted = true
          await range.findWatched([])
          return []
        },
      },
    },
  )
  await lagging.pass(never)
  await stage.chain.increaseTime({ seconds: 2 * 3_600 })
  await stage.chain.mine({ blocks: confirmations })
  for (let passes = 0; passes < 4; passes++) await lagging.pass(never)
  expect(isOmitted).toBe(true)
  expect((await prompt()).code).toBe('REFUND_PROMPTED')
  const recovered = stage.otherWatcher({})
  for (let passes = 0; passes < 4; passes++) await recovered.pass(never)
  await settle()
  expect((await ask(`/refunds/${refund.id}`)).refund).toMatchObject({ status: 'paid', prompt: null })
})

test('nor is it over while a transfer read from its block could not be stored', async () => {
  const { payment, refund, prompt, call } = await prompted()
  const setMetadata = (metadata: string | null) =>
    stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${payment.id}`))
  await setMetadata('{')
  await confirm(call)
  await settle()
  await stage.chain.increaseTime({ seconds: 2 * 3_600 })
  await settle()
  await setMetadata(null)
  expect((await prompt()).code).toBe('REFUND_PROMPTED')
  const recovered = stage.otherWatcher({})
  for (let passes = 0; passes < 4; passes++) await recovered.pass(never)
  await settle()
  expect((await ask(`/refunds/${refund.id}`)).refund).toMatchObject({ status: 'paid', prompt: null })
})

/**
 * As on PostgreSQL, each statement of a read sees what was committed before it. @param strike - Runs before the statement of that
 * index.
 */
function strikingDb(at: number, strike: () => Promise<void>): Pick<Db, 'read'> {
  return {
    async read(unit) {
      let statements = 0
      const before = async () => {
        if (statements++ === at) await strike()
      }
      const one = async <T>(run: (tx: Parameters<typeof unit>[0]) => Promise<T>) => {
        await before()
        return await stage.db.read(run)
      }
      return await unit({
        get: (statement: Sql) => one((tx) => tx.get(statement)),
        all: (statement: Sql) => one((tx) => tx.all(statement)),
      } as never)
    },
  }
}

test.each([0, 1, 2, 3])(
  'nor is it over if the unread block is stored as a fault before statement %i of the check',
  async (at) => {
    const { refund } = await prompted()
    const { shortName: network } = stage.network
    const account = stage.merchantAccount.address
    await stage.chain.setNonce({ address: account, nonce: 1_001 })
    await settle()
    const tip = Number(await stage.chain.getBlockNumber({ cacheTime: 0 }))
    const range = { from: tip - confirmations, to: tip - confirmations }
    await stage.db.write((tx) => saveSecondRead(tx, 'transfers', network, { ...range, toTimeMs: Date.now() }))
    const fault = { id: refund.id as never, part: 'transfers', place: String(range.from) } as const
    let isStruck = false
    const db = strikingDb(at, async () => {
      isStruck = true
      await stage.db.write(async (tx) => {
        await saveFault(tx, network, fault, { error: 'unreadable', atMs: Date.now() })
        await moveSecondReads(tx, 'transfers', network, range)
      })
    })
    const isOver = createPromptCheck({
      db: db as Db,
      network: stage.network,
      adapter: stage.evm,
      runtime: { nowMs: Date.now },
    })
    const sent = { txId: `0x${'ab'.repeat(32)}`, nonce: 1_000, deadlineMs: null, askedAtMs: 0, confirmations: null }
    // Two blocks fewer than the unread ones: the used nonce is in an unread block.
    const early = await isOver({ refundId: refund.id as never, account, ...sent }, never)
    expect([isStruck, early]).toEqual([at < 3, false])
  },
)
