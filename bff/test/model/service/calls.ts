import { depositFactory } from '@stablecoin-checkout/bff/contracts'
import type { Db } from '@stablecoin-checkout/bff/testing/db'
import { authorizationAbi, parseDepositTerms, toTuple } from '@stablecoin-checkout/bff/testing/evm'
import { loadPayment, type PaymentId, type SignedAuthorization } from '@stablecoin-checkout/bff/testing/payment'
import { encodeFunctionData, type Hex, parseSignature } from 'viem'
import type { Call } from './contracts.ts'

/** The call with which anyone may submit what a customer signed. */
export function authorizationCall(signed: SignedAuthorization): Hex {
  const { r, s, v } = parseSignature(signed.signature as Hex)
  const [from, to, nonce] = [signed.from, signed.to, signed.nonce] as Hex[]
  const given = [from, to, BigInt(signed.value), BigInt(signed.validAfter), BigInt(signed.validBefore), nonce] as const
  return encodeFunctionData({
    abi: authorizationAbi,
    functionName: 'transferWithAuthorization',
    args: [...given, Number(v), r, s] as never,
  })
}

/** The call with which anyone may settle a deposit. */
export async function settleCallOf(db: Db, { id }: { id: PaymentId }): Promise<Call> {
  const payment = await db.read((tx) => loadPayment(tx, id))
  if (payment?.mode !== 'deposit') throw new Error(`There is no deposit ${id}`)
  const terms = parseDepositTerms(payment.depositTerms)
  const data = encodeFunctionData({ abi: depositFactory.abi, functionName: 'settle', args: [toTuple(terms)] })
  return { to: terms.factory, data }
}
