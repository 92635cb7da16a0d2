import { address, expired, paid, seen, short, type Wire } from './wire.ts'

const tx = `0x${'5c'.repeat(32)}`
const explorer = { transaction: `https://explorer.example/tx/${tx}`, address: 'https://explorer.example/address/0x1' }
const network = {
  name: 'Devnet',
  shortName: 'devnet',
  chainId: 31337,
  type: 'evm',
  explorerUrl: 'https://explorer.example',
}
const customer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const common = { explorer, Network: network, transactionHash: tx }

const refund = (state: string, over: Wire = {}): Wire => ({
  refund: {
    state,
    message: '',
    address: state === 'address_needed' ? null : customer,
    amount: '5.00',
    amountRefunded: '0.00',
    txHash: null,
    ...over,
  },
})
const tooMuch = { ...paid, ...common, excessOwed: '5.00', confirmedAt: '2026-11-21T12:01:00.000Z' }
const cutShort = { ...expired, ...common, amountReceived: '5.00', amountDetected: '5.00' }

const priced = {
  ...{ price: '23.03', priceCurrency: 'EUR', rate: '0.9213', rateAt: '2026-11-21T12:01:00.000Z' },
  returnUrl: 'https://shop.example/orders/7?paymentId=1',
}

/** Every state of a payment that a customer can see, by name: overrides of a new payment. */
export const states: Record<string, Wire> = {
  waiting: {},
  short,
  seen: { ...seen, ...common, confirmations: 0 },
  confirming: { ...seen, ...common, confirmations: 2 },
  paid: { ...paid, ...common, confirmedAt: '2026-11-21T12:01:00.000Z' },
  'a price in euros': priced,
  'paid, a price and a way back': { ...paid, ...common, ...priced, confirmedAt: '2026-11-21T12:01:00.000Z' },
  'expired, a way back': { ...expired, ...priced },
  'paid, on its way': { ...paid, ...common, settlement: { state: 'settling', message: '' } },
  'too much': { ...tooMuch, ...refund('address_needed') },
  'refund waits for the payout': { ...tooMuch, ...refund('waiting') },
  'refund under way': { ...tooMuch, ...refund('sending') },
  'refund takes long': { ...tooMuch, ...refund('delayed') },
  'refund failed': { ...tooMuch, ...refund('failed') },
  refunded: { ...tooMuch, excessOwed: '0.00', ...refund('refunded', { txHash: tx, amountRefunded: '5.00' }) },
  'wrong token on another network': {
    unmatched: [
      {
        ...{ network: 'polygon', networkName: 'Polygon', currency: 'USDT', tokenAddress: null, amount: '7.50' },
        ...{ amountRefunded: '0.00', transactionHash: tx, refund: { state: 'address_needed', message: '' } },
      },
    ],
  },
  expired: { ...expired, ...common, transactionHash: null },
  'expired, short': { ...cutShort, ...refund('address_needed') },
  'expired, may still be paid': { ...expired, isFinal: false },
  late: { ...expired, ...common, amountReceived: '25.00', ...refund('held', { address: null, amount: '25.00' }) },
  cancelled: { outcome: 'failed', isFinal: true },
  test: { isTest: true, Network: { ...network, chainId: null }, depositAddress: address },
}
