import type { EvmNetwork, SigningDomain } from '../../../core/families.ts'
import type { ContractPayment } from '../../../payment/payment.ts'
import type { WalletChain } from '../../family.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { domainType, fieldTypes, isDomain } from '../eip712.ts'
import {
  encodeApproval,
  encodeSplit,
  encodeSplitBefore,
  encodeSplitWithAuthorization,
  encodeSplitWithPermit,
} from './split-call.ts'
import { parseSplitTerms, type SplitTerms, splitDetails } from './split-terms.ts'

/** For clients that encode the call themselves: both functions, and the errors. */
const abi = paymentSplitter.abi.filter(
  (item) =>
    item.type === 'error' ||
    (item.type === 'function' && (item.name === 'splitPayment' || item.name === 'splitPaymentBefore')),
)

/** A payment's calls for the customer's wallet, in every form that the splitter accepts. */
export function contractCall(
  network: EvmNetwork,
  { currency, splitTerms, termsHash }: Pick<ContractPayment, 'currency' | 'splitTerms' | 'termsHash'>,
) {
  const terms = parseSplitTerms(splitTerms)
  const params = wireParams(terms)
  const deadline = String(terms.deadlineSeconds)
  const { permit, authorization } = network.tokens.find(({ symbol }) => symbol === currency) ?? {}
  return {
    contractAddress: terms.splitter,
    functionName: 'splitPayment',
    tokenAddress: terms.token,
    approvalAmount: params.amount,
    approvalRequired: true,
    params,
    chainId: terms.chainId,
    abi,
    data: encodeSplit(terms),
    value: '0x0' as const,
    before: { functionName: 'splitPaymentBefore', params, deadline, data: encodeSplitBefore(terms) },
    ...(permit && { permit: permitCall(terms, permit, deadline) }),
    ...(isDomain(authorization) && { authorization: authorizationCall(terms, authorization, deadline, termsHash) }),
    approval: {
      to: terms.token,
      data: encodeApproval(terms.splitter, terms.amount),
      resetData: encodeApproval(terms.splitter, 0n),
      // Tether's contract changes an allowance only from or to zero.
      requiresReset: currency === 'USDT',
    },
    chain: { ...walletChain(network), chainId: terms.chainId },
  }
}

/** The network as a wallet adds it. */
export const walletChain = ({
  chainId,
  name,
  publicRpcUrls,
  nativeCurrency,
  explorerUrl,
}: EvmNetwork): WalletChain => ({
  chainId,
  name,
  rpcUrls: publicRpcUrls,
  nativeCurrency,
  explorerUrl,
})

/** The struct as JSON: amounts as decimal text, shares as numbers. */
function wireParams(terms: SplitTerms) {
  const details = splitDetails(terms)
  return {
    token: details.token,
    amount: String(details.amount),
    paymentId: details.paymentId,
    recipient1: details.recipient1,
    recipient2: details.recipient2,
    recipient3: details.recipient3,
    recipient1Percentage: Number(details.recipient1Percentage),
    recipient2Percentage: Number(details.recipient2Percentage),
    recipient3Percentage: Number(details.recipient3Percentage),
  }
}

const domainOf = ({ chainId, token }: SplitTerms, { name, version }: SigningDomain) => ({
  name,
  version,
  chainId,
  verifyingContract: token,
})

/** ERC-2612, for exactly the amount. The client fills in the payer and the payer's nonce at the token. */
function permitCall(terms: SplitTerms, domain: SigningDomain, deadline: string) {
  return {
    functionName: 'splitPaymentWithPermit',
    deadline,
    ...encodeSplitWithPermit(terms),
    typedData: {
      types: {
        EIP712Domain: domainType,
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      domain: domainOf(terms, domain),
      message: { owner: null, spender: terms.splitter, value: String(terms.amount), nonce: null, deadline },
    },
  }
}

/** ERC-3009. The nonce is the terms hash, so that the sender of the transaction cannot change anything. */
function authorizationCall(terms: SplitTerms, domain: SigningDomain, deadline: string, termsHash: string) {
  return {
    functionName: 'splitPaymentWithAuthorization',
    deadline,
    ...encodeSplitWithAuthorization(terms),
    typedData: {
      types: {
        EIP712Domain: domainType,
        ReceiveWithAuthorization: [...fieldTypes],
      },
      primaryType: 'ReceiveWithAuthorization',
      domain: domainOf(terms, domain),
      message: {
        from: null,
        to: terms.splitter,
        value: String(terms.amount),
        validAfter: '0',
        validBefore: deadline,
        nonce: termsHash,
      },
    },
  }
}
