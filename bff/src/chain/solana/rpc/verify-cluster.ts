import { MINT_SIZE, MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import type { SolanaNetwork, Token } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import type { Fault } from '../../../network/network-health.ts'
import { faultText } from '../../fault-text.ts'
import { NetworkMismatchError } from '../../network-fault.ts'
import { LyingNodeError } from '../../rpc-pool.ts'
import { createSolanaRpc, responses } from './solana-rpc.ts'

/** For all calls together; a good node needs a few hundred milliseconds. */
const verifyTimeoutMs = 20_000

/** Compares a configured network with its cluster. @returns undefined when everything is as configured. Never throws. */
export async function verifyCluster(network: SolanaNetwork, signal: AbortSignal): Promise<Fault | undefined> {
  try {
    await withTimeout(verifyTimeoutMs, [signal], (until) => verifyMints(network, until))
    return undefined
  } catch (error) {
    if (error instanceof NetworkMismatchError || error instanceof LyingNodeError)
      return { kind: 'wrong', reason: error.message }
    // The node's own error text stays out of the reason: it often holds the node's URL, and the URL a key.
    const reason = `No node of ${network.name} gives a usable answer.`
    return { kind: 'unreachable', reason, detail: faultText(error) }
  }
}

async function verifyMints(network: SolanaNetwork, signal: AbortSignal): Promise<void> {
  // A new pool each time, so that a node that was wrong before is asked again. The pool compares the cluster at the first call.
  const rpc = createSolanaRpc(network, { nowMs: () => 0, log: silentLog })
  const addresses = network.tokens.map(({ address }) => address)
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const { value } = await rpc.ask(responses.accounts, 'getMultipleAccounts', [addresses, options], signal)
  for (const [index, token] of network.tokens.entries()) verifyMint(network, token, value[index])
}

type Account = { data: [string, 'base64']; owner: string } | null | undefined

function verifyMint({ name }: SolanaNetwork, { symbol, address, decimals }: Token, account: Account): void {
  const at = `${symbol} on ${name} (${address})`
  const bytes = Buffer.from(account?.data[0] ?? '', 'base64')
  // A mint of another program can charge fees, or move a holder's tokens.
  if (account?.owner !== TOKEN_PROGRAM_ID.toBase58() || bytes.length !== MINT_SIZE) {
    throw new NetworkMismatchError(`${at} is no mint of the Token program.`)
  }
  const onChain = MintLayout.decode(bytes).decimals
  if (onChain !== decimals)
    throw new NetworkMismatchError(`${at} has ${onChain} decimals on the chain, not ${decimals}.`)
}
