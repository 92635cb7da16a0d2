import { type Hex, toHex } from 'viem'
import type { Runtime } from '../runtime.ts'
import { createRemoteAccount } from './remote-account.ts'
import { createSigner, type Signer, signerOf } from './signer.ts'

/** Where the operator's signatures come from. */
export type OperatorSource =
  | { kind: 'key'; privateKey: string }
  /** `token`: sent as a bearer, null where the signer wants none. */
  | { kind: 'signer'; url: string; address: string; token: string | null }

export function operatorSigner(source: OperatorSource): Signer {
  return source.kind === 'key' ? createSigner(source.privateKey) : signerOf(createRemoteAccount(source))
}

/** A new private key: 0x and 64 hex digits. All but one in 2¹²⁸ texts of 32 bytes are one. */
export const newOperatorKey = (runtime: Runtime): Hex => toHex(runtime.randomBytes(32))

/** Whom a private key signs for; undefined when it is none. */
export function operatorAddress(privateKey: string): Hex | undefined {
  try {
    return createSigner(privateKey).address
  } catch {
    return undefined
  }
}
