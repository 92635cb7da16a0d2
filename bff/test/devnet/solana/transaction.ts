import { getBase58Decoder, getBase58Encoder, getTransactionDecoder } from '@solana/kit'
import { AddressLookupTableAccount, type PublicKey, type VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import { FailedTransactionMetadata, type LiteSVM, type TransactionMetadata } from 'litesvm'
import type { Accounts } from './accounts.ts'
import { invalidParams } from './rpc-error.ts'

export const toBase58 = (bytes: Uint8Array): string => getBase58Decoder().decode(bytes)

/** @throws {RpcError} when the text is not base58. */
export function fromBase58(text: string): Uint8Array {
  try {
    return Uint8Array.from(getBase58Encoder().encode(text))
  } catch {
    throw invalidParams(`${text} is not base58`)
  }
}

/** A parsed wire transaction. Account keys are in the order of its message: static, then looked up. */
export type Decoded = {
  raw: Uint8Array
  signature: string
  signatures: readonly string[]
  message: VersionedMessage
  version: 'legacy' | 0
  blockhash: string
}

/** Maximum packet size: validators never receive more. */
const transactionBytesMax = 1_232

/** @throws {RpcError} when the bytes are not a transaction. */
export function decodeTransaction(raw: Uint8Array): Decoded {
  if (raw.length > transactionBytesMax) {
    throw invalidParams(`transaction is ${raw.length} bytes, too large: max ${transactionBytesMax} bytes`)
  }
  try {
    const { signatures, message, version } = VersionedTransaction.deserialize(raw)
    const texts = signatures.map(toBase58)
    const [signature] = texts
    if (signature === undefined) throw new Error('no signature')
    return { raw, signature, signatures: texts, message, version, blockhash: message.recentBlockhash }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalidParams(`failed to deserialize the transaction: ${why}`)
  }
}

export type LoadedAddresses = { writable: PublicKey[]; readonly: PublicKey[] }

/**
 * A message's addresses from lookup tables.
 * @throws {Error} when a table or entry does not exist.
 */
export function loadAddresses(message: VersionedMessage, accounts: Accounts): LoadedAddresses {
  const loaded: LoadedAddresses = { writable: [], readonly: [] }
  for (const { accountKey, writableIndexes, readonlyIndexes } of message.addressTableLookups) {
    const table = accounts.now(accountKey.toBase58())
    if (table === null) throw new Error(`There is no lookup table ${accountKey.toBase58()}`)
    const { addresses } = AddressLookupTableAccount.deserialize(table.data)
    const take = (index: number): PublicKey => {
      const address = addresses[index]
      if (address === undefined) throw new Error(`Lookup table ${accountKey.toBase58()} has no entry ${index}`)
      return address
    }
    loaded.writable.push(...writableIndexes.map(take))
    loaded.readonly.push(...readonlyIndexes.map(take))
  }
  return loaded
}

/** The runtime's error in the JSON-RPC API's format; `null` for success. */
export type TransactionFault = string | Record<string, unknown> | null

export type Executed = { fault: TransactionFault; meta: TransactionMetadata }

/** Executes on the current accounts, and changes them. */
export function execute(svm: LiteSVM, raw: Uint8Array): Executed {
  const result = svm.sendTransaction(getTransactionDecoder().decode(raw))
  return result instanceof FailedTransactionMetadata
    ? { fault: faultOf(result), meta: result.meta() }
    : { fault: null, meta: result }
}

/** Executes without changes. */
export function simulate(svm: LiteSVM, raw: Uint8Array, { sigVerify }: { sigVerify: boolean }): Executed {
  svm.withSigverify(sigVerify)
  try {
    const result = svm.simulateTransaction(getTransactionDecoder().decode(raw))
    if (result instanceof FailedTransactionMetadata) return { fault: faultOf(result), meta: result.meta() }
    return { fault: null, meta: result.meta() }
  } finally {
    svm.withSigverify(true)
  }
}

/** litesvm returns numbers where the API uses names; its text has the names: `InstructionError(0, Custom(1))`. */
function faultOf(failed: FailedTransactionMetadata): TransactionFault {
  const text = /\berr: (.*?), meta: /s.exec(failed.toString())?.[1] ?? 'UnknownError'
  const instruction = /^InstructionError\((\d+), (\w+)(?:\((.*)\))?\)$/s.exec(text)
  if (instruction !== null) {
    const [, index, name = '', value] = instruction
    const error = name === 'Custom' ? { Custom: Number(value) } : value === undefined ? name : { [name]: value }
    return { InstructionError: [Number(index), error] }
  }
  const account = /^(\w+) \{ account_index: (\d+) \}$/.exec(text)
  if (account !== null) return { [account[1] ?? '']: { account_index: Number(account[2]) } }
  const duplicate = /^(\w+)\((\d+)\)$/.exec(text)
  return duplicate === null ? text : { [duplicate[1] ?? '']: Number(duplicate[2]) }
}
