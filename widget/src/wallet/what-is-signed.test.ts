import { expect } from '@open-wc/testing'
import { parseAnswer } from '../api/parse-answer.ts'
import type { Answer } from '../payment.ts'
import { pinsOf } from '../pins.ts'
import type { Intent } from '../terms.ts'
import { contractPayment } from '../test/contract.ts'
import { account, merchant, platform, solanaContract } from '../test/solana-wire.ts'
import { paymentId, type Wire, wireAnswer } from '../test/wire.ts'
import { parseOrder } from './evm/evm-order.ts'
import { expectedTransaction } from './solana/solana-order.ts'
import { transferOf } from './tron/tron-transfer.ts'

const answer = (over: Wire) => parseAnswer(wireAnswer(over)) as Answer
const pins = pinsOf({ splitter: '', merchantWallet: '', maxFeeBps: '', tokenAddress: '' })
const follow: Intent = { type: 'follow', apiBase: 'https://pay.example', paymentId }
const onNetwork = (network: string): Intent => ({
  type: 'create',
  apiBase: 'https://pay.example',
  publicKey: 'pk_live_a',
  terms: { amount: '25.00', currency: 'USDC', network },
})

suite('what the wallet of an EVM chain is asked for', () => {
  const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  const onBase = (over: Wire = {}): Wire => ({
    network: 'base',
    Network: { name: 'Base', chainId: 8453, type: 'evm' },
    Token: { symbol: 'USDC', contractAddress: usdc, decimals: 6 },
    ...over,
  })

  test('counts a known token in its own decimals, whatever the service says', () => {
    expect(parseOrder(answer(onBase()), follow, pins).amount).to.equal(25_000_000n)
    for (const decimals of [2, 18]) {
      const wrong = answer(onBase({ Token: { symbol: 'USDC', contractAddress: usdc, decimals } }))
      expect(() => parseOrder(wrong, follow, pins)).to.throw(RangeError, 'the token’s decimals')
    }
  })

  test('is on the chain of the network that the screen names', () => {
    const elsewhere = onBase({ Network: { name: 'Base', chainId: 31_337, type: 'evm' } })
    expect(() => parseOrder(answer(elsewhere), follow, pins)).to.throw(RangeError, 'the chain')
  })

  test('is no call of the splitter once a part was paid: it would take the whole again', () => {
    expect(parseOrder(answer(contractPayment()), follow, pins).amount).to.equal(25_000_000n)
    const partly = contractPayment({ amountDetected: '10.00', amountRemaining: '15.00' })
    expect(() => parseOrder(answer(partly), follow, pins)).to.throw(RangeError, 'already paid in part')
  })
})

suite('what the wallet of Solana is asked for', () => {
  test('gives the platform its share rounded down, and the merchant the rest, to the unit', async () => {
    for (const [amount, fee, rest] of [
      ['25.000001', 375_000n, 24_625_001n],
      ['0.000067', 1n, 66n],
      ['0.000066', 0n, 66n],
    ] as const) {
      const paid = answer({ ...solanaContract, amount, amountRemaining: amount })
      const { recipients } = await expectedTransaction(paid, { intent: follow, pins, account })
      const shares = recipients.map((one) => [one.owner, one.amount])
      const both = [
        [platform, fee],
        [merchant, rest],
      ]
      expect(shares, amount).to.deep.equal(both.filter(([, share]) => share !== 0n))
    }
  })

  test('is on the network that the page asks for', async () => {
    const terms = (network: string) => ({ intent: onNetwork(network), pins, account })
    const paid = answer(solanaContract)
    expect((await expectedTransaction(paid, terms('solana-devnet'))).recipients).to.have.length(2)
    const error = await expectedTransaction(paid, terms('solana')).catch((reason: unknown) => reason)
    expect(String(error)).to.include('The payment is on solana-devnet, not on solana.')
  })
})

suite('what the wallet of Tron is asked for', () => {
  const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  const deposit = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
  const onTron = (over: Wire = {}): Wire => ({
    ...{ network: 'tron', depositAddress: deposit, currency: 'USDT' },
    Token: { symbol: 'USDT', contractAddress: usdt, decimals: 6 },
    Network: { name: 'Tron', shortName: 'tron', chainId: '728126428', type: 'tron' },
    ...over,
  })

  test('goes to a wallet that the page lists, where it lists any', () => {
    const listed = (merchantWallet: string) => ({ ...pins, merchantWallets: [merchantWallet] })
    expect(transferOf(answer(onTron()), { intent: follow, pins: listed(deposit) }).to).to.equal(deposit)
    expect(() => transferOf(answer(onTron()), { intent: follow, pins: listed(usdt) })).to.throw(
      `The payment goes to ${deposit}, which merchant-wallet does not list.`,
    )
  })

  test('is the rest, and never more than the payment', () => {
    const rest = (amountRemaining: string) =>
      transferOf(answer(onTron({ amountRemaining })), { intent: follow, pins }).amount
    expect([rest('25.00'), rest('10.50')]).to.deep.equal([25_000_000n, 10_500_000n])
    expect(() => rest('25.000001')).to.throw(RangeError, 'exceeds the payment’s')
  })
})
