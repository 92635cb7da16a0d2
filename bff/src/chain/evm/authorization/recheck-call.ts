import { decodeFunctionData, type Hex, toHex } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import { AuthorizationRefused } from '../../../payment/authorization.ts'
import type { ContractPayment, DepositPayment } from '../../../payment/payment.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { parseSplitTerms } from '../split/split-terms.ts'
import { authorizationAbi, joinSignature, splitCall, transferCall } from './check-authorization.ts'
import { buildPermit2Call } from './permit2.ts'

type Network = Partial<Pick<EvmNetwork, 'splitter'>>
type Stored = { target: string; data: string; value: bigint }

const abi = [...authorizationAbi, ...paymentSplitter.abi] as const
const uint256 = { size: 32 }

/**
 * Compares a stored call with its payment again before the operator signs it: the operator's account may do what no customer may,
 * such as refund deposits. The call is rebuilt; only the payer, the times, a deposit's nonce and the signature are taken from the
 * stored call.
 * @throws {AuthorizationRefused}
 */
export function recheckCall(network: Network, payment: ContractPayment | DepositPayment, stored: Stored): void {
  const built = payment.mode === 'deposit' ? ofDeposit(network, payment, stored) : ofContract(network, payment, stored)
  const isSame = built?.target.toLowerCase() === stored.target.toLowerCase() && built.data === stored.data.toLowerCase()
  if (!isSame) throw new AuthorizationRefused('INVALID_SIGNATURE', 'The stored call is not that of the payment.')
}

function decode(data: string) {
  try {
    return decodeFunctionData({ abi, data: data as Hex })
  } catch {
    return undefined
  }
}

function ofDeposit(network: Network, payment: DepositPayment, { data, value }: Stored) {
  const call = decode(data)
  const to = payment.depositAddress as Hex
  if (call?.functionName === 'transferWithAuthorization') {
    const [from, , , validAfter, validBefore, nonce, ...signed] = call.args
    const signature = joinSignature(signed)
    return transferCall(payment, { from, to, value, validAfter, validBefore, nonce, signature })
  }
  if (call?.functionName !== 'payDepositWithPermit2') return undefined
  const [, , , from, nonce, validBefore, signature] = call.args
  const fields = { from, value, validBefore, nonce: toHex(nonce, uint256), signature }
  return buildPermit2Call(network, payment, fields)
}

function ofContract(network: Network, payment: ContractPayment, { data, value }: Stored) {
  const call = decode(data)
  const nonce = payment.termsHash as Hex
  if (call?.functionName === 'splitPaymentWithAuthorization' || call?.functionName === 'splitPaymentWithSignature') {
    const [, from, validAfter, validBefore, ...signed] = call.args
    const { splitter: to } = parseSplitTerms(payment.splitTerms)
    return splitCall(payment, { from, to, value, validAfter, validBefore, nonce, signature: joinSignature(signed) })
  }
  if (call?.functionName !== 'splitPaymentWithPermit2') return undefined
  const [, from, validBefore, signature] = call.args
  return buildPermit2Call(network, payment, { from, value, validBefore, nonce, signature })
}
