import { Connection, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js'
import { withTimeout } from '../with-timeout.ts'

/** Depth at which a transaction is looked at: `confirmed` may still be dropped by a fork, `finalized` may not. */
type Depth = 'confirmed' | 'finalized'

/** What one token account held before and after a transaction. `owner` is who may move it; null: it did not exist. */
export type TokenChange = {
  account: string
  mint: string
  /** Place of the account in the transaction. */
  index: number
  ownerBefore: string | null
  ownerAfter: string | null
  before: bigint
  after: bigint
}

/** A transaction in a block, lookup tables resolved. */
export type SolanaTransaction = {
  signature: string
  slot: number
  /** Null: the cluster has not estimated it (yet). */
  timeMs: number | null
  isSuccess: boolean
  /** Every account that it names. */
  keys: ReadonlySet<string>
  /** Those that signed, the fee payer first. */
  signers: readonly string[]
  changes: readonly TokenChange[]
}

/** What a wallet payment asks of a cluster. Every call may throw when no node answers. */
export type SolanaSplitChain = {
  transaction(signature: string, depth: Depth): Promise<SolanaTransaction | undefined>
  /** @returns the newest blockhash that a wallet may build on, and what each account holds: null where there is none. */
  prepare(accounts: readonly string[]): Promise<{ blockhash: string; balances: Map<string, bigint | null> }>
  /** Signatures that name the address, newest first: those older than `before` and newer than `until`. */
  signatures(address: string, list: SignatureList): Promise<SeenSignature[]>
  /** The newest confirmed block; its time is on the cluster's clock. */
  head(): Promise<{ slot: number; timeMs: number }>
  /** The newest slot that nothing can take back. */
  finalizedSlot(): Promise<number>
  /** What each token account holds, in the order of the addresses; null where there is none. A hundred a call, of a node that has come to the slot. */
  balances(accounts: readonly string[], slot?: number): Promise<(bigint | null)[]>
}

/** `slot`: only of a node that has come so far. */
type SignatureList = { until?: string | undefined; before?: string | undefined; limit: number; slot: number }

/** `isFinal`: no fork can take it back any more. */
export type SeenSignature = { signature: string; slot: number; isSuccess: boolean; isFinal: boolean }

/** A node that hangs must not hold a wallet up. */
const timeoutMs = 10_000
const accountsPerCall = 100
/** Where a token account says how much it holds. */
const amountAt = 64

/** @param rpcUrls - Tried in order until one answers. */
export function createSolanaSplitChain({ rpcUrls }: { rpcUrls: readonly string[] }): SolanaSplitChain {
  const connections = rpcUrls.map(
    (url) =>
      new Connection(url, {
        commitment: 'confirmed',
        disableRetryOnRateLimit: true,
        fetch: (input, init) =>
          withTimeout(timeoutMs, [], async (signal) => {
            const answer = await fetch(input, { ...init, signal } as RequestInit)
            // Read here, so that the time is over headers and body together.
            return new Response(await answer.arrayBuffer(), answer)
          }) as never,
      }),
  )

  async function first<T>(ask: (connection: Connection) => Promise<T>, isAnswer = (_: T) => true): Promise<T> {
    let failure: unknown
    let last: { answer: T } | undefined
    for (const connection of connections) {
      try {
        const answer = await ask(connection)
        if (isAnswer(answer)) return answer
        last = { answer }
      } catch (error) {
        failure = error
      }
    }
    if (last) return last.answer
    throw failure
  }

  async function balances(accounts: readonly string[], minContextSlot?: number): Promise<(bigint | null)[]> {
    const found: (bigint | null)[] = []
    for (let at = 0; at < accounts.length; at += accountsPerCall) {
      const keys = accounts.slice(at, at + accountsPerCall).map((account) => new PublicKey(account))
      const infos = await first((connection) =>
        connection.getMultipleAccountsInfo(keys, minContextSlot === undefined ? {} : { minContextSlot }),
      )
      found.push(...infos.map((info) => (info === null ? null : heldBy(info.data))))
    }
    return found
  }

  return {
    balances,
    head: () =>
      first(async (connection) => {
        const slot = await connection.getSlot('confirmed')
        const seconds = await connection.getBlockTime(slot)
        if (seconds === null) throw new Error(`A node has no time for slot ${slot}`)
        return { slot, timeMs: seconds * 1000 }
      }),
    finalizedSlot: () => first((connection) => connection.getSlot('finalized')),
    async transaction(signature, commitment) {
      const config = { commitment, maxSupportedTransactionVersion: 0 } as const
      // A node that lags does not know it yet, and another may.
      const found = await first(
        (connection) => connection.getTransaction(signature, config),
        (answer) => answer !== null,
      )
      return found ? readTransaction(signature, found) : undefined
    },
    async prepare(accounts) {
      const [{ blockhash }, held] = await Promise.all([
        first((connection) => connection.getLatestBlockhash()),
        balances(accounts),
      ])
      return { blockhash, balances: new Map(accounts.map((account, index) => [account, held[index] ?? null])) }
    },
    async signatures(address, { until, before, limit, slot: minContextSlot }) {
      const options = {
        limit,
        minContextSlot,
        ...(until !== undefined && { until }),
        ...(before !== undefined && { before }),
      }
      const found = await first((connection) =>
        connection.getSignaturesForAddress(new PublicKey(address), options, 'confirmed'),
      )
      return found.map(({ signature, slot, err, confirmationStatus }) => ({
        ...{ signature, slot },
        isSuccess: err === null,
        isFinal: confirmationStatus === 'finalized',
      }))
    },
  }
}

/** What is too short to be a token account holds nothing. */
const heldBy = (data: Buffer): bigint => (data.length < amountAt + 8 ? 0n : data.readBigUInt64LE(amountAt))

/** @throws {Error} when the node leaves out what would be needed to believe it. */
function readTransaction(signature: string, { slot, blockTime, meta, transaction }: VersionedTransactionResponse) {
  if (!meta?.preTokenBalances || !meta.postTokenBalances) throw new Error(`${signature} was told without its balances`)
  if (transaction.signatures[0] !== signature) throw new Error(`Another transaction was told for ${signature}`)
  const { message } = transaction
  const accountKeys = message.getAccountKeys({ accountKeysFromLookups: meta.loadedAddresses ?? null })
  const keys = accountKeys
    .keySegments()
    .flat()
    .map((key) => key.toBase58())
  const changes = new Map<number, TokenChange>()
  for (const [side, list] of [
    ['before', meta.preTokenBalances],
    ['after', meta.postTokenBalances],
  ] as const) {
    for (const { accountIndex: index, mint, owner, uiTokenAmount } of list) {
      const account = keys[index]
      if (account === undefined) throw new Error(`${signature} was told without the account ${index}`)
      const blank: TokenChange = { account, mint, index, ownerBefore: null, ownerAfter: null, before: 0n, after: 0n }
      const change = changes.get(index) ?? blank
      // An account that was closed and opened again under another mint is one that nobody is paid by.
      const mintNow = change.mint === mint ? mint : ''
      const said = side === 'before' ? { ownerBefore: owner ?? null } : { ownerAfter: owner ?? null }
      changes.set(index, { ...change, ...said, mint: mintNow, [side]: BigInt(uiTokenAmount.amount) })
    }
  }
  return {
    signature,
    slot,
    timeMs: typeof blockTime === 'number' ? blockTime * 1000 : null,
    isSuccess: meta.err === null,
    keys: new Set(keys),
    signers: keys.slice(0, message.header.numRequiredSignatures),
    changes: [...changes.values()],
  }
}
