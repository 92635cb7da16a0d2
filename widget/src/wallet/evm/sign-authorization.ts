import type { Signed } from '../submit-authorization.ts'
import type { Stop } from '../wallet-state.ts'
import { authorizationBody, authorizationTypedData, permit2Address } from './authorization.ts'
import { type PromptWhile, stopFor } from './connect-wallet.ts'
import type { Order } from './evm-order.ts'
import type { EvmWallet } from './evm-wallet.ts'

function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** A key's signature, or a smart account's, which is longer. */
const isSignature = (value: unknown): value is string =>
  typeof value === 'string' && /^0x(?:[\da-f]{2}){65,4096}$/i.test(value)

/** Permit2 needs an earlier approval by the account; requesting one now would save nothing. */
export async function canAuthorize(client: EvmWallet, { authorization, token, amount }: Order, account: string) {
  if (authorization?.primaryType !== 'PermitWitnessTransferFrom') return authorization !== null
  const approved = await client.allowance(token.address, account, permit2Address)
  return approved !== null && approved >= amount
}

/**
 * @returns why nothing more is asked; null if this wallet, token or node does not support it, and another method may.
 */
export async function signAuthorization(
  client: EvmWallet,
  { authorization, to }: Order,
  account: string,
  promptWhile: PromptWhile,
): Promise<Signed | Stop | null> {
  if (!authorization) return null
  const { nonce: termsHash, termsCall } = authorization
  // The page cannot hash the terms; the trusted splitter can, on the wallet's node.
  if (termsCall !== null && (await client.word(to, termsCall)) !== termsHash) return null
  const { message, ...typed } = authorizationTypedData(authorization, account, termsHash ?? randomNonce())
  const typedData = JSON.stringify({ ...typed, message })
  try {
    const signature = await promptWhile('authorize', () => client.ask('eth_signTypedData_v4', account, typedData))
    return isSignature(signature) ? { body: authorizationBody(authorization, message, account, signature) } : null
  } catch (error) {
    const stop = stopFor(error)
    return stop.why === 'rejected' || stop.why === 'busy' ? stop : null
  }
}
