import { MINT_SIZE, MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import type { SolanaNetwork, Token } from '../../../core/families.ts'
import type { Fault } from '../../../network/network-health.ts'
import { NetworkMismatchError, verificationFault } from '../../network-fault.ts'
import { type AskNode, responses, type SolanaRpc } from './solana-rpc.ts'

/**
 * Compares a configured network with its cluster.
 * @returns undefined if everything matches. Never throws.
 */
export function verifyCluster(network: SolanaNetwork, rpc: SolanaRpc, signal: AbortSignal): Promise<Fault | undefined> {
  return verificationFault(network, signal, (until) =>
    verifyMints(network, (schema, method, params) => rpc.ask(schema, method, params, until)),
  )
}

/** @throws {NetworkMismatchError} when a configured token differs on chain. */
export async function verifyMints(network: SolanaNetwork, ask: AskNode): Promise<void> {
  const addresses = network.tokens.map(({ address }) => address)
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const { value } = await ask(responses.accounts, 'getMultipleAccounts', [addresses, options])
  for (const [index, token] of network.tokens.entries()) verifyMint(network, token, value[index])
}

type Account = { data: [string, 'base64']; owner: string } | null | undefined

function verifyMint({ name }: SolanaNetwork, { symbol, address, decimals }: Token, account: Account): void {
  const at = `${symbol} on ${name} (${address})`
  const bytes = Buffer.from(account?.data[0] ?? '', 'base64')
  // Mints of other programs can charge fees, or move a holder's tokens.
  if (account?.owner !== TOKEN_PROGRAM_ID.toBase58() || bytes.length !== MINT_SIZE) {
    throw new NetworkMismatchError(`${at} is not a mint of the Token program.`)
  }
  const onChain = MintLayout.decode(bytes).decimals
  if (onChain !== decimals) throw new NetworkMismatchError(`${at} has ${onChain} decimals on chain, not ${decimals}.`)
}
