import { Connection, Keypair, LAMPORTS_PER_SOL, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { rpcCall } from '../rpc.ts'
import type { NodeOptions } from './node.ts'
import { serveSolana } from './server.ts'
import { makeTestTokens } from './tokens.ts'

/** Small, so that a test needs few blocks. */
const depths = { confirmed: 1, finalized: 4 }

/** An in-process node with test tokens. Transactions and `advance` make blocks. */
export async function openSolana(options: Partial<NodeOptions> = {}) {
  const server = await serveSolana({ slotMs: null, depths, ...options })
  const { rpcUrl } = server
  const connection = new Connection(rpcUrl, 'confirmed')
  const [customer, operator, tokenOwner] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
  const people = { tokenOwner, customer: customer.publicKey, operator: operator.publicKey }
  const tokens = await makeTestTokens(new Connection(rpcUrl, 'processed'), people)
  const control = async (method: string, ...params: unknown[]) => await rpcCall(rpcUrl, `devnet_${method}`, params)
  await control('advance', depths.finalized)

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
