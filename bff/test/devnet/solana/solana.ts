import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getBase58Decoder } from '@solana/kit'
import { Connection, Keypair } from '@solana/web3.js'
import { freePort, host } from '../../processes/ports.ts'
import type { Supervisor } from '../../processes/supervisor.ts'
import { rpcCall } from '../rpc.ts'
import type { SolanaProcess } from './main.ts'
import { makeTestTokens, type SolanaTestTokens } from './tokens.ts'

/** An account whose key was generated at this start. `secretKey`: 64 bytes in base58, as wallets export it. */
type SolanaAccount = { secretKey: string; address: string }

export type SolanaNetwork = {
  shortName: 'solana-devnet'
  name: string
  family: 'solana'
  rpcUrl: string
  /** The genesis hash, which identifies the cluster. */
  genesisHash: string
  merchantWallet: string
  platformWallet: string
  tokens: SolanaTestTokens
}

export type SolanaDevnet = {
  network: SolanaNetwork
  /** Holds SOL, and 100,000 of each token. */
  customer: SolanaAccount
  /** Pays the service's fees. */
  operator: SolanaAccount
  /** May mint test tokens and freeze accounts. */
  tokenOwner: SolanaAccount
}

export type SolanaOptions = {
  dataDir: string
  supervisor: Supervisor
  /** Default: any free port. */
  port?: number
  /** Default: 400, as on mainnet. `null`: one block per transaction, and on request. */
  slotMs?: number | null
}

/** Mainnet's finality takes 32 slots; a demo should not wait 13 s for it. */
const depths = { confirmed: 1, finalized: 6 }
const slotMsDefault = 400
const readyWithinMs = 30_000
const pollMs = 25
const main = fileURLToPath(new URL('../../dist/solana.js', import.meta.url))

/** Starts a local Solana as a supervised process, creates the test tokens, funds the accounts. */
export async function startSolana({ dataDir, supervisor, port, slotMs }: SolanaOptions): Promise<SolanaDevnet> {
  const chosen = port ?? (await freePort())
  const rpcUrl = `http://${host}:${chosen}`
  const options: SolanaProcess = {
    port: chosen,
    slotMs: slotMs === undefined ? slotMsDefault : slotMs,
    depths,
    journalPath: join(dataDir, 'solana-devnet.journal.jsonl'),
  }
  await supervisor.start({
    name: 'solana-devnet',
    command: () => ({
      file: process.execPath,
      args: [main],
      env: { SOLANA_DEVNET: JSON.stringify(options) },
    }),
    logPath: join(dataDir, 'solana-devnet.log'),
  })
  const genesisHash = await genesisOf(rpcUrl)
  const [customer, operator, tokenOwner] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
  const people = { tokenOwner, customer: customer.publicKey, operator: operator.publicKey }
  const tokens = await makeTestTokens(new Connection(rpcUrl, 'processed'), people)
  const [merchantWallet, platformWallet] = [newAddress(), newAddress()]
  return {
    network: {
      shortName: 'solana-devnet',
      name: 'Solana devnet',
      family: 'solana',
      rpcUrl,
      genesisHash,
      merchantWallet,
      platformWallet,
      tokens,
    },
    customer: account(customer),
    operator: account(operator),
    tokenOwner: account(tokenOwner),
  }
}

/**
 * Waits until the node responds. The bound counts polls, which take longer on a busy machine.
 * @throws {Error} after as many polls as fit into `readyWithinMs`.
 */
async function genesisOf(rpcUrl: string): Promise<string> {
  for (let polls = 1; ; polls += 1) {
    const answer = await rpcCall(rpcUrl, 'getGenesisHash', []).catch(() => null)
    if (answer !== null) return String(answer)
    if (polls * pollMs > readyWithinMs) throw new Error(`${rpcUrl} did not answer, though it was asked ${polls} times.`)
    await sleep(pollMs)
  }
}

const account = (keypair: Keypair): SolanaAccount => ({
  secretKey: getBase58Decoder().decode(keypair.secretKey),
  address: keypair.publicKey.toBase58(),
})

const newAddress = (): string => Keypair.generate().publicKey.toBase58()
