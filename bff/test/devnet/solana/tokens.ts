import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { sendAndConfirm } from './send.ts'

type TestToken = { address: string; decimals: number }
export type SolanaTestTokens = { USDC: TestToken; USDT: TestToken }

export type SolanaPeople = {
  /** Creates the tokens and may mint more. */
  tokenOwner: Keypair
  customer: PublicKey
  /** Pays the service's fees. */
  operator: PublicKey
}

const decimals = 6
const lamports = 1_000 * LAMPORTS_PER_SOL
/** 100,000 of each token. */
const customerTokens = 100_000_000_000n

/** Creates test USDC and USDT on a new chain and funds the accounts. */
export async function makeTestTokens(connection: Connection, people: SolanaPeople): Promise<SolanaTestTokens> {
  const { tokenOwner, customer, operator } = people
  for (const address of [tokenOwner.publicKey, customer, operator]) {
    await sendAndConfirm(connection, () => connection.requestAirdrop(address, lamports))
  }
  return { USDC: await makeToken(connection, people), USDT: await makeToken(connection, people) }
}

async function makeToken(connection: Connection, { tokenOwner, customer }: SolanaPeople): Promise<TestToken> {
  const mint = Keypair.generate()
  const owner = tokenOwner.publicKey
  const create = SystemProgram.createAccount({
    fromPubkey: owner,
    newAccountPubkey: mint.publicKey,
    lamports: await connection.getMinimumBalanceForRentExemption(MINT_SIZE),
    space: MINT_SIZE,
    programId: TOKEN_PROGRAM_ID,
  })
  // Circle and Tether can freeze accounts, so the owner can too.
  const initialize = createInitializeMint2Instruction(mint.publicKey, decimals, owner, owner)
  const mintTo = mintInstructions(mint.publicKey, { owner, to: customer, amount: customerTokens })
  await sendAndConfirm(connection, async () => {
    const { blockhash } = await connection.getLatestBlockhash('processed')
    const transaction = new Transaction({ feePayer: owner, recentBlockhash: blockhash })
    transaction.add(create, initialize, ...mintTo).sign(tokenOwner, mint)
    return await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' })
  })
  return { address: mint.publicKey.toBase58(), decimals }
}

/** Mints tokens, and creates the token account if missing. `amount` in base units. */
function mintInstructions(mint: PublicKey, { owner, to, amount }: { owner: PublicKey; to: PublicKey; amount: bigint }) {
  const account = getAssociatedTokenAddressSync(mint, to, true)
  return [
    createAssociatedTokenAccountIdempotentInstruction(owner, account, to, mint),
    createMintToInstruction(mint, account, owner, amount),
  ]
}

/**
 * Mints more of a test token for a story.
 * @returns the signature.
 */
export async function mintTestTokens(
  connection: Connection,
  tokenOwner: Keypair,
  { mint, to, amount }: { mint: string; to: string; amount: bigint },
): Promise<string> {
  const owner = tokenOwner.publicKey
  const instructions = mintInstructions(new PublicKey(mint), { owner, to: new PublicKey(to), amount })
  return await sendAndConfirm(connection, async () => {
    const { blockhash } = await connection.getLatestBlockhash('processed')
    const transaction = new Transaction({ feePayer: owner, recentBlockhash: blockhash }).add(...instructions)
    transaction.sign(tokenOwner)
    return await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' })
  })
}
