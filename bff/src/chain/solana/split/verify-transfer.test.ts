import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeAccount3Instruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { silent } from '@stablecoin-checkout/rig/contract-stage'
import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { ContractPayment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { referenceOf, type SolanaSplitTerms } from '../facts/solana-split-terms.ts'
import { createSolanaAdapter, type SolanaAdapter } from '../rpc/solana-adapter.ts'
import { createSolanaRpc } from '../rpc/solana-rpc.ts'
import { encodeSolanaSplit } from './solana-pay.ts'
import { verifyTransfer } from './verify-transfer.ts'

const never = new AbortController().signal
const amount = 25_000_000n
const shares = { merchant: 24_625_000n, platform: 375_000n }
let solana: SolanaFixture
let chain: SolanaAdapter
let merchant: PublicKey
let platform: PublicKey
let nextId = 0

beforeAll(async () => {
  solana = await openSolana()
  merchant = Keypair.generate().publicKey
  platform = Keypair.generate().publicKey
  const genesisHash = await solana.connection.getGenesisHash()
  const network: SolanaNetwork = {
    ...{
      shortName: 'solana',
      name: 'Solana',
      family: 'solana',
      chainId: 103,
      isTestnet: true,
      highValue: null,
      signatureGas: null,
    },
    ...{ genesisHash, rpcUrls: [solana.rpcUrl], confirmations: 4, pollMs: 20, explorerUrl: null },
    ...{ platformWallet: platform.toBase58(), tokens: [] },
  }
  chain = createSolanaAdapter(network, createSolanaRpc(network, { nowMs: Date.now, log: silent }), silent)
})

afterAll(async () => {
  await solana?.stop()
})

test('our own transaction pays merchant and platform exactly, and pays the payment', async () => {
  const terms = newTerms()
  const signature = await sendSplit(terms)
  expect(await balances()).toEqual(shares)
  expect(await verify(terms, signature)).toMatchObject({
    txId: signature,
    amount,
    payer: solana.customer.publicKey.toBase58(),
  })
})

test('an amount that does not divide evenly gives the rest to the merchant', async () => {
  const before = await balances()
  const terms = newTerms({ amount: 1_000_033n })
  expect(await verify(terms, await sendSplit(terms))).toMatchObject({ amount: 1_000_033n })
  const after = await balances()
  expect(after.platform - before.platform).toBe(15_000n)
  expect(after.merchant - before.merchant).toBe(985_033n)
})

test('without a fee there is one transfer, and if merchant and platform are the same they get everything', async () => {
  const free = newTerms({ feeBps: 0 })
  expect(await verify(free, await sendSplit(free))).toMatchObject({ amount })
  const own = newTerms({ platform: merchant.toBase58() })
  expect(await verify(own, await sendSplit(own))).toMatchObject({ amount })
})

test('one wallet of merchant and platform is paid by the whole amount, and by neither share', async () => {
  const own = newTerms({ platform: merchant.toBase58() })
  const paidBy = async (base: bigint) => verify(own, await send(plain(base, 0n).slice(0, 1)), solana.customer)
  for (const share of [shares.platform, shares.merchant])
    await expect(paidBy(share)).rejects.toMatchObject({ code: 'UNDERPAID' })
  expect(await paidBy(amount)).toMatchObject({ amount })
})

test('two plain transfers of an existing client pay when their sender was named', async () => {
  const terms = newTerms()
  const signature = await send(plain(shares.merchant, shares.platform))
  expect(await verify(terms, signature, solana.customer)).toMatchObject({ amount })
})

test('two plain transfers whose sender was not named, differs, or is this service, are refused', async () => {
  const terms = newTerms()
  const signature = await send(plain(shares.merchant, shares.platform))
  await expect(verify(terms, signature)).rejects.toMatchObject({ code: 'OTHER_TERMS' })
  await expect(verify(terms, signature, solana.operator)).rejects.toMatchObject({ code: 'OTHER_SENDER' })
  await expect(verify(terms, signature, solana.customer, { isPayout: true })).rejects.toMatchObject({
    code: 'OTHER_SENDER',
  })
})

test('a sender who only signs while another account pays is refused', async () => {
  const terms = newTerms()
  const transfers = plain(shares.merchant, shares.platform)
  const signature = await solana.send(transfers, solana.operator, solana.customer)
  await solana.advance(1)
  await expect(verify(terms, signature, solana.operator)).rejects.toMatchObject({ code: 'OTHER_SENDER' })
})

test('plain transfers of other amounts are refused', async () => {
  const terms = newTerms()
  const more = await send(plain(shares.merchant + 1n, shares.platform))
  await expect(verify(terms, more, solana.customer)).rejects.toMatchObject({ code: 'OTHER_TERMS' })
  const less = await send(plain(shares.merchant, shares.platform - 1n))
  await expect(verify(terms, less, solana.customer)).rejects.toMatchObject({ code: 'UNDERPAID' })
})

test('another mint is refused, whatever its amounts', async () => {
  const terms = newTerms()
  const signature = await sendSplit({ ...terms, mint: solana.tokens.USDT.address })
  await expect(verify(terms, signature)).rejects.toMatchObject({ code: 'OTHER_TOKEN' })
})

test('paying the merchant but not the platform is refused', async () => {
  const terms = newTerms()
  const [first] = plain(shares.merchant + shares.platform, 0n)
  await expect(verify(terms, await send(first ? [first] : []), solana.customer)).rejects.toMatchObject({
    code: 'OTHER_TERMS',
  })
})

test('an account of the merchant other than its token account is refused, also when its owner was changed for it', async () => {
  const terms = newTerms()
  const account = Keypair.generate()
  const { customer } = solana
  const rent = await solana.connection.getMinimumBalanceForRentExemption(165)
  const create = SystemProgram.createAccount({
    ...{ fromPubkey: customer.publicKey, newAccountPubkey: account.publicKey, lamports: rent, space: 165 },
    programId: TOKEN_PROGRAM_ID,
  })
  const own = createInitializeAccount3Instruction(account.publicKey, usdc(), customer.publicKey)
  await solana.send([create, own, transfer(account.publicKey, amount)], customer, account)
  const { AccountOwner } = AuthorityType
  const give = createSetAuthorityInstruction(account.publicKey, customer.publicKey, AccountOwner, merchant)
  const reference = { pubkey: new PublicKey(referenceOf(terms)), isSigner: false, isWritable: false }
  const [, fee] = plain(0n, shares.platform)
  fee?.keys.push(reference)
  const signature = await send(fee ? [give, fee] : [])
  await expect(verify(terms, signature)).rejects.toMatchObject({ code: 'OTHER_TERMS' })
})

test('a failed transaction moved nothing and is refused', async () => {
  const terms = newTerms({ amount: 10n ** 12n })
  const signed = await signSplit(terms)
  const signature = await solana.connection.sendRawTransaction(signed, { skipPreflight: true })
  await solana.advance(1)
  await expect(verify(terms, signature)).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
})

test('accounts from a lookup table count by their addresses, and no others do', async () => {
  const { connection, customer } = solana
  const [target, fees] = [merchant, platform].map(
    (owner) => new PublicKey(tokenAccountOf(usdc().toBase58(), owner.toBase58())),
  )
  const stranger = Keypair.generate().publicKey
  const theirs = new PublicKey(tokenAccountOf(usdc().toBase58(), stranger.toBase58()))
  const makeAccount = createAssociatedTokenAccountIdempotentInstruction(customer.publicKey, theirs, stranger, usdc())
  await send([makeAccount])
  const table = await createTable([target ?? merchant, fees ?? platform, theirs])
  const terms = newTerms()
  const reference = { pubkey: new PublicKey(referenceOf(terms)), isSigner: false, isWritable: false }
  const sendLooked = async (instructions: TransactionInstruction[]) => {
    const { blockhash } = await connection.getLatestBlockhash('processed')
    const message = new TransactionMessage({ payerKey: customer.publicKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message([table]))
    transaction.sign([customer])
    const signature = await connection.sendTransaction(transaction, { preflightCommitment: 'processed' })
    await solana.advance(1)
    return signature
  }
  const toThem = transfer(theirs, shares.merchant)
  const [toMerchant, toPlatform] = plain(shares.merchant, shares.platform)
  if (!toMerchant || !toPlatform) throw new Error('no transfers')
  toPlatform.keys.push(reference)
  const tricked = await sendLooked([toThem, toPlatform])
  await expect(verify(terms, tricked)).rejects.toMatchObject({ code: 'OTHER_TERMS' })
  expect(await verify(terms, await sendLooked([toMerchant, toPlatform]))).toMatchObject({ amount })
})

test('a transaction older than the payment, or for another one, is refused', async () => {
  const terms = newTerms()
  const signature = await sendSplit(terms)
  const later = Date.now() + 60 * 60 * 1000
  await expect(verify(terms, signature, undefined, { createdAtMs: later })).rejects.toMatchObject({
    code: 'OLDER_THAN_PAYMENT',
  })
  const afterSlot = await chain.newestSlot(never)
  const plainOne = await send(plain(shares.merchant, shares.platform))
  expect(await verify(newTerms(), plainOne, solana.customer, { afterSlot })).toMatchObject({ amount })
  await expect(verify(newTerms(), plainOne, solana.customer, { afterSlot: afterSlot + 1 })).rejects.toMatchObject({
    code: 'OLDER_THAN_PAYMENT',
  })
  await expect(verify(terms, signature, undefined, { isUsed: true })).rejects.toMatchObject({ code: 'ALREADY_USED' })
})

test('a transaction whose block has no time yet is verified again later', async () => {
  const terms = newTerms()
  const signature = await sendSplit(terms)
  await expect(verify(terms, signature, undefined, { hasTime: false })).rejects.toMatchObject({
    code: 'NOT_CONFIRMED',
    isOpen: true,
  })
})

test('a transaction made for other terms pays only those', async () => {
  const terms = newTerms()
  const signature = await sendSplit(terms)
  const others = { ...newTerms(), paymentId: terms.paymentId, amount: amount - 1n }
  await expect(verify(others, signature)).rejects.toMatchObject({ code: 'OTHER_TERMS' })
})

test('equal terms have one reference, and each changed field gives another', () => {
  const terms = newTerms()
  expect(referenceOf({ ...terms })).toBe(referenceOf(terms))
  const changes: Partial<SolanaSplitTerms>[] = [
    { genesisHash: 'other' },
    { mint: platform.toBase58() },
    { decimals: 9 },
    { amount: amount + 1n },
    { paymentId: 'other' },
    { merchant: platform.toBase58() },
    { platform: merchant.toBase58() },
    { feeBps: 151 },
    { deadlineSeconds: 1 },
  ]
  const references = changes.map((change) => referenceOf({ ...terms, ...change }))
  expect(new Set([...references, referenceOf(terms)]).size).toBe(changes.length + 1)
})

const usdc = () => new PublicKey(solana.tokens.USDC.address)

function newTerms(changes: Partial<SolanaSplitTerms> = {}): SolanaSplitTerms {
  nextId += 1
  return {
    ...{ family: 'solana', genesisHash: 'test', mint: usdc().toBase58(), decimals: 6, amount, feeBps: 150 },
    ...{ paymentId: `payment ${nextId}`, merchant: merchant.toBase58(), platform: platform.toBase58() },
    ...{ deadlineSeconds: 4_000_000_000, ...changes },
  }
}

/** As wallets do: the service's bytes, signed and sent. */
async function signSplit(terms: SolanaSplitTerms): Promise<Buffer> {
  const payer = solana.customer.publicKey.toBase58()
  const accounts = [terms.merchant, terms.platform].map((owner) => tokenAccountOf(terms.mint, owner))
  const { blockhash } = await chain.recentBlockhash(never)
  const held = await chain.tokenAccounts(accounts, undefined, never)
  const missing = new Set(accounts.filter((_, index) => held[index] === undefined))
  const transaction = Transaction.from(Buffer.from(encodeSolanaSplit(terms, payer, { blockhash, missing }), 'base64'))
  transaction.partialSign(solana.customer)
  return transaction.serialize()
}

async function sendSplit(terms: SolanaSplitTerms): Promise<string> {
  const signature = await solana.connection.sendRawTransaction(await signSplit(terms), {
    preflightCommitment: 'processed',
  })
  await solana.advance(1)
  return signature
}

async function send(instructions: TransactionInstruction[]): Promise<string> {
  const signature = await solana.send(instructions, solana.customer)
  await solana.advance(1)
  return signature
}

function transfer(to: PublicKey, base: bigint): TransactionInstruction {
  const { publicKey } = solana.customer
  const from = new PublicKey(tokenAccountOf(usdc().toBase58(), publicKey.toBase58()))
  return createTransferCheckedInstruction(from, usdc(), to, publicKey, base, 6)
}

const plain = (toMerchant: bigint, toPlatform: bigint): TransactionInstruction[] => {
  const at = (owner: PublicKey) => new PublicKey(tokenAccountOf(usdc().toBase58(), owner.toBase58()))
  return [transfer(at(merchant), toMerchant), transfer(at(platform), toPlatform)]
}

async function verify(
  terms: SolanaSplitTerms,
  signature: string,
  sender?: Keypair,
  { createdAtMs = Date.now(), isUsed = false, isPayout = false, afterSlot = 0, hasTime = true } = {},
) {
  const transaction = await chain.transaction(signature, 'confirmed', never)
  if (!transaction) throw new Error(`${signature} did not land`)
  const fields = { network: 'solana-devnet', createdAtMs, due: terms.amount as BaseUnits, tokenDecimals: 6 }
  const payment = fields as ContractPayment
  const plainSender = sender ? { address: sender.publicKey.toBase58(), afterSlot } : null
  const known = { isUsed: async () => isUsed, isPayout: async () => isPayout }
  const asRead = hasTime ? transaction : { ...transaction, timeMs: null }
  return await verifyTransfer({ payment, terms, transaction: asRead, plainSender, ...known })
}

async function balances() {
  const accounts = [merchant, platform].map((owner) => tokenAccountOf(usdc().toBase58(), owner.toBase58()))
  const [ours, fees] = await chain.tokenAccounts(accounts, undefined, never)
  return { merchant: ours?.amount ?? 0n, platform: fees?.amount ?? 0n }
}

async function createTable(addresses: PublicKey[]) {
  const { connection, customer } = solana
  const recentSlot = (await connection.getSlot('processed')) - 1
  const { publicKey } = customer
  const [create, key] = AddressLookupTableProgram.createLookupTable({
    authority: publicKey,
    payer: publicKey,
    recentSlot,
  })
  const who = { lookupTable: key, authority: publicKey, payer: publicKey }
  await send([create, AddressLookupTableProgram.extendLookupTable({ ...who, addresses })])
  const { value } = await connection.getAddressLookupTable(key, { commitment: 'processed' })
  if (!value) throw new Error('There is no lookup table')
  return value
}
