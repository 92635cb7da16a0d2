import { type Hex, keccak256 } from 'viem'
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import type { EvmTransaction } from '../send/evm-transaction.ts'

/** Signs for one account. */
export type Signer = {
  readonly address: Hex
  /** Returns the raw transaction and its hash; broadcasts nothing. */
  signTransaction(transaction: EvmTransaction): Promise<{ raw: Hex; txId: Hex }>
}

/**
 * A signer from a private key: 0x and 64 hex digits. The key stays in a closure; no property, error or log contains it.
 * @throws {Error} when it is not a private key. The message never contains the input.
 */
export function createSigner(privateKey: string): Signer {
  return signerOf(accountOf(privateKey))
}

/** A signer from any viem account; its key may be held by another process or in hardware. */
export function signerOf(account: LocalAccount): Signer {
  return {
    address: account.address,
    async signTransaction({ chainId, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas }) {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        to,
        data,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
        value: 0n,
      })
      return { raw, txId: keccak256(raw) }
    },
  }
}

/** @throws {Error} when it is not a private key. The message never contains the input. */
export function accountOf(privateKey: string): LocalAccount {
  try {
    if (/^0x[0-9a-fA-F]{64}$/.test(privateKey)) return privateKeyToAccount(privateKey as Hex)
  } catch {
    // The number exceeds the curve's order. The library's error may quote it, so it is not passed on.
  }
  throw new Error('The private key is malformed: it must be 0x and 64 hex digits, on the curve.')
}
