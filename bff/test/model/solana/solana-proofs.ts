import { createTransferCheckedInstruction } from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  type Connection,
  type Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { memoProgram, tokenAccountOf } from '@stablecoin-checkout/bff/testing/solana'
import { toBase58 } from '../../devnet/solana/transaction.ts'

/** What a customer signed for a charge, and the service's response each time it was presented. */
export type SolanaProof = { transaction: string; isHonest: boolean; customerSignature: string; statuses: number[] }

/** What a proof pays for. `accepted`: the terms offered by the charge's 402. */
export type SolanaCharge = { resource: string; accepted: Record<string, unknown> }

export type SolanaPayment = {
  id: PaymentId
  address: string
  due: bigint
  windowEndsAtMs: number
  clientSecret: string
  refundTo: string | null
  /** Base units that its refund address held before. */
  before: bigint
  /** The request to a merchant's server. */
  charge: SolanaCharge | null
  proofs: SolanaProof[]
  /** Responses that released goods. */
  served: number
}

/** How a customer cheats: not at all, by one unit too little, or with nobody's signature. */
export const proofKinds = ['honest', 'short', 'unsigned'] as const
export type ProofKind = (typeof proofKinds)[number]

const microLamportsPerUnit = 1_000
const unitsMax = 60_000

/** A customer's transaction for the service's fee payer to co-sign, as x402 clients build it. */
export async function signProof(
  connection: Connection,
  customer: Keypair,
  {
    payTo,
    mint,
    amount,
    feePayer,
    memo,
    kind,
  }: {
    payTo: string
    mint: string
    amount: bigint
    feePayer: string
    memo: string
    kind: ProofKind
  },
): Promise<SolanaProof> {
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const transaction = new Transaction({ feePayer: new PublicKey(feePayer), recentBlockhash: blockhash })
  const account = (owner: string) => new PublicKey(tokenAccountOf(mint, owner))
  const value = kind === 'short' ? amount - 1n : amount
  transaction.add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: unitsMax }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: microLamportsPerUnit }),
    createTransferCheckedInstruction(
      account(customer.publicKey.toBase58()),
      new PublicKey(mint),
      account(payTo),
      customer.publicKey,
      value,
      6,
    ),
    new TransactionInstruction({ programId: new PublicKey(memoProgram), keys: [], data: Buffer.from(memo) }),
  )
  transaction.partialSign(customer)
  const signature = transaction.signatures.find(({ publicKey }) => publicKey.equals(customer.publicKey))?.signature
  if (kind === 'unsigned') signature?.fill(7)
  return {
    transaction: transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64'),
    isHonest: kind === 'honest',
    customerSignature: signature ? toBase58(signature) : '',
    statuses: [],
  }
}
