import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { rpcCall } from '../rpc.ts'
import type { NodeAccount, NodeOptions } from './node.ts'
import { serveSolana } from './server.ts'
import { makeTestTokens } from './tokens.ts'

/** Small, so that a test needs few blocks. */
const depths = { confirmed: 1, finalized: 4 }

/** Blocks of a new chain. */
const firstBlocks = 9

/** Accounts with test tokens, the same on all chains of this process: making them takes ten times as long as setting them. */
let made: ReturnType<typeof makeAccounts> | undefined

async function makeAccounts() {
  const server = await serveSolana({ slotMs: null, depths })
  try {
    const connection = new Connection(server.rpcUrl, 'processed')
    const [customer, operator, tokenOwner] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
    const people = { tokenOwner, customer: customer.publicKey, operator: operator.publicKey }
    const tokens = await makeTestTokens(connection, people)
    const mints = [tokens.USDC, tokens.USDT].map(({ address }) => new PublicKey(address))
    const addresses = [
      ...[customer, operator, tokenOwner].map(({ publicKey }) => publicKey),
      ...mints,
      ...mints.map((mint) => getAssociatedTokenAddressSync(mint, customer.publicKey)),
    ]
    const infos = await connection.getMultipleAccountsInfo(addresses)
    const accounts = addresses.map((address, index): NodeAccount => {
      const info = infos[index]
      if (!info) throw new Error(`There is no account ${address}`)
      const { lamports, owner, data } = info
      return { address: address.toBase58(), lamports: BigInt(lamports), owner: owner.toBase58(), data }
    })
    return { customer, operator, tokenOwner, tokens, accounts }
  } finally {
    await server.stop()
  }
}

/** An in-process node with test tokens. Transactions and `advance` make blocks. */
export async function openSolana(options: Partial<NodeOptions> = {}) {
  made ??= makeAccounts()
  const { customer, operator, tokenOwner, tokens, accounts } = await made
  const server = await serveSolana({ slotMs: null, depths, accounts, ...options })
  const { rpcUrl } = server
  const connection = new Connection(rpcUrl, 'confirmed')
  const control = async (method: string, ...params: unknown[]) => await rpcCall(rpcUrl, `devnet_${method}`, params)
  await control('advance', firstBlocks)

  /** Signs with the newest blockhash, without sending. The first signer pays the fee. */
  async function sign(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<Transaction> {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('processed')
    const [feePayer = customer] = signers
    const transaction = new Transaction({ feePayer: feePayer.publicKey, blockhash, lastValidBlockHeight })
    transaction.add(...instructions).sign(feePayer, ...signers.slice(1))
    return transaction
  }

  return {
    rpcUrl,
    connection,
    customer,
    operator,
    tokenOwner,
    tokens,
    sign,
    stop: server.stop,
    /** Makes blocks. @returns the newest slot. */
    advance: async (blocks: number) => Number(await control('advance', blocks)),
    control,
    /**
     * Sends a transaction, and returns once it is mined in its own block.
     * @returns its signature.
     */
    async send(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<string> {
      const transaction = await sign(instructions, ...signers)
      return await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' })
    },
    /** Sends a transaction that lands and fails. */
    async sendFailing(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<string> {
      const transaction = await sign(instructions, ...signers)
      return await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
    },
    /** A new account with some SOL. */
    async newAccount(): Promise<Keypair> {
      const account = Keypair.generate()
      await connection.requestAirdrop(account.publicKey, LAMPORTS_PER_SOL)
      return account
    },
  }
}

export type SolanaFixture = Awaited<ReturnType<typeof openSolana>>
