import { type Hex, toHex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { Runtime } from '../../../core/runtime.ts'
import type { OperatorSource } from '../../connector.ts'
import { createRemoteAccount } from './remote-account.ts'
import { accountOf, createSigner, type Signer, signerOf } from './signer.ts'

export const operatorSigner = (source: OperatorSource): Signer => signerOf(operatorAccount(source))

/** @throws {Error} when the text is not a private key. The message never contains the text. */
export function operatorAccount(source: OperatorSource): LocalAccount {
  return source.kind === 'key' ? accountOf(source.privateKey) : createRemoteAccount(source)
}

/** A new private key: 0x and 64 hex digits. All but one in 2¹²⁸ 32-byte numbers are valid keys. */
export const newOperatorKey = (runtime: Runtime): Hex => toHex(runtime.randomBytes(32))

/** The address of a private key; undefined for any other text. */
export function operatorAddress(privateKey: string): Hex | undefined {
  try {
    return createSigner(privateKey).address
  } catch {
    return undefined
  }
}
