import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Connection, Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { type BaseUnits, formatAmount, parseAmount } from '@stablecoin-checkout/bff/testing/core'
import { parseSolanaKey } from '@stablecoin-checkout/bff/testing/solana'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import type { Gate } from './gate.ts'
import type { DevnetFacts } from './global-setup.ts'
import { meanwhile } from './until.ts'

type TokenName = 'USDC' | 'USDT'

/** Blocks on top of a transaction's own at which it is confirmed, and final. */
const depths = { confirmed: 1, final: 6 }

/** Decimals of both test tokens. */
const decimals = 6

/**
 * What a service needs to know of the local Solana, and control over it. Blocks are made manually.
 * @param node - As the service reaches it.
 */
export async function openSolana({ solana }: DevnetFacts, { url, gate }: { url: string; gate: Gate }) {
  const { network, operator } = solana
  const { shortName, name, family, genesisHash, tokens } = network
  const merchantKey = Keypair.generate()
  const [merchant, platform] = [merchantKey.publicKey.toBase58(), newWallet()]
  const chain = openChain(solana)
  // The newest transactions are in no confirmed block yet, and no block is made automatically.
  await chain.finalize()
  return {
    gate,
    merchant,
    merchantKey,
    platform,
    chain,
    config: {
      shortName,
      name,
      family,
      genesisHash,
      chainId: 103,
      isTestnet: true,
      pollMs: 50,
      rpcUrls: [url],
      confirmations: 32,
      platformWallet: platform,
      tokens: [
        { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC },
        { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
      ],
    },
    env: { SOLANA_FEE_PAYER_KEY: operator.secretKey },
    wallets: { [shortName]: merchant },
  }
}

const newWallet = (): string => Keypair.generate().publicKey.toBase58()

function keypairOf(text: string): Keypair {
  const key = parseSolanaKey(text)
  if (!key) throw new Error('That is no secret key')
  return Keypair.fromSecretKey(key)
}

function openChain({ network, customer, operator, tokenOwner }: DevnetFacts['solana']) {
  const connection = new Connection(network.rpcUrl, 'processed')
  const payer = keypairOf(customer.secretKey)
  const control = (method: string, ...params: unknown[]) => rpcCall(network.rpcUrl, `devnet_${method}`, params)
  const mintOf = (token: TokenName = 'USDC') => new PublicKey(network.tokens[token].address)
  const accountOf = (owner: string, token?: TokenName) =>
    getAssociatedTokenAddressSync(mintOf(token), new PublicKey(owner), true)

  /** Sends a transaction, mined in its own block on return, whether it fails or not. The first signer pays the fee. */
  async function send(
    instructions: readonly TransactionInstruction[],
    signer = payer,
    ...others: Keypair[]
  ): Promise<string> {
    const { blockhash } = await connection.getLatestBlockhash('processed')
    const transaction = new Transaction({ feePayer: signer.publicKey, recentBlockhash: blockhash })
    transaction.add(...instructions).sign(signer, ...others)
    return await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  }

  /**
   * A wallet's payment to an owner's address: creates the account if missing, and transfers.
   * @param owner - Owner of the tokens.
   */
  function transferTo(
    to: string,
    amount: string,
    token?: TokenName,
    owner = payer.publicKey,
  ): TransactionInstruction[] {
    const [mint, from] = [mintOf(token), accountOf(owner.toBase58(), token)]
    const units = parseAmount(amount, decimals)
    return [
      createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, accountOf(to, token), new PublicKey(to), mint),
      createTransferCheckedInstruction(from, mint, accountOf(to, token), owner, units, decimals),
    ]
  }

  return {
    connection,
    payer,
    control,
    mintOf,
    accountOf,
    send,
    transferTo,
    customer,
    operator,
    tokenOwner,
    keypairOf,
    /** Makes blocks. */
    advance: (blocks: number) => control('advance', blocks),
    /** The customer pays; the transfer is confirmed on return. @returns its signature. */
    async pay(to: string, amount: string, token?: TokenName): Promise<string> {
      const signature = await send(transferTo(to, amount, token))
      await control('advance', depths.confirmed)
      return signature
    },
    /** A wallet that has held the token before, as a customer's has. */
    async newWallet(token?: TokenName): Promise<string> {
      const wallet = Keypair.generate().publicKey
      const make = createAssociatedTokenAccountIdempotentInstruction(
        ...([payer.publicKey, accountOf(wallet.toBase58(), token), wallet, mintOf(token)] as const),
      )
      await send([make])
      await control('advance', depths.confirmed)
      return wallet.toBase58()
    },
    /** Finalizes what was confirmed. */
    finalize: () => control('advance', depths.final),
    /**
     * Finalizes what was sent until the response arrives, and makes no other block: a customer's signed transaction must land
     * within 150 blocks.
     */
    finalizing: <T>(answer: Promise<T>): Promise<T> => meanwhile(answer, () => control('confirm', depths.final)),
    /** A wallet's balance in whole tokens, exactly; null if it has no account. */
    async balance(owner: string, token?: TokenName): Promise<string | null> {
      const info = await connection.getTokenAccountBalance(accountOf(owner, token)).catch(() => null)
      return info && formatAmount(BigInt(info.value.amount) as BaseUnits, decimals)
    },
    /** A wallet's balance in base units. */
    async units(owner: string, token?: TokenName): Promise<bigint> {
      const info = await connection.getTokenAccountBalance(accountOf(owner, token)).catch(() => null)
      return BigInt(info?.value.amount ?? '0')
    },
    hasAccount: async (owner: string, token?: TokenName): Promise<boolean> =>
      (await connection.getAccountInfo(accountOf(owner, token))) !== null,
    lamports: (address: string) => connection.getBalance(new PublicKey(address)),
  }
}
