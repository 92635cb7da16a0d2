import type { SolanaNetwork } from '../../../core/families.ts'
import { formatAmount } from '../../../core/money.ts'
import { simulatedCluster } from '../../../core/simulated-chain-ids.ts'
import { signableAmount } from '../../../payment/authorization.ts'
import type { ContractPayment } from '../../../payment/payment.ts'
import type { DepositDraft, DepositPlace, ServiceAddresses } from '../../deposit-kind.ts'
import type { ChainFamily, WalletPaymentTerms } from '../../family.ts'
import { isSolanaAddress, isSolanaSignature } from './solana-address.ts'
import { formatSolanaTerms, parseSolanaTerms } from './solana-deposit-terms.ts'
import { newSolanaKey, solanaKeyAddress } from './solana-key.ts'
import { solanaRefundPlace } from './solana-refund-place.ts'
import { newSolanaPayment, parseSolanaSplitTerms } from './solana-split-terms.ts'

/** A Solana Pay transfer request, in whole tokens. Base58, digits and a dot need no escaping. */
const transferUri: ChainFamily<SolanaNetwork>['transferUri'] = (
  _,
  { tokenAddress, tokenDecimals, address, reference },
  amount,
) => {
  const uri = `solana:${address}?amount=${formatAmount(amount, tokenDecimals)}&spl-token=${tokenAddress}`
  return reference ? `${uri}&reference=${reference}` : uri
}

/** Solana, with tokens of the classic Token program. */
export const solanaFamily: ChainFamily<SolanaNetwork> = {
  parseAddress: (text) => (isSolanaAddress(text) ? text : undefined),
  hasAddressForm: isSolanaAddress,
  addressFormat: '32 bytes in base58',
  walletHint: "an owner's address, not a token account",
  // Base58 is case-sensitive.
  isSameAddress: (one, other) => one === other,
  // The System program, which owns no usable token account.
  zeroAddress: '1'.repeat(32),
  isContractOfOurs: () => false,
  parseTxId: (text) => (isSolanaSignature(text) ? text : undefined),
  txIdFormat: 'a signature: 64 bytes in base58',

  payerKey: {
    variable: 'SOLANA_FEE_PAYER_KEY',
    create: newSolanaKey,
    addressOf: solanaKeyAddress,
    format: 'a secret key of 64 bytes in base58',
  },
  coinOf: () => ({ symbol: 'SOL', decimals: 9 }),
  hasCoin: () => true,
  // A slot of 0.4 s.
  paceOf: () => ({ blockSeconds: 0.4, fee: 'low' }),
  logo: 'solana',
  configFaults: () => [],
  caip2: ({ genesisHash }) => `solana:${genesisHash.slice(0, 32)}`,
  walletChainId: () => null,

  hasContracts: false,
  sharesPlatformWallet: false,
  receivesBridged: false,
  returnsLateMoney: true,

  depositsOf: () => solanaDeposits,
  depositFeeBps: (depositTerms) => parseSolanaTerms(depositTerms).feeBps,
  depositUri: (network, { depositAddress: address, ...payment }, amount) =>
    transferUri(network, { ...payment, address }, amount),
  transferUri,
  refundPlace: solanaRefundPlace,
  refundCall: () => undefined,
  refundWallet: () => ({ by: 'transaction', chain: null }),

  newWalletPayment: (network, draft) => newSolanaPayment({ network, ...draft }),
  walletTermsOf,
  // A Solana Pay transaction request.
  walletUri: ({ id }, publicUrl) => `solana:${publicUrl}/api/v1/payments/solana-pay/${id}`,
  contractCall: () => undefined,
  paymentTypedData: () => undefined,
  isSponsored: ({ signatureGas }, payment) => signatureGas !== null && !payment.isTest && signableAmount(payment) > 0n,
  // The token program moves the money.
  walletContract: () => null,
}

/** The reference is the payment's on-chain id. */
function walletTermsOf({ splitTerms, termsHash }: ContractPayment): WalletPaymentTerms {
  const { merchant, platform, feeBps, mint } = parseSolanaSplitTerms(splitTerms)
  return { splitter: null, paymentId: termsHash, merchant, platform, feeBps, chainId: null, token: mint }
}

function newDeposit(network: SolanaNetwork, draft: DepositDraft): DepositPlace {
  const { token, merchantWallet, common, feeBps, salt, solanaOwner } = draft
  if (solanaOwner === null) throw new Error('A Solana network needs a seed, and none is configured')
  const depositTerms = formatSolanaTerms({
    genesisHash: common.isTest ? simulatedCluster : network.genesisHash,
    mint: token.address,
    amount: common.due,
    least: common.least,
    merchant: merchantWallet,
    platform: network.platformWallet,
    feeBps,
    deadlineSeconds: Math.ceil(common.windowEndsAtMs / 1000),
    salt,
  })
  return { depositAddress: solanaOwner(depositTerms), depositTerms, isDirect: false }
}

/** Keys derived from the service's seed. */
const solanaDeposits: ServiceAddresses<SolanaNetwork> = { isDirect: false, newDeposit }
