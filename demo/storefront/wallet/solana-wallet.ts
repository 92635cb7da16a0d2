import { Connection, Keypair, Transaction } from '@solana/web3.js'
import { type BaseUnits, formatAmount } from '@stablecoin-checkout/bff/testing/core'
import { parseSolanaKey } from '@stablecoin-checkout/bff/testing/solana'
import type { SolanaShop } from '../config.ts'

/** A request of the page's part. */
type Ask = { transaction?: unknown; chain?: unknown; isDropped?: unknown }

/** Token program instruction data: an amount in base units after the instruction's number. */
const transferChecked = 12

/**
 * The test wallet's server part on Solana: signs with the customer's key, and sends to the local Solana. The page has
 * asked for the customer's approval.
 * @throws {Error} a wallet's error.
 */
export async function askSolanaWallet(shop: SolanaShop, verb: string, ask: Ask): Promise<unknown> {
  const secret = parseSolanaKey(shop.customerSecretKey)
  if (!secret) throw new Error('The test wallet has no key on Solana.')
  const key = Keypair.fromSecretKey(secret)
  switch (verb) {
    case 'account':
      return key.publicKey.toBase58()
    case 'describe':
      return describe(shop, read(ask))
    case 'sign':
      return sign(key, read(ask))
    case 'send':
      return await send(shop, key, read(ask), ask.isDropped === true)
    default:
      throw new Error(`The test wallet does not support ${verb}.`)
  }
}

function read({ transaction, chain }: Ask): Transaction {
  if (typeof transaction !== 'string') throw new Error('transaction must be base64')
  if (chain !== 'solana:devnet') throw new Error(`This wallet is not on ${String(chain)}.`)
  return Transaction.from(Buffer.from(transaction, 'base64'))
}

/** The amount of each transfer, as a wallet with a parser shows it. */
function describe({ network }: SolanaShop, transaction: Transaction): [string, string][] {
  const tokens = new Map(Object.entries(network.tokens).map(([symbol, token]) => [token.address, { symbol, ...token }]))
  return transaction.instructions.flatMap(({ keys, data }): [string, string][] => {
    const token = tokens.get(keys[1]?.pubkey.toBase58() ?? '')
    if (data[0] !== transferChecked || !token) return []
    const amount = formatAmount(data.readBigUInt64LE(1) as BaseUnits, token.decimals)
    return [[`${amount} ${token.symbol}`, `to ${keys[2]?.pubkey.toBase58() ?? ''}`]]
  })
}

/** @returns the transaction in base64, signed by this wallet alone: another account pays its fee, and sends it. */
function sign(key: Keypair, transaction: Transaction): string {
  transaction.partialSign(key)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

/** @returns the signature in base64. */
async function send(
  { network }: SolanaShop,
  key: Keypair,
  transaction: Transaction,
  isDropped: boolean,
): Promise<string> {
  transaction.partialSign(key)
  const { signature } = transaction
  if (!signature) throw new Error('The transaction does not belong to this wallet’s account.')
  if (!isDropped) await new Connection(network.rpcUrl, 'confirmed').sendRawTransaction(transaction.serialize())
  return signature.toString('base64')
}
