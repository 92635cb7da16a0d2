import { getAddress, type Hex, isAddress } from 'viem'
import type { EvmNetwork } from '../../core/families.ts'
import { simulatedChainId, simulatedContract } from '../../core/simulated-chain-ids.ts'
import type { ContractPayment } from '../../payment/payment.ts'
import type { ChainFamily, WalletPaymentDraft } from '../family.ts'
import { paymentTypedData } from './authorization/typed-data.ts'
import { implementationAddress, paymentSplitter } from './deploy/contracts.generated.ts'
import { parseDepositTerms } from './deposit/deposit-terms.ts'
import { evmDeposits } from './deposit/evm-deposits.ts'
import { evmPaces } from './pace.ts'
import { newOperatorKey, operatorAddress } from './signer/operator.ts'
import { contractCall, walletChain } from './split/contract-call.ts'
import { refundCall, refundPlace } from './split/refund-terms.ts'
import { formatSplitTerms, parseSplitTerms, type SplitTerms, termsHash } from './split/split-terms.ts'

/** The address with its checksum; undefined for any other text, including an address with a wrong checksum. */
export function checksumAddress(text: string): string | undefined {
  return isAddress(text) ? getAddress(text) : undefined
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** EIP-681. */
const transferUri = (
  { chainId }: EvmNetwork,
  { tokenAddress, address }: { tokenAddress: string; address: string },
  amount: bigint,
): string => `ethereum:${tokenAddress}@${chainId}/transfer?address=${address}&uint256=${amount}`

/** Ethereum, and every chain with the same addresses, transactions and JSON-RPC. */
export const evmFamily: ChainFamily<EvmNetwork> = {
  parseAddress: checksumAddress,
  hasAddressForm: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
  addressFormat: '0x and 40 hex digits',
  walletHint: '0x…',
  isSameAddress,
  zeroAddress: `0x${'0'.repeat(40)}`,
  isContractOfOurs: (address, network) =>
    [implementationAddress, ...(network ? [network.factory, network.splitter] : [])].some((contract) =>
      isSameAddress(contract, address),
    ),
  parseTxId: (text) => (/^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined),
  txIdFormat: '0x and 64 hex digits',

  payerKey: {
    variable: 'OPERATOR_PRIVATE_KEY',
    create: newOperatorKey,
    addressOf: operatorAddress,
    format: '0x and 64 hex digits, on the curve',
  },
  coinOf: ({ nativeCurrency }) => nativeCurrency,
  // Only Tempo has virtual addresses, and it has no coin: its nodes answer balance queries with a fixed number.
  hasCoin: ({ deposits }) => deposits !== 'virtual',
  paceOf: ({ chainId }) => evmPaces.get(chainId),
  logo: 'other',
  configFaults,
  caip2: ({ chainId }) => `eip155:${chainId}`,
  walletChainId: ({ chainId }) => chainId,

  hasContracts: true,
  sharesPlatformWallet: true,
  receivesBridged: true,
  // The forwarder pays late money to the merchant.
  returnsLateMoney: false,

  depositsOf: ({ deposits }) => evmDeposits(deposits),
  depositFeeBps: (depositTerms) => parseDepositTerms(depositTerms).feeBps,
  depositUri: (network, { depositAddress: address, ...payment }, amount) =>
    transferUri(network, { ...payment, address }, amount),

  newWalletPayment,
  walletTermsOf: ({ splitTerms }) => parseSplitTerms(splitTerms),
  walletUri: () => null,
  contractCall,
  refundPlace,
  refundCall,
  refundWallet: (network) => ({ by: 'transfer', chain: walletChain(network) }),
  transferUri,
  paymentTypedData,
  isSponsored: () => false,
  walletContract: ({ splitter }) => ({ address: splitter, abi: paymentSplitter.abi }),
}

function configFaults({ finalityBlocks, confirmations, highValue, deposits, ...gas }: EvmNetwork): string[] {
  const faults: string[] = []
  if (finalityBlocks < confirmations) faults.push('finalityBlocks is less than confirmations')
  if (highValue !== null && (highValue.confirmations < confirmations || highValue.confirmations > finalityBlocks)) {
    faults.push('highValue.confirmations is not between confirmations and finalityBlocks')
  }
  if (deposits !== 'forwarder') {
    if (gas.signatureGas !== null)
      faults.push(`signatureGas must be null: with deposits "${deposits}" the service sends nothing`)
    if (gas.sweepGas !== null) faults.push(`sweepGas must be null: with deposits "${deposits}" nothing is swept`)
  }
  return faults
}

function newWalletPayment(network: EvmNetwork, draft: WalletPaymentDraft): ContractPayment {
  const { merchantWallet, common, feeBps } = draft
  const terms: SplitTerms = {
    chainId: common.isTest ? simulatedChainId : network.chainId,
    splitter: (common.isTest ? simulatedContract : network.splitter) as Hex,
    token: (common.isTest ? simulatedContract : common.tokenAddress) as Hex,
    amount: common.due,
    paymentId: common.id,
    merchant: merchantWallet as Hex,
    platform: network.platformWallet as Hex,
    feeBps,
    // Rounded down: the last second that the splitter accepts is still within the window.
    deadlineSeconds: Math.floor(common.windowEndsAtMs / 1000),
  }
  return Object.assign(common, {
    mode: 'contract' as const,
    splitter: terms.splitter.toLowerCase(),
    termsHash: termsHash(terms),
    splitTerms: formatSplitTerms(terms),
    plainSender: null,
  })
}
