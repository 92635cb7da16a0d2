import { splitterAddress } from '../pins.ts'
import { encodeSplit, encodeSplitBefore, encodeSplitWithPermit, type SplitDetails } from '../wallet/evm/split-call.ts'
import { address, type Wire, wirePayment } from './service.ts'

export const contractId = '5d1cf0a2-8a0b-4c1e-9b77-6f1f0f6f3c11'
export const token = '0x1111111111111111111111111111111111111111'
export const splitter = splitterAddress
export const chainId = 31337
const merchantWallet = '0x3333333333333333333333333333333333333333'
const nobody = `0x${'0'.repeat(40)}`
/** The splitter's hash of the terms. */
const termsHash = `0x${'7e'.repeat(32)}`
const expiresAt = new Date(Math.floor(Date.now() / 1000 + 30 * 60) * 1000).toISOString()

/** The splitter call for the one payment. */
export const details: SplitDetails = {
  token,
  amount: 25_000_000n,
  paymentId: contractId,
  recipients: [merchantWallet, address, nobody],
  shares: [9850, 150, 0],
}

const secondsOf = (time: unknown) => BigInt(Math.floor(Date.parse(String(time)) / 1000))
const deadline = String(secondsOf(expiresAt))

/** The emulated chain compares whole calls and does not decode them. */
export const payCall = encodeSplitBefore(details, BigInt(deadline))

const field = (name: string, type: string) => ({ name, type })
export const permit = {
  functionName: 'splitPaymentWithPermit',
  deadline,
  data: encodeSplitWithPermit(details, BigInt(deadline)),
  signatureOffset: 2 + 8 + 2 * 64,
  typedData: {
    types: {
      EIP712Domain: [
        field('name', 'string'),
        field('version', 'string'),
        field('chainId', 'uint256'),
        field('verifyingContract', 'address'),
      ],
      Permit: [
        field('owner', 'address'),
        field('spender', 'address'),
        field('value', 'uint256'),
        field('nonce', 'uint256'),
        field('deadline', 'uint256'),
      ],
    },
    primaryType: 'Permit',
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: token },
    message: { owner: null, spender: splitter, value: '25000000', nonce: null, deadline },
  },
}

/** The typed data that the service offers in place of a transaction. */
export function authorization(over: Wire = {}, type = 'ReceiveWithAuthorization', until = expiresAt): Wire {
  const message = {
    ...{ from: null, to: type === 'ReceiveWithAuthorization' ? splitter : address, value: '25000000', validAfter: '0' },
    validBefore: String(secondsOf(until)),
    nonce: type === 'ReceiveWithAuthorization' ? `0x${'7e'.repeat(32)}` : null,
    ...over,
  }
  const fields = [
    field('from', 'address'),
    field('to', 'address'),
    field('value', 'uint256'),
    field('validAfter', 'uint256'),
    field('validBefore', 'uint256'),
    field('nonce', 'bytes32'),
  ]
  const { EIP712Domain } = permit.typedData.types
  const { domain } = permit.typedData
  return { typedData: { types: { EIP712Domain, [type]: fields }, primaryType: type, domain, message } }
}

/**
 * The same for a token without ERC-3009.
 * @param witness - The deposit's, if it has an address.
 */
export function permit2Authorization(over: Wire = {}, witness: Wire = { termsHash }, until = expiresAt): Wire {
  const isDeposit = 'depositAddress' in witness
  const name = isDeposit ? 'Deposit' : 'PaymentTerms'
  const message = {
    permitted: { token, amount: '25000000' },
    spender: splitter,
    nonce: isDeposit ? null : String(BigInt(termsHash)),
    deadline: String(secondsOf(until)),
    witness,
    ...over,
  }
  const types = {
    EIP712Domain: [field('name', 'string'), field('chainId', 'uint256'), field('verifyingContract', 'address')],
    PermitWitnessTransferFrom: [
      field('permitted', 'TokenPermissions'),
      field('spender', 'address'),
      field('nonce', 'uint256'),
      field('deadline', 'uint256'),
      field('witness', name),
    ],
    TokenPermissions: [field('token', 'address'), field('amount', 'uint256')],
    [name]: [isDeposit ? field('depositAddress', 'address') : field('termsHash', 'bytes32')],
  }
  const domain = { name: 'Permit2', chainId, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' }
  return { typedData: { types, primaryType: 'PermitWitnessTransferFrom', domain, message } }
}

const [recipient1, recipient2, recipient3] = details.recipients
export const params = {
  token,
  amount: '25000000',
  paymentId: contractId,
  ...{ recipient1, recipient2, recipient3 },
  recipient1Percentage: 9850,
  recipient2Percentage: 150,
  recipient3Percentage: 0,
}

const approvalOf = (amount: bigint) => `0x095ea7b3${word(BigInt(splitter))}${word(amount)}`
const word = (value: bigint) => value.toString(16).padStart(64, '0')
export const approval = {
  to: token,
  data: approvalOf(25_000_000n),
  resetData: approvalOf(0n),
  requiresReset: false,
}

export function contractCall(over: Wire = {}, until: unknown = expiresAt): Wire {
  return {
    contractAddress: splitter,
    functionName: 'splitPayment',
    tokenAddress: token,
    approvalAmount: '25000000',
    approvalRequired: true,
    params,
    chainId,
    abi: [],
    data: encodeSplit(details),
    value: '0x0',
    before: {
      functionName: 'splitPaymentBefore',
      params,
      deadline: String(secondsOf(until)),
      data: encodeSplitBefore(details, secondsOf(until)),
    },
    approval,
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
    expiresAt,
    merchantWallet,
    platformWallet: address,
    merchantPercentage: 9850,
    platformPercentage: 150,
    contractCall: contractCall({}, over['expiresAt'] ?? expiresAt),
    ...over,
  })
}
