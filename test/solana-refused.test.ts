import { readFileSync } from 'node:fs'
import { AuthorityType, createSetAuthorityInstruction, createTransferCheckedInstruction } from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { openSqlite, openVault, sql } from '@stablecoin-checkout/bff/testing/db'
import { createSolanaSigner, openSolanaSeed } from '@stablecoin-checkout/bff/testing/solana'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { readBooks } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('solana-refused', { solana: true })
const { bff, files } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant } = solana

const create = (amount: string) => bff.createDeposit({ amount, network: 'solana-devnet' })

/** Something that counts, after what must not: once it is seen, the other was passed over. */
async function countsOnly({ id, depositAddress }: PaymentBody, amount: string): Promise<void> {
  await chain.pay(depositAddress, amount)
  await chain.finalize()
  await bff.shows(id, { amountDetected: amount, amountReceived: amount, outcome: 'pending' })
  const stored = await bff.query('select amount from transfers where payment_id = ?', id)
  expect(stored).toEqual([{ amount: amount.replace('.', '').padEnd(amount.indexOf('.') + 6, '0') }])
}

/** The transaction that made a thief the owner of a deposit's token account. */
let stolenBy = ''

test('money in another token is not this payment’s', async () => {
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '25.00', 'USDT')
  await countsOnly(payment, '1.50')
  expect(await chain.balance(payment.depositAddress, 'USDT')).toBe('25.00')
})

test('money for another owner is not this payment’s, whatever else the transaction names', async () => {
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '0.50')
  const thief = Keypair.generate().publicKey.toBase58()
  const instructions = chain.transferTo(thief, '25.00')
  // The deposit's account stands in the transaction, so its list of signatures names it.
  const pubkey = chain.accountOf(payment.depositAddress)
  instructions.at(-1)?.keys.push({ pubkey, isSigner: false, isWritable: true })
  await chain.send(instructions)
  await chain.pay(payment.depositAddress, '1.00')
  await chain.finalize()
  await bff.shows(payment.id, { amountReceived: '1.50' })
  expect(await chain.balance(thief)).toBe('25.00')
})

test('a transaction that failed on the chain pays nothing', async () => {
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '0.50')
  const [, transfer] = chain.transferTo(payment.depositAddress, '25.00')
  const [, tooMuch] = chain.transferTo(payment.depositAddress, '9000000.00')
  if (!transfer || !tooMuch) throw new Error('There are no instructions')
  const failed = await chain.send([transfer, tooMuch])
  await chain.advance(1)
  expect((await chain.connection.getSignatureStatus(failed)).value?.err).not.toBeNull()
  await chain.pay(payment.depositAddress, '1.00')
  await chain.finalize()
  await bff.shows(payment.id, { amountReceived: '1.50' })
})

test('one signature pays once, however often the account is read', async () => {
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '2.00')
  await bff.shows(payment.id, { amountDetected: '2.00' })
  await bff.kill()
  // As after a fork: everything is read from the beginning.
  const db = openSqlite(files.databasePath)
  await db.write((tx) => tx.run(sql`update solana_accounts set read_amount = null, read_to = null`))
  await db.close()
  await bff.start()
  await chain.pay(payment.depositAddress, '0.25')
  await chain.finalize()
  await bff.shows(payment.id, { amountReceived: '2.25', outcome: 'pending' })
})

test('accounts that a lookup table names are resolved: money for the deposit counts, money beside it does not', async () => {
  const payment = await create('25.00')
  const beside = Keypair.generate().publicKey
  await chain.send(chain.transferTo(beside.toBase58(), '1.00'))
  await chain.send(chain.transferTo(payment.depositAddress, '1.00'))
  const { connection, payer } = chain
  const accounts = [chain.accountOf(beside.toBase58()), chain.accountOf(payment.depositAddress)]
  const recentSlot = (await connection.getSlot('processed')) - 1
  const who = { authority: payer.publicKey, payer: payer.publicKey }
  const [make, table] = AddressLookupTableProgram.createLookupTable({ ...who, recentSlot })
  const extend = AddressLookupTableProgram.extendLookupTable({ ...who, lookupTable: table, addresses: accounts })
  await chain.send([make, extend])
  await chain.advance(2)
  const { value } = await connection.getAddressLookupTable(table, { commitment: 'processed' })
  if (!value) throw new Error('There is no lookup table')
  const from = chain.accountOf(chain.customer.address)
  const transfer = (to: PublicKey, units: bigint) =>
    createTransferCheckedInstruction(from, chain.mintOf(), to, payer.publicKey, units, 6)
  const [first, second] = accounts
  if (!first || !second) throw new Error('There are no accounts')
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    // The greater amount goes to the account that stands first in the table.
    instructions: [transfer(first, 9_000_000n), transfer(second, 3_000_000n)],
  }).compileToV0Message([value])
  expect(message.addressTableLookups).toHaveLength(1)
  const transaction = new VersionedTransaction(message)
  transaction.sign([payer])
  await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  await chain.finalize()
  await bff.shows(payment.id, { amountReceived: '4.00', outcome: 'pending' })
})

test('an account that was given to somebody else is not paid for: what comes to it does not count', async () => {
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '1.00')
  await bff.shows(payment.id, { amountDetected: '1.00' })
  // Only whoever has the seed can do that; so does this test.
  const db = openSqlite(files.databasePath)
  const vault = await openVault({ db, database: files.databasePath, key: null, runtime: systemRuntime })
  const seed = await openSolanaSeed(db, vault, systemRuntime)
  await db.close()
  const signer = createSolanaSigner(chain.keypairOf(chain.operator.secretKey).secretKey, seed)
  const [row] = await bff.query<{ deposit_terms: string }>(
    'select deposit_terms from payments where id = ?',
    payment.id,
  )
  const thief = Keypair.generate().publicKey
  const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash('processed')
  const { raw } = signer.sign(
    new Transaction({ feePayer: signer.feePayer, blockhash, lastValidBlockHeight }).add(
      createSetAuthorityInstruction(
        chain.accountOf(payment.depositAddress),
        new PublicKey(payment.depositAddress),
        AuthorityType.AccountOwner,
        thief,
      ),
    ),
    [row?.deposit_terms ?? ''],
  )
  stolenBy = await chain.connection.sendRawTransaction(Buffer.from(raw, 'base64'), { skipPreflight: true })
  const [, transfer] = chain.transferTo(payment.depositAddress, '24.00')
  if (!transfer) throw new Error('There is no instruction')
  await chain.send([transfer])
  await chain.finalize()
  await until('the watcher to say so', () => readFileSync(files.logPath, 'utf8').includes('another owner'))
  expect(await bff.read(payment.id)).toMatchObject({ amountDetected: '1.00', outcome: 'pending' })
  expect(await chain.balance(merchant)).toBeNull()
})

test('the books name the transaction that took the account away, and differ in nothing else', async () => {
  const { exitCode, books } = await readBooks(story)
  const differences = books?.networks.flatMap((one) => one.differences)
  expect(differences).toMatchObject([{ code: 'left_unexplained', txId: stolenBy }])
  expect(exitCode).toBe(1)
})
