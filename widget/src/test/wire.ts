/** A payment in the service's wire format. */
export type Wire = Record<string, unknown>

export const address = '0x8Ba1f109551bD432803012645Ac136ddd64DBA72'
export const paymentId = '0b9f6c1e-5a55-4c3e-9f0e-2f1c6a7d8e90'
const minuteMs = 60_000

/** 21 × 21 modules, dark where (row + column) is even: not a valid code, but every module is known. */
function checkered(): { size: number; modules: string } {
  const size = 21
  const bytes = new Uint8Array(Math.ceil(size ** 2 / 8))
  for (let index = 0; index < size ** 2; index += 2) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (128 >> (index & 7))
  return { size, modules: btoa(String.fromCharCode(...bytes)) }
}

export function wirePayment(over: Wire = {}): Wire {
  return {
    id: paymentId,
    paymentMode: 'deposit',
    status: 'pending',
    outcome: 'pending',
    isFinal: false,
    paymentState: 'awaiting',
    settlement: { state: 'pending', message: 'Waiting for the customer.' },
    amount: '25.00',
    amountReceived: null,
    amountDetected: null,
    amountRemaining: '25.00',
    excessOwed: null,
    currency: 'USDC',
    network: 'devnet',
    depositAddress: address,
    confirmations: 0,
    requiredConfirmations: 3,
    expiresAt: new Date(Date.now() + 15 * minuteMs).toISOString(),
    createdAt: new Date().toISOString(),
    transactionHash: null,
    isTest: false,
    explorer: { address: null, transaction: null },
    Token: { symbol: 'USDC', name: 'USD Coin', contractAddress: address, decimals: 6 },
    Network: { name: 'Devnet', shortName: 'devnet', chainId: 31337, type: 'evm' },
    Merchant: { businessName: 'Moss & Fern' },
    paymentUri: `ethereum:${address}@31337/transfer?address=${address}&uint256=25000000`,
    qr: { address: checkered(), uri: { ...checkered() } },
    ...over,
  }
}

export const seen = { amountDetected: '25.00', amountRemaining: '0.00', confirmations: 1 }
export const short = {
  paymentState: 'underpaid',
  amountReceived: '10.00',
  amountDetected: '10.00',
  amountRemaining: '15.00',
}
export const paid = {
  outcome: 'paid',
  isFinal: true,
  paymentState: 'completed',
  settlement: { state: 'settled', message: 'Funds are in the wallet.' },
  amountReceived: '25.00',
  amountDetected: '25.00',
  amountRemaining: '0.00',
  confirmations: 3,
}
export const expired = { outcome: 'failed', isFinal: true, expiresAt: new Date(Date.now() - 1000).toISOString() }

export function wireAnswer(over: Wire = {}, serverTime = new Date().toISOString()): Wire {
  return { success: true, requestId: 'request', serverTime, payment: wirePayment(over) }
}
