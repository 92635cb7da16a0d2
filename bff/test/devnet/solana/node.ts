import { createHash } from 'node:crypto'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { accountMethods } from './account-methods.ts'
import { controlMethods, createControls } from './control-methods.ts'
import { openJournal } from './journal.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { ledgerMethods } from './ledger-methods.ts'
import { nodeBehind, RpcError } from './rpc-error.ts'
import { createSight, type Methods } from './rpc-params.ts'
import { sendMethods } from './send-methods.ts'
import { decodeTransaction } from './transaction.ts'

export type NodeOptions = {
  /** Milliseconds between blocks; `null`: one per transaction, and on request. */
  slotMs: number | null
  /** Distance of the newest confirmed and finalized blocks from the newest block. */
  depths: { confirmed: number; finalized: number }
  /** File that stores the chain. Default: nothing is stored. */
  journalPath?: string
  /** Accounts of a new chain, beside the faucet. Default: none. */
  accounts?: readonly NodeAccount[]
  nowMs?: () => number
}

export type NodeAccount = { address: string; lamports: bigint; owner: string; data: Uint8Array }

export type SolanaNode = {
  /** Responds to one JSON-RPC request or a batch. Never throws. */
  answer(request: unknown): unknown
  stop(): void
}

/** Maximum calls in one batch, as on public nodes. */
const batchMax = 100

const faucet = Keypair.fromSeed(createHash('sha256').update('solana-devnet faucet').digest())
const faucetLamports = 10n ** 18n
const systemProgram = SystemProgram.programId.toBase58()

/**
 * A Solana node over a local runtime, with the JSON-RPC methods that a payment service uses, and `devnet_…` methods to control
 * it.
 */
export function createSolanaNode({
  slotMs,
  depths,
  journalPath,
  accounts = [],
  nowMs = Date.now,
}: NodeOptions): SolanaNode {
  const journal = journalPath === undefined ? null : openJournal(journalPath)
  let isReplaying = true
  const control = createControls()
  const ledger = createLedger({
    depths,
    nowMs: () => nowMs() + control.travelledMs,
    onEntry: (entry) => void (isReplaying || journal?.append(entry)),
  })
  for (const entry of journal?.entries ?? []) replay(ledger, entry)
  isReplaying = false
  // An advanced clock continues from there.
  control.travelledMs = Math.max(0, ledger.at('processed').timeSeconds * 1_000 - nowMs())
  const account = { lamports: faucetLamports, data: new Uint8Array(), owner: systemProgram, executable: false }
  if (ledger.accounts.now(faucet.publicKey.toBase58()) === null) ledger.put(faucet.publicKey.toBase58(), account)

  for (const { address, ...state } of accounts) ledger.put(address, { ...state, executable: false })

  const onTaken = () => {
    if (slotMs === null && !control.isHolding) ledger.produce()
  }

  function airdrop(to: string, lamports: bigint): string {
    const { hash } = ledger.at('processed')
    const transaction = new Transaction({ feePayer: faucet.publicKey, recentBlockhash: hash }).add(
      SystemProgram.transfer({ fromPubkey: faucet.publicKey, toPubkey: new PublicKey(to), lamports }),
    )
    transaction.sign(faucet)
    const decoded = decodeTransaction(Uint8Array.from(transaction.serialize()))
    ledger.add(decoded)
    onTaken()
    return decoded.signature
  }

  const sight = createSight(ledger, () => control.lag)
  const methods: Methods = {
    ...accountMethods(sight),
    ...ledgerMethods(sight),
    ...sendMethods({ ...sight, onTaken, airdrop, isLost: () => control.losesNext() }),
    getVersion: () => ({ 'solana-core': '2.2.0', 'feature-set': 0 }),
    getGenesisHash: () => ledger.genesisHash,
    getHealth() {
      if (control.lag > 0) throw nodeBehind(control.lag)
      return 'ok'
    },
    ...controlMethods(ledger, control),
  }

  const ticking =
    slotMs === null
      ? null
      : setInterval(() => {
          if (!control.isHolding) ledger.produce()
        }, slotMs)

  function answerOne(request: unknown): unknown {
    const { id = null, method, params } = (request ?? {}) as { id?: unknown; method?: unknown; params?: unknown }
    const head = { jsonrpc: '2.0', id }
    try {
      const found = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!found) throw new RpcError(-32601, `Method ${String(method)} not found`)
      return { ...head, result: found(Array.isArray(params) ? params : []) ?? null }
    } catch (error) {
      const { code, message, data } = error instanceof RpcError ? error : new RpcError(-32603, String(error))
      return { ...head, error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  return {
    answer(request) {
      if (!Array.isArray(request)) return answerOne(request)
      if (request.length <= batchMax) return request.map(answerOne)
      return answerOne({ method: `in a batch of more than ${batchMax}` })
    },
    stop: () => void (ticking && clearInterval(ticking)),
  }
}

function replay(ledger: Ledger, entry: ReturnType<typeof openJournal>['entries'][number]): void {
  switch (entry.type) {
    case 'block':
      for (const raw of entry.transactions) ledger.add(decodeTransaction(Uint8Array.from(Buffer.from(raw, 'base64'))))
      ledger.produce(entry)
      return
    case 'fork':
      ledger.fork(entry.blocks)
      return
    case 'account':
      ledger.put(entry.address, {
        lamports: BigInt(entry.lamports),
        owner: entry.owner,
        data: Uint8Array.from(Buffer.from(entry.data, 'base64')),
        executable: false,
      })
      return
    default:
      entry satisfies never
  }
}
