import { type Hex, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { type NetworkName, succeeded } from './harness/chain.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('unmatched')
const { bff, chain, receiver, openTill, sweep, hears } = story

type Unmatched = Record<string, unknown> & { network: string; currency: string; refund: Record<string, unknown> }

/** The customer's page has the public key and the payment's id. */
const askBack = bff.requestRefund

let wallets = 0
const newAddress = () => `0x${String(++wallets).padStart(40, 'abcdef')}`

async function sendCoin(to: string, amount: string, network?: NetworkName): Promise<void> {
  const { wallet, reader } = chain.node(network)
  const hash = await wallet.sendTransaction({ to: to as Hex, value: parseEther(amount) })
  await succeeded(reader, hash)
}

const coins = (address: string, network?: NetworkName) =>
  chain.node(network).reader.getBalance({ address: address as Hex })

/** Waits until the payment shows exactly these unmatched transfers, in this order. */
async function showsUnmatched(id: string, expected: Record<string, unknown>[]): Promise<void> {
  await expect.poll(async () => (await bff.read(id))['unmatched']).toMatchObject(expected)
}

const unmatchedEvents = (id: string) => receiver.types(id).filter((type) => type.includes('unmatched'))

test('another token at the address is noticed, kept out of the payment, and goes back while the payment is paid and swept', async () => {
  const payer = newAddress()
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const txId = await chain.pay(payment.depositAddress, '25.00', { token: 'USDT' })
  await chain.mine(2)
  const noticed = { network: 'devnet', networkName: 'Devnet', currency: 'USDT', amount: '25.00', transactionHash: txId }
  await showsUnmatched(payment.id, [{ ...noticed, amountRefunded: '0.00', refund: { state: 'address_needed' } }])
  await bff.shows(payment.id, { outcome: 'pending', amountDetected: null, amountReceived: null, excessOwed: '0.00' })
  const { body } = await bff.get(`/payments/public/${payment.id}`, {})
  expect((body['payment'] as { unmatched: Unmatched[] }).unmatched).toMatchObject([noticed])

  expect((await askBack(payment.id, { address: payer })).status).toBe(200)
  await until('the tokens to be back', async () => (await chain.balance('USDT', payer)) === 25_000_000n)
  await chain.mine(2)
  await showsUnmatched(payment.id, [{ amount: '0.00', amountRefunded: '25.00', refund: { state: 'refunded' } }])

  // The forwarder was deployed by that refund, and the payment is settled by it all the same.
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', amountReceived: '25.00' })
  await until('the sweep to be mined', async () => (await chain.balance('USDC', payment.depositAddress)) === 0n)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect(await chain.balance('USDT', payment.depositAddress)).toBe(0n)
  await hears(payment, [
    ...['payment.created', 'deposit.unmatched_received', 'deposit.unmatched_refunded'],
    ...['payment.detected', 'payment.completed', 'deposit.swept'],
  ])
})

test('on another network, tokens and coins at the same address go back there, to an address given for that network alone', async () => {
  const [payer, payerThere] = [newAddress(), newAddress()]
  const there = { network: 'devnet-b' } as const
  const payment = await bff.createDeposit({ amount: '25.00', currency: 'USDC', network: 'devnet' })
  await chain.pay(payment.depositAddress, '25.00', { ...there, token: 'USDC' })
  await chain.pay(payment.depositAddress, '0.5', { ...there, token: 'USDT' })
  await sendCoin(payment.depositAddress, '0.25', 'devnet-b')
  await chain.mine(2, 'devnet-b')
  const refund = { state: 'address_needed', address: null }
  const lies = (currency: string, amount: string) => ({ ...there, networkName: 'Devnet B', currency, amount, refund })
  // In the order of the tokens' addresses; the coin's is zero.
  await expect
    .poll(async () => ((await bff.read(payment.id))['unmatched'] as Unmatched[]).map(({ currency }) => currency).sort())
    .toEqual(['ETH', 'USDC', 'USDT'])
  const unmatched = (await bff.read(payment.id))['unmatched'] as Unmatched[]
  expect(unmatched.find(({ currency }) => currency === 'USDC')).toMatchObject(lies('USDC', '25.00'))
  expect(unmatched.find(({ currency }) => currency === 'USDT')).toMatchObject(lies('USDT', '0.50'))
  expect(unmatched.find(({ currency }) => currency === 'ETH')).toMatchObject({
    ...lies('ETH', '0.25'),
    tokenAddress: null,
  })

  // An address of the payer's here need not be the payer's there.
  expect((await askBack(payment.id, { address: payer })).body).toMatchObject({ code: 'NOTHING_OWED' })
  expect((await askBack(payment.id, { address: payerThere, network: 'nowhere' })).body['message']).toBe(
    'network "nowhere" is not supported',
  )
  const tokenThere = chain.node('devnet-b').token('USDC').address
  expect((await askBack(payment.id, { address: tokenThere, ...there })).body['message']).toBe(
    'address must not be the address of a token',
  )
  expect((await askBack(payment.id, { address: payerThere, ...there })).status).toBe(200)
  expect((await askBack(payment.id, { address: newAddress(), ...there })).body).toMatchObject({
    code: 'REFUND_ALREADY_REQUESTED',
  })
  await bff.kill()
  await bff.start()

  await until('the coins and tokens to be back', async () => {
    await chain.mine(1, 'devnet-b')
    const balances = [
      await chain.balance('USDC', payerThere, 'devnet-b'),
      await chain.balance('USDT', payerThere, 'devnet-b'),
    ]
    return (
      balances[0] === 25_000_000n &&
      balances[1] === 500_000n &&
      (await coins(payerThere, 'devnet-b')) === parseEther('0.25')
    )
  })
  await chain.mine(2, 'devnet-b')
  const back = { amount: '0.00', refund: { state: 'refunded', address: expect.any(String) } }
  await showsUnmatched(payment.id, [back, back, back])
  expect(await coins(payment.depositAddress, 'devnet-b')).toBe(0n)
  expect(await chain.hasCode(payment.depositAddress)).toBe(false)

  // What comes later goes back by itself; the payment itself can still be paid where it was asked for.
  await chain.pay(payment.depositAddress, '3.00', { ...there, token: 'USDC' })
  await until('the later tokens to be back', async () => {
    await chain.mine(1, 'devnet-b')
    return (await chain.balance('USDC', payerThere, 'devnet-b')) === 28_000_000n
  })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00' })
  await sweep([payment])
  await chain.mine(3, 'devnet-b')
  await expect
    .poll(() => unmatchedEvents(payment.id).filter((type) => type === 'deposit.unmatched_refunded'))
    .toHaveLength(4)
  expect(unmatchedEvents(payment.id)).toHaveLength(8)
})

test('coins at the address of a payment that was paid go back after its sweep, less than their fee never', async () => {
  const payer = newAddress()
  const payment = await bff.createDeposit({ amount: '9.00' })
  await chain.pay(payment.depositAddress, '9.00')
  await sendCoin(payment.depositAddress, '0.000000000000000007')
  await chain.mine(2)
  await sweep([payment])
  await showsUnmatched(payment.id, [{ currency: 'ETH', amount: '0.000000000000000007' }])
  expect((await askBack(payment.id, { address: payer })).status).toBe(200)
  await showsUnmatched(payment.id, [{ refund: { state: 'too_small' } }])

  const other = await bff.createDeposit({ amount: '9.50' })
  await chain.pay(other.depositAddress, '9.50')
  await sendCoin(other.depositAddress, '1')
  await chain.mine(2)
  await sweep([other])
  await showsUnmatched(other.id, [{ currency: 'ETH', amount: '1.00' }])
  expect((await askBack(other.id, { address: payer })).status).toBe(200)
  await until('the coins to be back', async () => (await coins(payer)) === parseEther('1'))
  await chain.mine(2)
  await showsUnmatched(other.id, [{ amount: '0.00', amountRefunded: '1.00', refund: { state: 'refunded' } }])
})

test('what a reorg takes away again is shown no more, and what it brings elsewhere is found', async () => {
  const [gone, moved] = [await bff.createDeposit({ amount: '5.00' }), await bff.createDeposit({ amount: '6.00' })]
  const there = { network: 'devnet-b', token: 'USDT' } as const
  await chain.mine(1, 'devnet-b')
  // In this order, because a transaction cannot be moved without those of the nonces before.
  const txId = await chain.pay(moved.depositAddress, '6.00', there)
  await chain.pay(gone.depositAddress, '5.00', there)
  await chain.mine(3, 'devnet-b')
  await showsUnmatched(gone.id, [{ amount: '5.00', currency: 'USDT' }])
  await showsUnmatched(moved.id, [{ amount: '6.00', currency: 'USDT' }])
  await chain.reorg(5, [[txId, 1]], 'devnet-b')
  await chain.mine(3, 'devnet-b')
  await showsUnmatched(gone.id, [])
  expect((await askBack(gone.id, { address: newAddress(), network: 'devnet-b' })).body['code']).toBe('NOTHING_OWED')
  await showsUnmatched(moved.id, [{ amount: '6.00' }])
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
