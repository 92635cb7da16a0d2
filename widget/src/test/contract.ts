import { address, type Wire, wirePayment } from './service.ts'

export const contractId = '5d1cf0a2-8a0b-4c1e-9b77-6f1f0f6f3c11'
export const token = '0x1111111111111111111111111111111111111111'
export const splitter = '0x2222222222222222222222222222222222222222'
export const chainId = 31337

const words = (count: number) => '0'.repeat(64 * count)

/** The head of the splitter's call; the emulated chain knows calls by their whole text and takes nothing apart. */
export const payCall = `0x4b798688${words(3)}${'ab'.repeat(32)}`
const permitCall = `0x77777777${words(2)}${words(3)}${'cd'.repeat(32)}`
const signatureOffset = 2 + 8 + 2 * 64

export const permit = {
  functionName: 'splitPaymentWithPermit',
  deadline: '4102444800',
  data: permitCall,
  signatureOffset,
  typedData: {
    types: { EIP712Domain: [], Permit: [] },
    primaryType: 'Permit',
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: token },
    message: { owner: null, spender: splitter, value: '25000000', nonce: null, deadline: '4102444800' },
  },
}

const params = {
  token,
  amount: '25000000',
  paymentId: contractId,
  recipient1: address,
  recipient2: address,
  recipient3: `0x${'0'.repeat(40)}`,
  recipient1Percentage: 9850,
  recipient2Percentage: 150,
  recipient3Percentage: 0,
}

export function contractCall(over: Wire = {}): Wire {
  return {
    contractAddress: splitter,
    functionName: 'splitPayment',
    tokenAddress: token,
    approvalAmount: '25000000',
    approvalRequired: true,
    params,
    chainId,
    abi: [],
    data: '0xc3ef0114',
    value: '0x0',
    before: { functionName: 'splitPaymentBefore', params, deadline: '4102444800', data: payCall },
    approval: { to: token, data: '0x', resetData: '0x', requiresReset: false },
    chain: {
      chainId,
      name: 'Devnet',
      rpcUrls: ['https://rpc.example'],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      explorerUrl: 'https://explorer.example',
    },
    ...over,
  }
}

export function contractPayment(over: Wire = {}): Wire {
  return wirePayment({
    id: contractId,
    paymentMode: 'contract',
    depositAddress: null,
    paymentUri: null,
    qr: { address: null, uri: null },
    Token: { symbol: 'USDC', name: 'USD Coin', contractAddress: token, decimals: 6 },
    contractCall: contractCall(),
    ...over,
  })
}
