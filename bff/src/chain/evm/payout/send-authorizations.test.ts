import { confirmations, due, type ModelStage, openModelStage } from '@stablecoin-checkout/rig/model-payouts'
import { encodeFunctionData, type Hex, serializeTransaction } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { queueAuthorization } from '../../../payment/store/authorization-store.ts'
import { authorizationAbi } from '../authorization/check-authorization.ts'
import type { CallCosts } from '../authorization/evm-authorizer.ts'
import { encodeRefund } from '../deposit/refund-call.ts'
import { type EvmTransaction, parseRawTransaction } from '../send/evm-transaction.ts'
import { giveUpAfterMs } from './monitor.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
const payer = `0x${'11'.repeat(20)}` as const
const hash = `0x${'22'.repeat(32)}` as const
/** 100,000 gas at 3 gwei, and a coin of 2,000 dollars. */
const costNow = 600_000

let stage: ModelStage
let id: PaymentId
beforeEach(async () => {
  stage = await openModelStage()
  // A unit has come; the rest is signed for.
  id = await stage.pay({ paid: 1n })
})
afterEach(() => stage.close())

const measured: CallCosts = { measure: async () => ({ gas: 100_000n, l1FeeWei: 0n }), l1FeeWei: async () => 0n }

const signatureGas = { coinPrice: '2000', perPayer: 10, perAddress: 10, dailyBudget: '100' }

/** One process: what it remembers lasts from pass to pass. */
function start(changes: Parameters<ModelStage['deps']>[0] = {}, costs: Partial<CallCosts> = {}) {
  const deps = { ...stage.deps(changes), network: { ...stage.network, signatureGas } }
  const sweeper = createSweeper(deps, { ...measured, ...costs })
  return () => sweeper.pass(never)
}
const pass = (...changes: Parameters<typeof start>) => start(...changes)()

/** The call of a payer's authorization. */
const transferOf = (to: string, value: bigint) =>
  encodeFunctionData({
    abi: authorizationAbi,
    functionName: 'transferWithAuthorization',
    args: [payer, to as Hex, value, 0n, 2n ** 40n, hash, 27, hash, hash],
  })

type Signed = { name?: string; costMicros?: number; leftMs?: number; value?: bigint; target?: string; data?: Hex }

async function sign({ name = 'one', costMicros = costNow, leftMs = 600_000, ...signed }: Signed = {}): Promise<void> {
  const atMs = stage.clock.nowMs
  const { merchantId, tokenAddress, depositAddress } = await stage.load(id)
  const { value = due - 1n, target = tokenAddress } = signed
  const { data = transferOf(depositAddress, value) } = signed
  await stage.db.write((tx) =>
    queueAuthorization(tx, {
      ...{
        id: name,
        paymentId: id,
        merchantId,
        network: 'devnet',
        token: tokenAddress,
        payer,
        nonce: `0x${name}`,
      },
      ...{ kind: 'authorization', value, recipient: '0x', target, data, digest: '0x', signature: '0x' },
      ...{ isKeySignature: true, sendBeforeMs: atMs + leftMs, client: null, presenter: null, costMicros, atMs },
    }),
  )
}

type Row = { state: string; code: string | null; costMicros: number; transactionId: string | null }
const signed = () =>
  stage.db.read((tx) =>
    tx.get<Row>(sql`
        select state, code, cost_micros as "costMicros", transaction_id as "transactionId" from authorizations`),
  )

describe('an authorization', () => {
  test('is sent once, counts with its current cost, and is confirmed by its final transaction', async () => {
    await sign({ costMicros: costNow / 2 })
    await pass()
    await pass()
    const [sent, ...others] = await stage.outgoing()
    expect(others).toEqual([])
    expect(await signed()).toEqual({ state: 'sent', code: null, costMicros: costNow, transactionId: sent?.id })
    await stage.chain.mine(confirmations - 1)
    await pass()
    expect(await signed()).toMatchObject({ state: 'sent' })
    await stage.chain.mine(1)
    await pass()
    expect(await signed()).toMatchObject({ state: 'confirmed', code: null })
  })

  test('whose payment cannot be read blocks no other', async () => {
    await sign()
    const broken = id
    id = await stage.pay({ paid: 1n })
    await sign({ name: 'two' })
    await stage.db.write((tx) => tx.run(sql`update payments set metadata = '{' where id = ${broken}`))
    await expect(pass()).rejects.toThrow('JSON')
    expect(await stage.db.read((tx) => tx.all(sql`select id, state from authorizations order by id`))).toEqual([
      { id: 'one', state: 'queued' },
      { id: 'two', state: 'sent' },
    ])
  })

  test('whose own row cannot be read blocks no other', async () => {
    await sign()
    id = await stage.pay({ paid: 1n })
    await sign({ name: 'two' })
    await stage.db.write((tx) => tx.run(sql`update authorizations set amount = 'x' where id = 'one'`))
    await expect(pass()).rejects.toThrow('BigInt')
    expect(await stage.db.read((tx) => tx.all(sql`select id, state from authorizations order by id`))).toEqual([
      { id: 'one', state: 'queued' },
      { id: 'two', state: 'sent' },
    ])
  })

  test('behind more than a pass attempts that cannot be read is sent in the next pass', async () => {
    const broken = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const name of broken) {
      if (name !== 'a') id = await stage.pay({ paid: 1n })
      await sign({ name })
    }
    id = await stage.pay({ paid: 1n })
    await sign({ name: 'z' })
    await stage.db.write((tx) => tx.run(sql`update authorizations set amount = 'x' where id in ${broken}`))
    const pass = start()
    for (let count = 0; count < 3; count++) await expect(pass()).rejects.toThrow('BigInt')
    const sent = await stage.db.read((tx) => tx.all(sql`select id from authorizations where state = 'sent'`))
    expect(sent).toEqual([{ id: 'z' }])
    await stage.db.write((tx) => tx.run(sql`update authorizations set amount = ${String(due - 1n)} where amount = 'x'`))
    await pass()
    await pass()
    expect(await stage.db.read((tx) => tx.all(sql`select id from authorizations where state = 'queued'`))).toEqual([])
  })

  test('whose transaction reverted has failed', async () => {
    await sign()
    await pass()
    stage.chain.isReverting = true
    await stage.chain.mine(confirmations)
    await pass({ isAttested: async () => false })
    expect(await signed(), 'as one node says').toMatchObject({ state: 'sent' })
    await pass()
    expect(await signed()).toMatchObject({ state: 'failed', code: 'TRANSFER_REFUSED' })
  })

  test('whose nonce another transaction took is sent again', async () => {
    await sign()
    await pass()
    stage.chain.pool.clear()
    stage.chain.takeNonce(stage.signer.address)
    await stage.chain.mine(confirmations)
    const again = start()
    await again()
    stage.clock.nowMs += giveUpAfterMs
    await again()
    await again()
    const [lost, newer] = await stage.outgoing()
    expect([lost?.state, newer?.state, newer?.nonce]).toEqual(['failed', 'stored', 1])
    expect(await signed()).toMatchObject({ state: 'sent', transactionId: newer?.id })
  })

  test('that is stuck counts with the cost of its replacement', async () => {
    await sign()
    await pass()
    stage.clock.nowMs += 90_000
    await pass()
    expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['replaced', 'stored'])
    // An eighth, and a wei for each gas.
    expect(await signed()).toMatchObject({ state: 'sent', costMicros: costNow * 1.125 + 1 })
  })
})

describe('a stuck transaction whose stored form was changed is not signed again', () => {
  test.each<[string, (raw: Hex) => Promise<Hex>]>([
    ['by another account', (raw) => signedBy(stage.former, raw, {})],
    ['with another nonce', (raw) => signedBy(stage.signer, raw, { nonce: 7 })],
    ['for another chain', (raw) => signedBy(stage.signer, raw, { chainId: 1 })],
    ['not at all', async (raw) => serializeTransaction({ ...parseRawTransaction(raw), to: payer, type: 'eip1559' })],
  ])('%s', async (_, change) => {
    await sign()
    await pass()
    const [sent] = await stage.outgoing()
    const raw = await change(sent?.raw as Hex)
    await stage.db.write((tx) => tx.run(sql`update outgoing_transactions set raw = ${raw}`))
    stage.clock.nowMs += 90_000
    await expect(pass()).rejects.toThrow('was not signed by')
    expect(await stage.outgoing()).toHaveLength(1)
  })

  const signedBy = async (signer: ModelStage['signer'], raw: Hex, changes: Partial<EvmTransaction>) =>
    (await signer.signTransaction({ ...parseRawTransaction(raw), ...changes })).raw
})

describe('no gas is spent on an authorization', () => {
  test('whose time is over', async () => {
    await sign({ leftMs: 5 })
    stage.clock.nowMs += 6
    await pass()
    expect(await signed()).toMatchObject({ state: 'failed', code: 'EXPIRES_TOO_SOON', transactionId: null })
    expect(await stage.outgoing()).toEqual([])
  })

  test('until its time is over, exactly', async () => {
    await sign({ leftMs: 5 })
    stage.clock.nowMs += 5
    await pass()
    expect(await signed()).toMatchObject({ state: 'sent' })
  })

  test('for an amount other than the one still due', async () => {
    await sign({ value: due })
    await pass()
    expect(await signed()).toMatchObject({ state: 'failed', code: 'PAYMENT_NOT_OPEN' })
    expect(await stage.outgoing()).toEqual([])
  })

  test('whose stored call was changed: the operator signs nothing but the payment', async () => {
    const { depositAddress, tokenAddress } = await stage.load(id)
    const call = transferOf(depositAddress, due - 1n)
    const changed: Signed[] = [
      { data: '0x' },
      { data: `${call}00` },
      { data: transferOf(payer, due - 1n) },
      { data: transferOf(depositAddress, due) },
      { target: payer },
      // What only the operator may do.
      {
        target: stage.network.factory,
        data: encodeRefund({ terms: await stage.termsOf(id), token: tokenAddress as Hex, to: payer, amount: 1n }),
      },
    ]
    for (const [index, one] of changed.entries()) await sign({ name: `changed${index}`, ...one })
    await pass()
    await pass()
    expect(await stage.outgoing()).toEqual([])
    const rows = await stage.db.read((tx) => tx.all(sql`select distinct state, code from authorizations`))
    expect(rows).toEqual([{ state: 'failed', code: 'INVALID_SIGNATURE' }])
  })

  test('that costs more than twice what was planned for', async () => {
    await sign({ costMicros: costNow / 2 - 1 })
    await pass()
    expect(await signed()).toMatchObject({ state: 'failed', code: 'GAS_TOO_EXPENSIVE' })
    expect(await stage.outgoing()).toEqual([])
  })

  test('that costs too much by twice the chain’s own fee', async () => {
    const l1FeeWei = (100_000n * 3_000_000_000n) / 2n
    await sign({ costMicros: costNow - 1 })
    await pass({}, { measure: async () => ({ gas: 100_000n, l1FeeWei }) })
    expect(await signed()).toMatchObject({ state: 'failed', code: 'GAS_TOO_EXPENSIVE' })
  })

  test('that the chain would reject now', async () => {
    await sign()
    await pass({}, { measure: async () => ({ code: 'AUTHORIZATION_USED', reason: 'used' }) })
    expect(await signed()).toMatchObject({ state: 'failed', code: 'AUTHORIZATION_USED' })
    expect(await stage.outgoing()).toEqual([])
  })

  test('while the account cannot pay for it, which fails nothing', async () => {
    await sign()
    const needed = 100_000n * 3_000_000_000n
    await pass({ balance: async () => needed - 1n })
    expect([await signed(), await stage.outgoing()]).toMatchObject([{ state: 'queued' }, []])
    await pass({ balance: async () => needed })
    expect(await signed()).toMatchObject({ state: 'sent' })
  })

  test('that was queued when the operator stopped paying for signatures', async () => {
    await sign()
    id = await stage.pay({ paid: 1n })
    await sign({ name: 'two' })
    await createSweeper(stage.deps()).pass(never)
    const rows = await stage.db.read((tx) => tx.all(sql`select id, state, code from authorizations order by id`))
    expect(rows).toEqual([
      { id: 'one', state: 'failed', code: 'SIGNATURE_NOT_OFFERED' },
      { id: 'two', state: 'failed', code: 'SIGNATURE_NOT_OFFERED' },
    ])
    expect(await stage.outgoing()).toEqual([])
  })

  test('whose payment ends between the check and the commit', async () => {
    await sign()
    await pass({
      async balance() {
        const { windowEndsAtMs } = await stage.load(id)
        await stage.apply(id, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 60_000 })
        return 10n ** 18n
      },
    })
    expect(await stage.outgoing()).toEqual([])
  })

  test('that another process has taken between the check and the commit', async () => {
    await sign()
    await pass({
      async balance() {
        await stage.db.write((tx) =>
          tx.run(sql`update authorizations set state = 'sent', transaction_id = 'of another process'`),
        )
        return 10n ** 18n
      },
    })
    expect(await stage.outgoing()).toEqual([])
    expect(await signed()).toMatchObject({ transactionId: 'of another process' })
  })
})
