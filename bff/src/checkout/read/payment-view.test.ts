import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { formatSplitTerms } from '../../chain/evm/split/split-terms.ts'
import { formatSolanaSplitTerms } from '../../chain/solana/facts/solana-split-terms.ts'
import type { EvmNetwork } from '../../core/families.ts'
import { type BaseUnits, baseUnits } from '../../core/money.ts'
import { createHeads } from '../../network/heads.ts'
import { newBridge } from '../../payment/bridge.ts'
import type { BridgeTerms, DepositPayment } from '../../payment/payment.ts'
import { createPaymentViewer } from './payment-view.ts'

const network: EvmNetwork = {
  ...devnetFacts,
  rpcUrls: ['https://node.example/secret-key'],
  publicRpcUrls: ['https://public.example'],
  explorerUrl: 'https://scan.example',
}
const heads = createHeads()
const publicUrl = 'https://pay.example'
const viewer = createPaymentViewer(new Map([['devnet', network]]), heads, { publicUrl })
const units = (amount: number): BaseUnits => baseUnits(String(amount))

function showHead(number: number): void {
  heads.set('devnet', { number, hash: '', parentHash: '', timeMs: 0 })
}

const depositOf = (changes: Partial<DepositPayment>) => viewer.deposit(newPayment(changes))
const publicOf = (changes: Partial<DepositPayment>) => viewer.public(newPayment(changes))

test('confirmations are counted from the head, and stay at the required number once the payment is decided', () => {
  const confirmations = (head: number, changes: Partial<DepositPayment> = {}) => {
    showHead(head)
    const { confirmations, requiredConfirmations } = viewer.status(newPayment({ lastBlock: 10, ...changes }))
    return [confirmations, requiredConfirmations]
  }
  expect(confirmations(10)).toEqual([1, 3])
  expect(confirmations(15)).toEqual([6, 3])
  expect(confirmations(8), 'another node is behind').toEqual([0, 3])
  expect(confirmations(15, { confirmations: 12 }), 'of high value').toEqual([6, 12])
  expect(confirmations(11, { status: 'sweeping' })).toEqual([2, 3])
  expect(confirmations(15, { status: 'sweeping' })).toEqual([3, 3])
  expect(confirmations(15, { lastBlock: null })).toEqual([0, 3])
})

test('a simulated transfer has one confirmation until it counts, and never as many as are required', () => {
  const confirmations = (changes: Partial<DepositPayment>) =>
    viewer.status(newPayment({ isTest: true, lastBlock: 1, ...changes })).confirmations
  const seen = { seen: units(5), received: units(0) }
  expect(confirmations(seen)).toBe(1)
  expect(confirmations({ ...seen, confirmations: 1 })).toBe(0)
  expect(confirmations({ seen: units(5), received: units(5) })).toBe(3)
  expect(confirmations({ ...seen, lastBlock: null })).toBe(0)
})

test('each status has the outcome and the settlement that the interface gives it', () => {
  const shown = ({ status, outcome, settlement }: ReturnType<typeof viewer.status>) =>
    [status, outcome, settlement.state] as const
  const deposit = (changes: Partial<DepositPayment>) => shown(viewer.status(newPayment(changes)))
  expect(deposit({})).toEqual(['pending', 'pending', 'pending'])
  expect(shown(viewer.status(newContractPayment({ status: 'completed' })))).toEqual(['completed', 'paid', 'settled'])
  expect(deposit({ status: 'sweeping', sweep: 'queued' })).toEqual(['sweeping', 'paid', 'settling'])
  expect(deposit({ status: 'sweeping', sweep: 'failing' })).toEqual(['sweeping', 'paid', 'delayed'])
  expect(deposit({ status: 'swept', sweep: 'confirmed' })).toEqual(['swept', 'paid', 'settled'])
  expect(deposit({ status: 'swept', isDirect: true })).toEqual(['swept', 'paid', 'settled'])
  expect(deposit({ status: 'sweep_failed', sweep: 'failed' })).toEqual(['sweep_failed', 'paid', 'failed'])
  for (const status of ['expired', 'cancelled', 'failed'] as const)
    expect(deposit({ status })).toEqual([status, 'failed', ''])
})

test('what was refunded is left to pay again while a reorg leaves the payment unpaid', () => {
  const both = { isDirect: true, seen: units(25_000_000), received: units(25_000_000) }
  expect(depositOf({ ...both, refundedByMerchant: units(10_000_000) })).toMatchObject({
    outcome: 'pending',
    paymentState: 'underpaid',
    amountRemaining: '10.00',
  })
  expect(depositOf({ ...both, received: units(0), refundDueByMerchant: units(10_000_000) })).toMatchObject({
    paymentState: 'underpaid',
    amountRemaining: '10.00',
  })
  expect(depositOf({ ...both, status: 'swept', refundedByMerchant: units(10_000_000) })).toMatchObject({
    outcome: 'paid',
    amountRemaining: '0.00',
  })
})

test('late money can be accepted from the minimum on, while it is not being refunded, and only of a failed payment', () => {
  const of = (late: number, changes: Partial<DepositPayment> = {}) =>
    viewer.merchant(
      newPayment({
        ...{ isDirect: true, status: 'expired', windowEnded: true, least: units(24_900_000), late: units(late) },
        ...changes,
      }),
    ).canAcceptLate
  expect([of(24_899_999), of(24_900_000), of(25_000_000)]).toEqual([false, true, true])
  expect(of(25_000_000, { refundDueByMerchant: units(100_001) })).toBe(false)
  expect(of(25_000_000, { refundedByMerchant: units(100_000) })).toBe(true)
  expect([of(25_000_000, { status: 'pending' }), of(25_000_000, { status: 'swept' })]).toEqual([false, false])
})

test('what is left to pay is the rest of what was detected, and nothing once the minimum is reached', () => {
  const least = units(24_900_000)
  const remaining = (seen: number) => depositOf({ seen: units(seen), least }).amountRemaining
  expect(remaining(0)).toBe('25.00')
  expect(remaining(24_899_999)).toBe('0.100001')
  expect(remaining(24_900_000)).toBe('0.00')
  expect(remaining(30_000_000)).toBe('0.00')
  expect(depositOf({ seen: units(7), received: units(3) })).toMatchObject({
    amountDetected: '0.000007',
    amountRemaining: '24.999993',
    amountReceived: '0.000003',
  })
})

test('received is what came in time or late; nothing is null', () => {
  const received = (changes: Partial<DepositPayment>) => viewer.status(newPayment(changes)).amountReceived
  expect(received({})).toBeNull()
  expect(received({ received: units(1_000_000) })).toBe('1.00')
  expect(received({ received: units(1_000_000), late: units(2_500_000) })).toBe('3.50')
  const late = newPayment({ seen: units(1_000_000), late: units(2_000_000) })
  expect(viewer.balance(late)).toEqual({ balance: '3.00', isComplete: false })
  expect(viewer.balance({ ...late, seen: units(25_000_000) }), 'not confirmed').toMatchObject({ isComplete: false })
  expect(viewer.balance({ ...late, status: 'sweeping' })).toMatchObject({ isComplete: true })
})

test('an expired payment is final only when late money can no longer pay it', () => {
  const expired = { status: 'expired', acceptedUntilMs: 1_000_000 } as const
  expect(depositOf(expired)).toMatchObject({ isFinal: false, isExpired: true })
  expect(depositOf({ ...expired, lateEnded: true })).toMatchObject({ isFinal: true, isExpired: true })
  expect(depositOf({ status: 'cancelled' })).toMatchObject({ isFinal: true, isExpired: false })
  expect(depositOf({})).toMatchObject({ isFinal: false, isExpired: false })
})

test('a refund shows what is still owed, and what was refunded once nothing is', () => {
  const paid = { seen: units(30_000_000), received: units(30_000_000), status: 'swept', sweep: 'confirmed' } as const
  const refund = (changes: Partial<DepositPayment>) =>
    depositOf({ ...paid, sweptAmount: units(25_000_000), ...changes }).refund
  expect(refund({})).toMatchObject({ state: 'address_needed', amount: '5.00', amountRefunded: '0.00' })
  expect(refund({ refunded: units(2_000_000), refundAddress: '0xaa' })).toMatchObject({
    ...{ state: 'sending', amount: '3.00', amountRefunded: '2.00', address: '0xaa' },
  })
  expect(refund({ refunded: units(5_000_000), refundTxId: '0xbb' })).toMatchObject({
    ...{ state: 'refunded', amount: '5.00', amountRefunded: '5.00', txHash: '0xbb' },
  })
  expect(depositOf({}).refund).toBeNull()
})

test('the payment request is for the rest of what was detected, or for the whole amount', () => {
  const asked = (seen: number, changes: Partial<DepositPayment> = {}) =>
    /uint256=(\d+)$/.exec(publicOf({ seen: units(seen), ...changes }).paymentUri ?? '')?.[1]
  expect(asked(0)).toBe('25000000')
  expect(asked(7)).toBe('24999993')
  expect(asked(25_000_000)).toBe('25000000')
  expect(asked(26_000_000)).toBe('25000000')
  const tolerant = { least: units(24_500_000) }
  expect(asked(24_499_999, tolerant)).toBe('500001')
  expect(asked(24_500_000, tolerant), 'of which the tolerance accepts less').toBe('25000000')
  const refunded = { isDirect: true, refundedByMerchant: units(10_000_000) }
  expect(asked(25_000_000, refunded), 'of which a part was refunded before a reorg').toBe('10000000')
})

test('a test payment names no chain: no explorer, chain id, node or request that could take real money', () => {
  const real = publicOf({ lastTxId: '0xcc' })
  expect(real.explorer).toEqual({
    address: `https://scan.example/address/${real.depositAddress}`,
    transaction: 'https://scan.example/tx/0xcc',
  })
  expect(real.Network).toMatchObject({ chainId: 31_337, explorerUrl: 'https://scan.example' })
  const shown = publicOf({ lastTxId: '0xcc', isTest: true })
  expect(shown.explorer).toEqual({ address: null, transaction: null })
  expect(shown.Network).toMatchObject({ chainId: null, explorerUrl: null, rpcUrls: [] })
  expect(shown).toMatchObject({ paymentUri: null, isTest: true })
})

test('readers get the nodes that are public, never those of the service', () => {
  expect(publicOf({}).Network.rpcUrls).toEqual(['https://public.example'])
  expect(JSON.stringify(viewer.merchant(newPayment()))).not.toContain('secret-key')
})

test('the token is that of the payment, whatever is configured now', () => {
  const { Token } = publicOf({ tokenAddress: '0x1', tokenDecimals: 18, due: units(1), least: units(1) })
  expect(Token).toMatchObject({ contractAddress: '0x1', decimals: 18, symbol: 'USDC', name: 'USD Coin' })
})

test('only the merchant sees order, customer, callback, metadata, agent and the reason of an end', () => {
  const secret = {
    orderId: 'order-1',
    customerEmail: 'ada@example.com',
    callbackUrl: 'https://shop.example/hook',
    metadata: { note: 'gift' },
    agentId: 'agent-1',
    agentOwner: 'owner-1',
    closeReason: 'changed her mind',
  }
  const payment = newPayment({ ...secret, closedAs: 'cancelled', status: 'cancelled' })
  const shown = JSON.stringify(viewer.public(payment))
  for (const text of ['order-1', 'ada@', 'shop.example', 'gift', 'agent-1', 'owner-1', 'changed her mind'])
    expect(shown).not.toContain(text)
  const { closeReason, ...named } = secret
  expect(viewer.merchant(payment)).toMatchObject({ ...named, failureReason: closeReason })
})

const bridgeTerms: BridgeTerms = {
  ...{ requestId: '0xrequest', relayDepositAddress: '0xrelay', originChainId: 8453, originName: 'Base' },
  ...{ originExplorerUrl: 'https://basescan.org', originCurrency: 'USDC', originToken: '0x8335' },
  ...{ originDecimals: 6, amountToSend: '25100000' },
}

test('a cross-chain payment hides its deposit address, which only the relay pays', () => {
  const shown = depositOf({ bridge: newBridge(bridgeTerms) })
  expect(shown).toMatchObject({ depositAddress: null, depositMethod: 'bridge' })
  expect(publicOf({ bridge: newBridge(bridgeTerms) })).toMatchObject({
    ...{
      explorer: { address: null },
      paymentUri: expect.stringContaining('address=0xrelay'),
      paymentMode: 'cross_chain',
    },
  })
  expect(depositOf({})).toMatchObject({ depositMethod: 'address', depositAddress: newPayment().depositAddress })
})

const wallets = {
  merchant: '0x00000000000000000000000000000000000000a1',
  platform: '0x00000000000000000000000000000000000000a2',
} as const
const splitTerms = formatSplitTerms({
  ...{
    chainId: 31_337,
    splitter: network.splitter as `0x${string}`,
    token: newPayment().tokenAddress as `0x${string}`,
  },
  ...{ amount: 25_000_001n, paymentId: 'order', ...wallets, feeBps: 150, deadlineSeconds: 900 },
})

test('merchant and platform share the whole amount, and the fee is rounded down', () => {
  const payment = newContractPayment({ splitTerms, due: units(25_000_001) })
  expect(viewer.public(payment)).toMatchObject({
    ...{ totalAmount: '25.000001', feeAmount: '0.375', merchantPercentage: 9_850, platformPercentage: 150 },
    ...{ merchantWallet: wallets.merchant, platformWallet: wallets.platform, depositTxHash: null },
  })
  expect(viewer.public(payment)).not.toHaveProperty('coinleyWallet')
  const lenient = createPaymentViewer(new Map([['devnet', network]]), heads, { lenientClients: true })
  expect(lenient.public(payment)).toMatchObject({ coinleyWallet: wallets.platform, coinleyPercentage: 150 })
})

const solanaAddress = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

test('a wallet gets a link for its transaction only while a real payment is open', () => {
  const terms = {
    ...{ family: 'solana' as const, genesisHash: 'cluster', mint: solanaAddress, decimals: 6, amount: 25_000_000n },
    ...{ paymentId: 'id', merchant: solanaAddress, platform: solanaAddress, feeBps: 150, deadlineSeconds: 900 },
  }
  const open = newContractPayment({ network: 'solana', splitTerms: formatSolanaSplitTerms(terms) })
  const uri = (changes: Partial<typeof open>) => viewer.public({ ...open, ...changes }).paymentUri
  expect(uri({})).toBe(`solana:https://pay.example/api/v1/payments/solana-pay/${open.id}`)
  for (const changes of [{ status: 'completed' }, { status: 'expired' }, { isTest: true }] as const)
    expect(uri(changes)).toBeNull()
  expect(createPaymentViewer(new Map(), heads).public(open).paymentUri).toBeNull()
})

test('the shop’s return URL gets the payment’s id, unless it has that parameter', () => {
  const { id } = newPayment()
  const url = (returnUrl: string) => publicOf({ returnUrl }).returnUrl
  expect(url('https://shop.example/done?a=1')).toBe(`https://shop.example/done?a=1&paymentId=${id}`)
  expect(url('https://shop.example/done?paymentId=mine')).toBe('https://shop.example/done?paymentId=mine')
})

test('the ETag changes with the payment, its confirmations, and the offer of a signature', () => {
  showHead(10)
  const payment = newPayment({ lastBlock: 10, takesSignatures: true })
  const known = viewer.etag(payment)
  expect(viewer.etag({ ...payment, version: 2 })).not.toBe(known)
  expect(viewer.etag({ ...payment, takesSignatures: false })).not.toBe(known)
  showHead(11)
  expect(viewer.etag(payment)).not.toBe(known)
  showHead(10)
  expect(viewer.etag(payment)).toBe(known)
})
