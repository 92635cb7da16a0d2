import type { EvmNetwork, SigningDomain } from '../../../core/families.ts'
import { signableAmount } from '../../../payment/authorization.ts'
import type { Payment } from '../../../payment/payment.ts'
import { domainType, fieldTypes, isDomain } from '../eip712.ts'
import { parseSplitTerms } from '../split/split-terms.ts'
import { permit2TypedData } from './permit2.ts'

/** A token's authorization method on a network; undefined if it has none. */
export function signingOf(
  network: Pick<EvmNetwork, 'tokens' | 'signatureGas'>,
  { currency, tokenAddress, isTest }: Pick<Payment, 'currency' | 'tokenAddress' | 'isTest'>,
): SigningDomain | 'permit2' | undefined {
  if (network.signatureGas === null || isTest) return undefined
  const token = network.tokens.find(({ symbol }) => symbol === currency)
  const isSame = token?.address.toLowerCase() === tokenAddress.toLowerCase()
  return isSame ? (token?.authorization ?? undefined) : undefined
}

type Terms = { domain: SigningDomain; chainId: number; token: string; to: string; value: bigint; validBefore: string }

const typedData = <Name extends 'TransferWithAuthorization' | 'ReceiveWithAuthorization'>(
  primaryType: Name,
  { domain, chainId, token, to, value, validBefore }: Terms,
  nonce: string | null,
) => ({
  types: { EIP712Domain: domainType, [primaryType]: [...fieldTypes] } as Record<
    string,
    { name: string; type: string }[]
  >,
  primaryType,
  domain: { name: domain.name, version: domain.version, chainId, verifyingContract: token },
  message: { from: null, to, value: String(value), validAfter: '0', validBefore, nonce },
})

/**
 * The typed data to pay without coins (`eth_signTypedData_v4`). The client fills in the payer and, where the nonce is null, 32
 * random bytes. Undefined if the payment cannot (or can no longer) be paid by signature.
 */
export function paymentTypedData(network: EvmNetwork, payment: Payment) {
  const signing = signingOf(network, payment)
  const value = signableAmount(payment)
  if (signing === undefined || value === 0n) return undefined
  return isDomain(signing)
    ? authorizationTypedData(network, payment, signing, value)
    : permit2TypedData(network, payment)
}

function authorizationTypedData({ chainId }: EvmNetwork, payment: Payment, domain: SigningDomain, value: bigint) {
  if (payment.mode === 'contract') {
    const { splitter, token, amount, deadlineSeconds } = parseSplitTerms(payment.splitTerms)
    // The splitter takes only the whole amount.
    if (value !== amount) return undefined
    const terms = { domain, chainId, token, to: splitter, value, validBefore: String(deadlineSeconds) }
    return typedData('ReceiveWithAuthorization', terms, payment.termsHash)
  }
  const { tokenAddress: token, depositAddress: to, windowEndsAtMs } = payment
  const terms = { domain, chainId, token, to, value, validBefore: String(Math.floor(windowEndsAtMs / 1000)) }
  return typedData('TransferWithAuthorization', terms, null)
}
