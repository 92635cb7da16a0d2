import { paymentQr } from '@stablecoin-checkout/bff/testing/checkout'
import { tronAddressOf } from '@stablecoin-checkout/bff/testing/tron'
import { address, paid, seen } from '../../../widget/src/test/wire.ts'

const explorer = { transaction: `https://explorer.example/tx/0x${'5c'.repeat(32)}`, address: null }

const deposit = (depositAddress: string, paymentUri: string) => ({
  depositAddress,
  paymentUri,
  qr: paymentQr({ depositAddress, paymentUri }),
})

/** A virtual address of the master 0x58e21090 (TIP-1022). */
const virtual = '0x58E21090fdfDFdFdFdFDFdfdFDfd00000000000A'
const onTempo = {
  ...deposit(
    virtual,
    `ethereum:0x20C000000000000000000000b9537d11c60E8b50@4217/transfer?address=${virtual}&uint256=25000000`,
  ),
  network: 'tempo',
  requiredConfirmations: 1,
  Network: { name: 'Tempo', shortName: 'tempo', chainId: 4217, type: 'evm' },
}

const tronAddress = tronAddressOf(address)
const onTron = {
  ...deposit(tronAddress, tronAddress),
  currency: 'USDT',
  network: 'tron',
  requiredConfirmations: 19,
  Token: { symbol: 'USDT', name: 'Tether USD', contractAddress: tronAddress, decimals: 6 },
  Network: { name: 'Tron', shortName: 'tron', chainId: 728126428, type: 'tron' },
}

const euros = {
  currency: 'EURC',
  price: '25.00',
  priceCurrency: 'EUR',
  rate: '1',
  rateAt: '2026-11-21T12:01:00.000Z',
  Token: { symbol: 'EURC', name: 'Euro Coin', contractAddress: address, decimals: 6 },
}

const done = { ...paid, explorer, confirmedAt: '2026-11-21T12:01:00.000Z' }

/**
 * Payments at addresses that need no sweep, and payments in euros. If the money is in the shop's own wallet, the service owes no refund.
 */
export const railStates: Readonly<Record<string, object>> = {
  'on Tempo': onTempo,
  'on Tempo, paid': { ...onTempo, ...done },
  'on Tron': onTron,
  'on Tron, detected': { ...onTron, ...seen, explorer, confirmations: 7 },
  'on Tron, paid': { ...onTron, ...done, confirmations: 19 },
  'to the shop’s own wallet, too much': {
    ...done,
    amountReceived: '30.00',
    amountDetected: '30.00',
    excessOwed: '5.00',
  },
  'in EURC': euros,
  'in EURC, paid': { ...euros, ...done },
}
