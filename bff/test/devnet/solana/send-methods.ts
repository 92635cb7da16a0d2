import { VersionedMessage } from '@solana/web3.js'
import type { TransactionMetadata } from 'litesvm'
import { feeOf } from './landed.ts'
import { invalidParams, RpcError, signatureInvalid, simulationFailed } from './rpc-error.ts'
import { addressAt, type Config, configAt, inContext, type Methods, type Sight, textAt, wholeAt } from './rpc-params.ts'
import { type Decoded, decodeTransaction, fromBase58, simulate } from './transaction.ts'

type Sending = Sight & {
  /** Called when a transaction was accepted; the next block contains it. */
  onTaken: () => void
  /** Whether this transaction is dropped before the next block. */
  isLost: () => boolean
  airdrop: (to: string, lamports: bigint) => string
}

/** Methods that change the chain, and their checks. */
export function sendMethods({ ledger, at, view, onTaken, isLost, airdrop }: Sending): Methods {
  function dryRun({ raw, blockhash, signature }: Decoded): { fault: unknown; meta: TransactionMetadata | null } {
    if (ledger.landed(signature)) return { fault: 'AlreadyProcessed', meta: null }
    if (!ledger.isUsable(blockhash)) return { fault: 'BlockhashNotFound', meta: null }
    return simulate(ledger.runtime(), raw, { sigVerify: true })
  }

  function preflight(transaction: Decoded): void {
    const outcome = dryRun(transaction)
    if (outcome.fault === null) return
    if (outcome.fault === 'SignatureFailure') throw signatureInvalid()
    throw simulationFailed(sentence(outcome.fault), {
      err: outcome.fault,
      logs: outcome.meta?.logs() ?? [],
      unitsConsumed: Number(outcome.meta?.computeUnitsConsumed() ?? 0n),
      accounts: null,
      innerInstructions: null,
      returnData: null,
    })
  }

  return {
    getLatestBlockhash(params) {
      const block = view(configAt(params, 0, 'commitment'))
      const value = { blockhash: block.hash, lastValidBlockHeight: ledger.lastValidHeight(block.hash) }
      return inContext(block, value)
    },
    isBlockhashValid(params) {
      const block = view(configAt(params, 1, 'commitment'))
      const hash = textAt(params, 0, 'a blockhash')
      const named = ledger.blocks().findLast((one) => one.hash === hash)
      return inContext(block, ledger.isUsable(hash) && named !== undefined && named.slot <= block.slot)
    },
    getFeeForMessage(params) {
      const block = view(configAt(params, 1, 'commitment'))
      const message = readMessage(textAt(params, 0, 'a message in base64'))
      if (!ledger.isUsable(message.recentBlockhash)) return inContext(block, null)
      const signatures = Array.from({ length: message.header.numRequiredSignatures }, () => '')
      return inContext(block, Number(feeOf({ message, signatures })))
    },
    getRecentPrioritizationFees: () => [{ slot: at('processed').slot, prioritizationFee: 0 }],
    sendTransaction(params) {
      const config = configAt(params, 1)
      view(config, 'processed')
      const transaction = decodeTransaction(readBytes(params, config))
      if (config['skipPreflight'] !== true) preflight(transaction)
      if (isLost()) return transaction.signature
      try {
        ledger.add(transaction)
      } catch (error) {
        throw new RpcError(-32005, error instanceof Error ? error.message : String(error))
      }
      onTaken()
      return transaction.signature
    },
    simulateTransaction(params) {
      const config = configAt(params, 1)
      const block = view(config)
      const { raw, blockhash } = decodeTransaction(readBytes(params, config))
      const rest = { accounts: null, returnData: null, innerInstructions: null }
      const replaces = config['replaceRecentBlockhash'] === true
      if (config['accounts'] !== undefined) throw invalidParams('accounts are not supported by this node')
      if (!replaces && !ledger.isUsable(blockhash)) {
        return inContext(block, { ...rest, err: 'BlockhashNotFound', logs: [], unitsConsumed: 0 })
      }
      const { fault, meta } = simulate(ledger.runtime(), raw, { sigVerify: config['sigVerify'] === true })
      const unitsConsumed = Number(meta.computeUnitsConsumed())
      const { hash } = at('processed')
      const replacement = { blockhash: hash, lastValidBlockHeight: ledger.lastValidHeight(hash) }
      return inContext(block, {
        ...rest,
        err: fault,
        logs: meta.logs(),
        unitsConsumed,
        ...(replaces && { replacementBlockhash: replacement }),
      })
    },
    requestAirdrop: (params) => airdrop(addressAt(params, 0), BigInt(wholeAt(params, 1, 'a number of lamports'))),
  }
}

function readBytes(params: readonly unknown[], config: Config): Uint8Array {
  const text = textAt(params, 0, 'a transaction')
  const encoding = config['encoding'] ?? 'base58'
  if (encoding === 'base58') return fromBase58(text)
  if (encoding === 'base64') return Uint8Array.from(Buffer.from(text, 'base64'))
  throw invalidParams(`encoding ${String(encoding)} is not known`)
}

function readMessage(text: string) {
  try {
    return VersionedMessage.deserialize(Uint8Array.from(Buffer.from(text, 'base64')))
  } catch {
    throw invalidParams('parameter 0 must be a message in base64')
  }
}

function sentence(fault: unknown): string {
  if (fault === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (fault === 'BlockhashNotFound') return 'Blockhash not found'
  if (fault === 'AccountNotFound') return 'Attempt to debit an account but found no record of a prior credit.'
  if (typeof fault === 'string') return fault
  const [index, error] = (fault as { InstructionError?: [number, unknown] }).InstructionError ?? []
  if (index === undefined) return JSON.stringify(fault)
  const code = typeof error === 'object' && error !== null && 'Custom' in error ? Number(error.Custom) : null
  const text = code === null ? String(error) : `custom program error: 0x${code.toString(16)}`
  return `Error processing Instruction ${index}: ${text}`
}
