import { MINT_SIZE, MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import type { SolanaNetwork, Token } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import type { Fault } from '../../../network/network-health.ts'
import { faultText } from '../../fault-text.ts'
import { NetworkMismatchError } from '../../network-fault.ts'
import { LyingNodeError } from '../../rpc-pool.ts'
import { answers, createSolanaRpc } from './solana-rpc.ts'

/** For all questions together; a good node needs a few hundred milliseconds. */
const lookTimeoutMs = 20_000

/** What it finds out is told by its answer. */
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Compares a configured network with its cluster. @returns undefined when all is as configured; never throws. */
export async function verifySolanaNetwork(network: SolanaNetwork, signal: AbortSignal): Promise<Fault | undefined> {
  try {
    await withTimeout(lookTimeoutMs, [signal], (until) => verifyMints(network, until))
    return undefined
  } catch (error) {
    if (error instanceof NetworkMismatchError || error instanceof LyingNodeError)
      return { kind: 'wrong', reason: error.message }
    // Of a node's own words nothing is told: they often hold its address, and that a key.
    const reason = `No node of ${network.name} gives a usable answer.`
    return { kind: 'unreachable', reason, detail: faultText(error) }
  }
}

async function verifyMints(network: SolanaNetwork, signal: AbortSignal): Promise<void> {
  // A new one each time: it remembers nothing of nodes that were wrong before. The cluster is compared with the first question.
  const rpc = createSolanaRpc(network, { nowMs: () => 0, log: quiet })
  const addresses = network.tokens.map(({ address }) => address)
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const { value } = await rpc.ask(answers.accounts, 'getMultipleAccounts', [addresses, options], signal)
  for (const [index, token] of network.tokens.entries()) verifyMint(network, token, value[index])
}

type Account = { data: [string, 'base64']; owner: string } | null | undefined

function verifyMint({ name }: SolanaNetwork, { symbol, address, decimals }: Token, account: Account): void {
  const at = `${symbol} on ${name} (${address})`
  const bytes = Buffer.from(account?.data[0] ?? '', 'base64')
  // A mint of another program can charge fees, or move what it likes.
  if (account?.owner !== TOKEN_PROGRAM_ID.toBase58() || bytes.length !== MINT_SIZE) {
    throw new NetworkMismatchError(`${at} is no mint of the Token program.`)
  }
  const onChain = MintLayout.decode(bytes).decimals
  if (onChain !== decimals)
    throw new NetworkMismatchError(`${at} has ${onChain} decimals on the chain, not ${decimals}.`)
}
