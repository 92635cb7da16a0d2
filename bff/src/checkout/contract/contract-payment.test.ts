import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
  shares,
} from '@stablecoin-checkout/rig/contract-stage'
import { longWaitMs } from '@stablecoin-checkout/rig/leaving-clients'
import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import { parseSplitTerms, splitDetails } from '../../chain/evm/split/split-terms.ts'

const nodeFetch = globalThis.fetch
let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage({ waitMs: longWaitMs })
})
afterAll(() => stage.close())

/** Both wallets before and after. */
async function paidOut(work: () => Promise<unknown>) {
  const { merchant, platform } = stage.wallets
  const read = async () => [await stage.balanceOf(merchant), await stage.balanceOf(platform)] as const
  const before = await read()
  await work()
  const after = await read()
  return { merchant: after[0] - before[0], platform: after[1] - before[1] }
}

/** A foreign contract, for what an ordinary account cannot do. */
async function contractAt(address: Hex, bytecode: Hex): Promise<Hex> {
  await stage.chain.setCode({ address, bytecode })
  return address
}

describe('a contract payment', () => {
  test('is paid exactly by the returned call, and process responds when it is confirmed', async () => {
    const payment = await stage.create()
    await stage.watch()
    let txId = '' as Hex
    expect(
      await paidOut(async () => {
        txId = (await stage.pay(payment, 'plain')).transactionHash
      }),
    ).toEqual(shares)
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({
      outcome: 'pending',
      transactionHash: txId,
      confirmations: 1,
    })

    const waiting = stage.process(payment.id, txId)
    await stage.chain.mine({ blocks: confirmations - 1 })
    await stage.watch()
    const { status, body } = await waiting
    expect([status, body]).toMatchObject([200, { success: true, isAlreadyCompleted: false }])
    expect(await stage.status(payment.id)).toMatchObject({
      ...{ status: 'completed', outcome: 'paid', isFinal: true, paymentState: 'completed', amountReceived: '25.00' },
      ...{ settlement: { state: 'settled' }, transactionHash: txId, sweepTxHash: null, depositTxHash: null },
    })
    expect((await stage.process(payment.id, txId)).body).toMatchObject({ success: true, isAlreadyCompleted: true })
  })

  test('has terms with the same hash as in the splitter', async () => {
    const payment = await stage.load((await stage.create()).id)
    if (payment.mode !== 'contract') throw new Error('not a contract payment')
    const terms = parseSplitTerms(payment.splitTerms)
    const onChain = await stage.chain.readContract({
      ...{ address: terms.splitter, abi: paymentSplitter.abi },
      ...{ functionName: 'termsHash', args: [splitDetails(terms)] },
    } as const)
    expect(payment.termsHash).toBe(onChain)
  })

  test('is paid without process, by detection: the watcher', async () => {
    const payment = await stage.create()
    await stage.pay(payment)
    await stage.chain.mine({ blocks: confirmations - 1 })
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({ status: 'completed', outcome: 'paid' })
    const { body } = await stage.post('/api/payments/verify-qr', { paymentId: payment.id })
    expect(body).toMatchObject({
      verified: true,
      onChainData: { from: stage.customer.address.toLowerCase(), transactionHash: expect.stringMatching(/^0x/) },
    })
  })

  test('is paid by a permit in one transaction, without an approval', async () => {
    const payment = await stage.create()
    const { permit, approval } = payment.contractCall
    if (!permit) throw new Error('no permit')
    const { address } = stage.customer
    const nonce = await stage.chain.readContract({
      ...{ address: approval.to, abi: noncesAbi, functionName: 'nonces', args: [address] },
    } as const)
    const signature = await sign({
      ...permit.typedData,
      message: { ...permit.typedData.message, owner: address, nonce: String(nonce) },
    })
    const data = put(permit.data, permit.signatureOffset, signature)
    expect(await paidOut(() => stage.send({ to: payment.contractCall.contractAddress, data }))).toEqual(shares)
    await completes(payment)
  })

  test('is paid by an authorization submitted by a relayer, and the payer is the customer', async () => {
    const payment = await stage.create()
    const { authorization, contractAddress } = payment.contractCall
    if (!authorization) throw new Error('no authorization')
    const { address } = stage.customer
    const signature = await sign({
      ...authorization.typedData,
      message: { ...authorization.typedData.message, from: address },
    })
    const named = put(authorization.data, authorization.payerOffset, address.slice(2).toLowerCase().padStart(64, '0'))
    const data = put(named, authorization.signatureOffset, signature)
    expect(await paidOut(() => stage.send({ to: contractAddress, data }, stage.relayer))).toEqual(shares)
    await completes(payment)
    const { body } = await stage.post('/api/payments/verify-qr', { paymentId: payment.id })
    expect(body['onChainData']).toMatchObject({ from: address.toLowerCase() })
  })

  test('is paid by a smart account, whose call is inside another', async () => {
    // Calls the address in the first word with the rest.
    const wallet = await contractAt(
      '0x5a00000000000000000000000000000000000001',
      '0x602036038060205f375f5f915f5f5f355af16018575f5ffd5b00',
    )
    await stage.send({ to: stage.network.tokens[0]?.address ?? '', data: mintTo(wallet) })
    const payment = await stage.create()
    const { approval, contractAddress, before } = payment.contractCall
    const wrap = (to: string, data: Hex) => `0x${to.slice(2).padStart(64, '0')}${data.slice(2)}` as Hex
    await stage.send({ to: wallet, data: wrap(approval.to, approval.data) })
    const receipt = await stage.send({ to: wallet, data: wrap(contractAddress, before.data) })
    expect(receipt).toMatchObject({ status: 'success', to: wallet })
    await completes(payment)
    expect((await stage.process(payment.id, receipt.transactionHash)).status).toBe(200)
  })

  test('paid after its window is late: reported, not paid', async () => {
    const payment = await stage.create()
    await stage.watch()
    const id = await stage.chain.snapshot()
    await stage.chain.increaseTime({ seconds: 1_900 })
    const { transactionHash } = await stage.pay(payment, 'plain')
    await stage.chain.mine({ blocks: confirmations })
    await stage.watch()
    // What was read at once is read again when all of it has its confirmations; then the window ends.
    await stage.chain.mine({ blocks: confirmations })
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({
      ...{ status: 'expired', outcome: 'failed', paymentState: 'expired_refunding', amountReceived: '25.00' },
      settlement: { state: '', message: expect.stringContaining('owes it back') },
    })
    const { status, body } = await stage.process(payment.id, transactionHash)
    expect([status, body['code']]).toEqual([400, 'PAID_LATE'])
    await stage.chain.revert({ id })
    await stage.chain.mine({ blocks: 10 })
  })

  test('cannot be paid after its deadline by our widget’s call', async () => {
    const payment = await stage.create()
    const id = await stage.chain.snapshot()
    await stage.chain.increaseTime({ seconds: 4_000 })
    expect((await stage.pay(payment, 'before')).status).toBe('reverted')
    await stage.chain.revert({ id })
  })

  test('undone by a reorg is paid again, and once', async () => {
    const payment = await stage.create()
    await stage.pay(payment)
    await stage.chain.mine({ blocks: confirmations - 1 })
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({ status: 'completed' })
    await stage.reorg(confirmations)
    await stage.chain.mine({ blocks: 1 })
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({
      status: 'pending',
      outcome: 'pending',
      amountReceived: null,
    })
    await stage.pay(payment)
    await stage.chain.mine({ blocks: confirmations - 1 })
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({ status: 'completed', amountReceived: '25.00' })
  })

  test('costs the node the same as a deposit: one log query per block, for any number of open payments', async () => {
    const [deposit] = [await stage.post('/api/deposits/create', { amount: '25', currency: 'USDC', network: 'devnet' })]
    expect(deposit.status).toBe(200)
    await stage.create()
    await stage.watch()
    // Blocks left by earlier tests for a second read are read.
    await stage.chain.mine({ blocks: confirmations })
    await stage.watch()
    await stage.pass()
    await stage.chain.mine({ blocks: 1 })
    const asked: string[] = []
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      asked.push((JSON.parse(String(init?.body)) as { method: string }).method)
      return nodeFetch(url, init)
    })
    await stage.pass()
    fetched.mockRestore()
    expect(asked).toEqual(['eth_getBlockByNumber', 'eth_getLogs'])
  })

  test('is detected although the configured splitter has changed meanwhile', async () => {
    const payment = await stage.create()
    const moved = stage.otherWatcher({ splitter: '0x00000000000000000000000000000000000000b0' })
    await stage.pay(payment)
    await stage.chain.mine({ blocks: confirmations - 1 })
    await moved.pass(new AbortController().signal)
    expect(await stage.status(payment.id)).toMatchObject({ status: 'completed', outcome: 'paid' })
  })

  test('failed manually but paid anyway is reported as late', async () => {
    const payment = await stage.create()
    const { body } = await stage.post('/api/payments/fail', { paymentId: payment.id, status: 'cancelled' })
    expect(body).toMatchObject({ status: 'cancelled', skipped: false })
    await stage.pay(payment)
    await stage.chain.mine({ blocks: confirmations })
    await stage.watch()
    expect(await stage.status(payment.id)).toMatchObject({ status: 'cancelled', amountReceived: '25.00' })
  })
})

const noncesAbi = [
  {
    type: 'function',
    name: 'nonces',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const

/** mint(address,uint256) of the test token: public. */
const mintTo = (address: Hex): Hex =>
  `${keccak256(Buffer.from('mint(address,uint256)')).slice(0, 10) as Hex}${address.slice(2).padStart(64, '0')}${100_000_000n.toString(16).padStart(64, '0')}`

/** Overwrites the digits at `offset`. */
const put = (data: string, offset: number, digits: string) =>
  (data.slice(0, offset) + digits + data.slice(offset + digits.length)) as Hex

/** @returns v, r and s as three words, to be inserted into a call. */
async function sign(typedData: object): Promise<string> {
  const signature = await stage.customer.signTypedData(typedData as never)
  if (!signature) throw new Error('no signature')
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  return `${v.padStart(64, '0')}${r}${s}`
}

async function completes({ id }: Created) {
  await stage.chain.mine({ blocks: confirmations - 1 })
  await stage.watch()
  expect(await stage.status(id)).toMatchObject({ status: 'completed', outcome: 'paid', amountReceived: '25.00' })
}
