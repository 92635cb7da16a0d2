import { createTransferCheckedInstruction } from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthorizations } from '../../../checkout/authorization/authorize.ts'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { systemRuntime as runtime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { ContractPayment, DepositPayment, Payment, PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaTerms } from '../facts/solana-deposit-terms.ts'
import { formatSolanaSplitTerms, referenceOf } from '../facts/solana-split-terms.ts'
import { createSolanaAuthorizer } from '../relay/solana-authorizer.ts'
import { createSolanaAdapter } from '../rpc/solana-adapter.ts'
import { createSolanaRpc } from '../rpc/solana-rpc.ts'
import { createSolanaSigner } from '../signer/solana-signer.ts'
import { createDepositWatcher } from '../watch/deposit-watcher.ts'
import { createSolanaSender, type SolanaSender } from './solana-sender.ts'
import { createSolanaSweeper } from './solana-sweeper.ts'

const { signal } = new AbortController()
const database = await createTestDatabase()
const db = await database.open()
const ledger = createLedger(db, ({ id, status }) => ({ id, status }))
const wallets = { merchant: Keypair.generate().publicKey.toBase58(), platform: Keypair.generate().publicKey.toBase58() }
const signatureGas = { coinPrice: '50', perPayer: 6, perAddress: 100, dailyBudget: '20' }

let solana: SolanaFixture
let stage: ReturnType<typeof openStage>
beforeAll(async () => {
  solana = await openSolana()
  const { merchantId, merchantName } = newPayment()
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`),
  )
  stage = openStage(await solana.connection.getGenesisHash())
})
afterAll(async () => {
  await solana.stop()
  await db.close()
  await database.drop()
})

const mint = () => solana.tokens.USDC.address

function openStage(genesisHash: string) {
  const network: SolanaNetwork & { signatureGas: typeof signatureGas } = {
    ...{ shortName: 'solana', name: 'Solana', family: 'solana', chainId: 103, isTestnet: true, highValue: null },
    ...{ genesisHash, rpcUrls: [solana.rpcUrl], confirmations: 4, signatureGas },
    ...{ pollMs: 20, explorerUrl: null, platformWallet: wallets.platform },
    tokens: [
      { symbol: 'USDC', currency: 'USD', name: 'USD Coin', ...solana.tokens.USDC, permit: null, authorization: null },
    ],
  }
  const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log })
  const signer = createSolanaSigner(solana.operator.secretKey, new Uint8Array(32).fill(5))
  const shared = { db, ledger, network, runtime, log }
  const adapter = createSolanaAdapter(network, rpc, log)
  const sender = createSolanaSender(adapter, rpc)
  const watcher = createDepositWatcher({ ...shared, adapter, heads: createHeads() })
  const authorizer = createSolanaAuthorizer({ network, sender, signer, nowMs: runtime.nowMs, wake: () => undefined })
  const walletPayments = { verifySubmission: () => expect.unreachable(), authorizer }
  const chains = new Map([['solana', walletPayments]])
  const authorizations = createAuthorizations({ db, chains, runtime, stopping: signal })
  /** Like a newly started process. */
  const pass = (changed: Partial<SolanaSender> = {}, settings: Partial<Pick<SolanaNetwork, 'signatureGas'>> = {}) =>
    createSolanaSweeper({
      ...{ ...shared, sender: { ...sender, ...changed }, signer },
      network: { ...network, ...settings },
    }).pass(signal)
  return { network, signer, sender, authorizer, authorizations, pass, watch: () => watcher.pass(signal) }
}

async function fund(to: PublicKey, amount: bigint): Promise<void> {
  await mintTestTokens(solana.connection, solana.tokenOwner, { mint: mint(), to: to.toBase58(), amount })
  await solana.advance(2)
}

async function newDeposit(): Promise<DepositPayment> {
  const windowEndsAtMs = runtime.nowMs() + 900_000
  const depositTerms = formatSolanaTerms({
    ...{ genesisHash: stage.network.genesisHash, mint: mint(), amount: 25_000_000n, least: 25_000_000n },
    ...{ merchant: wallets.merchant, platform: wallets.platform, feeBps: 150 },
    deadlineSeconds: Math.ceil(windowEndsAtMs / 1000),
    salt: Buffer.from(runtime.randomBytes(32)).toString('hex'),
  })
  const payment = newPayment({
    ...{ id: runtime.newUuid() as PaymentId, network: 'solana', depositTerms, sequence: 0, windowEndsAtMs },
    ...{ depositAddress: stage.signer.ownerOf(depositTerms).toBase58(), tokenAddress: mint() },
    createdAtMs: runtime.nowMs(),
  })
  await db.write((tx) => ledger.createIn(tx, payment))
  return payment
}

/** A deposit whose token account was created. */
async function readyDeposit(): Promise<DepositPayment> {
  const payment = await newDeposit()
  await stage.watch()
  await stage.pass()
  await solana.advance(8)
  await stage.pass()
  return payment
}

/** An x402 client's signed transaction. */
async function sign(
  { id, depositAddress }: Pick<DepositPayment, 'id' | 'depositAddress'>,
  customer = solana.customer,
  more: readonly TransactionInstruction[] = [],
): Promise<string> {
  const token = new PublicKey(mint())
  const accountOf = (owner: string) => new PublicKey(tokenAccountOf(mint(), owner))
  const [from, to] = [accountOf(customer.publicKey.toBase58()), accountOf(depositAddress)]
  const { blockhash } = await solana.connection.getLatestBlockhash()
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
    createTransferCheckedInstruction(from, token, to, customer.publicKey, 25_000_000n, 6),
    new TransactionInstruction({
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.from(id),
    }),
    ...more,
  ]
  const message = new TransactionMessage({ payerKey: stage.signer.feePayer, recentBlockhash: blockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([customer])
  return Buffer.from(transaction.serialize()).toString('base64')
}

function authorize(payment: Payment, transaction: string) {
  const signed = stage.authorizer.sponsor?.signedOf(payment, transaction)
  if (!signed) throw new Error('Nothing is sponsored')
  return stage.authorizations.authorize(payment, signed, { client: null, waitMs: 20, signal })
}

const received = ({ depositAddress }: DepositPayment): Promise<bigint> => heldBy(depositAddress)

async function heldBy(owner: string): Promise<bigint> {
  const [account] = await stage.sender.accounts([tokenAccountOf(mint(), owner)])
  return account?.token?.amount ?? 0n
}

/** A wallet payment to its own wallets. */
async function newSplit(): Promise<ContractPayment & { wallets: { merchant: string; platform: string } }> {
  const [merchant, platform] = [Keypair.generate().publicKey.toBase58(), Keypair.generate().publicKey.toBase58()]
  const [id, windowEndsAtMs] = [runtime.newUuid() as PaymentId, runtime.nowMs() + 900_000]
  const terms = {
    ...{ family: 'solana' as const, genesisHash: stage.network.genesisHash, mint: mint(), decimals: 6 },
    ...{ amount: 25_000_000n, paymentId: id, merchant, platform, feeBps: 150 },
    deadlineSeconds: Math.floor(windowEndsAtMs / 1000),
  }
  const payment = newContractPayment({
    ...{ id, network: 'solana', tokenAddress: mint(), sequence: 0, windowEndsAtMs, createdAtMs: runtime.nowMs() },
    ...{ splitTerms: formatSolanaSplitTerms(terms), termsHash: referenceOf(terms) },
  })
  await db.write((tx) => ledger.createIn(tx, payment))
  return { ...payment, wallets: { merchant, platform } }
}

/** The service's transaction, signed by the customer. */
async function signHanded(payment: Payment, customer = solana.customer): Promise<string> {
  const handed = await stage.authorizer.sponsor?.transactionOf(payment, customer.publicKey.toBase58())
  const transaction = Transaction.from(Buffer.from(handed?.transaction ?? '', 'base64'))
  transaction.partialSign(customer)
  return transaction.serialize({ requireAllSignatures: false }).toString('base64')
}

test('a client is requested to pay only when its transfer can arrive', async () => {
  const payment = await newDeposit()
  expect(await stage.authorizer.sponsor?.isReady(payment)).toBe(false)
  await stage.watch()
  await stage.pass()
  await solana.advance(8)
  expect(await stage.authorizer.sponsor?.isReady(payment)).toBe(true)
})

test('a wallet gets its transaction once the transfer can arrive and the balance suffices', async () => {
  const { sponsor } = stage.authorizer
  const customer = solana.customer.publicKey.toBase58()
  const early = await newDeposit()
  await expect(sponsor?.transactionOf(early, customer)).rejects.toMatchObject({ code: 'NOT_READY', status: 503 })
  const payment = await readyDeposit()
  const poor = Keypair.generate().publicKey.toBase58()
  await expect(sponsor?.transactionOf(payment, poor)).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    message: expect.stringContaining('0.00 of 25.00 USDC'),
  })
  await expect(sponsor?.transactionOf({ ...payment, isTest: true }, customer)).rejects.toMatchObject({
    code: 'PAYMENT_ENDED',
  })
  const handed = await sponsor?.transactionOf(payment, customer)
  expect(handed?.message).toMatch(/^25\.00 USDC to /)
  await authorize(payment, await signHanded(payment))
  await stage.pass()
  await solana.advance(8)
  expect(await received(payment)).toBe(25_000_000n)
})

test('a wallet payment is created and sent the same way, once merchant and platform have token accounts', async () => {
  const customer = Keypair.generate()
  await fund(customer.publicKey, 30_000_000n)
  const payment = await newSplit()
  await expect(signHanded(payment, customer)).rejects.toMatchObject({ code: 'NO_TOKEN_ACCOUNT', status: 400 })
  const { merchant, platform } = payment.wallets
  for (const owner of [merchant, platform]) await fund(new PublicKey(owner), 1n)
  await expect(signHanded(payment, Keypair.generate())).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })

  const transaction = await signHanded(payment, customer)
  expect(await authorize(payment, transaction)).toEqual({ state: 'pending', txId: null })
  const died = () => Promise.reject(new Error('The process ends here'))
  await expect(stage.pass({ broadcast: died })).rejects.toThrow('ends here')
  const { txId } = await authorize(payment, transaction)
  expect([await heldBy(merchant), await heldBy(platform)]).toEqual([1n, 1n])
  await stage.pass()
  await solana.advance(8)
  expect([await heldBy(merchant), await heldBy(platform)]).toEqual([24_625_001n, 375_001n])
  expect(await authorize(payment, transaction)).toEqual({ state: 'accepted', txId })
  expect(await solana.connection.getBalance(customer.publicKey)).toBe(0)
})

test('a transaction is stored before it is sent, and sent by the next process if the first one ends in between', async () => {
  const payment = await readyDeposit()
  const transaction = await sign(payment)
  expect(await authorize(payment, transaction)).toEqual({ state: 'pending', txId: null })
  const died = () => Promise.reject(new Error('The process ends here'))
  await expect(stage.pass({ broadcast: died })).rejects.toThrow('ends here')
  const { txId } = await authorize(payment, transaction)
  expect(txId).toMatch(/^\w{80,90}$/)
  expect(await received(payment)).toBe(0n)
  await stage.pass()
  await solana.advance(8)
  expect(await received(payment)).toBe(25_000_000n)
  expect(await authorize(payment, transaction)).toEqual({ state: 'accepted', txId })
})

test('a transaction that was queued when the operator stopped paying for signatures is given up, not sent', async () => {
  const payment = await readyDeposit()
  const customer = Keypair.generate()
  await fund(customer.publicKey, 25_000_000n)
  const transaction = await sign(payment, customer)
  await authorize(payment, transaction)
  await stage.pass({}, { signatureGas: null })
  await stage.pass()
  await solana.advance(8)
  expect(await received(payment)).toBe(0n)
  const rows = await db.read((tx) =>
    tx.all(sql`select state, code from authorizations where payment_id = ${payment.id}`),
  )
  expect(rows).toEqual([{ state: 'failed', code: 'SIGNATURE_NOT_OFFERED' }])
})

test('a transaction that can no longer land is given up, and the customer signs a new one', async () => {
  const payment = await readyDeposit()
  const transaction = await sign(payment)
  await authorize(payment, transaction)
  const lost = { broadcast: async () => undefined }
  await stage.pass(lost)
  await solana.advance(170)
  await stage.pass(lost)
  expect(await received(payment)).toBe(0n)
  await authorize(payment, await sign(payment))
  await stage.pass()
  await solana.advance(8)
  expect(await received(payment)).toBe(25_000_000n)
})

test('a transaction that one node reports as failed or expired is not given up while another response has it', async () => {
  const payment = await readyDeposit()
  const transaction = await sign(payment)
  await authorize(payment, transaction)
  await stage.pass()
  await solana.advance(40)
  const { txId } = await authorize(payment, transaction)
  const status = { slot: await solana.connection.getSlot('finalized'), isFailed: true, isFinal: true }
  await stage.pass({ statuses: async (ids) => ({ height: 1, statuses: ids.map(() => status) }) })
  await stage.pass({ statuses: async (ids) => ({ height: 1_000_000_000, statuses: ids.map(() => undefined) }) })
  await stage.pass()
  expect(await received(payment)).toBe(25_000_000n)
  expect(await authorize(payment, transaction)).toEqual({ state: 'accepted', txId })
  const states = await db.read((tx) => tx.all(sql`select state from outgoing_transactions where tx_id = ${txId ?? ''}`))
  expect(states).toEqual([{ state: 'confirmed' }])
})

test('an account without enough money is refused, and so is a payer beyond the daily limit', async () => {
  const payment = await readyDeposit()
  await expect(authorize(payment, await sign(payment, Keypair.generate()))).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  const codes: unknown[] = []
  for (let count = 0; count < 6; count++) {
    const next = await readyDeposit()
    codes.push(
      await authorize(next, await sign(next)).then(
        ({ state }) => state,
        ({ code }) => code,
      ),
    )
    await stage.pass()
    await solana.advance(8)
  }
  expect(codes).toContain('pending')
  expect(codes.at(-1)).toBe('PAYER_LIMIT')
})

test('the fee payer signs no transaction that was changed in the database, whoever would profit', async () => {
  const thief = Keypair.generate().publicKey
  const [fees, money, other] = [await readyDeposit(), await readyDeposit(), await readyDeposit()]
  const theft = SystemProgram.transfer({
    ...{ fromPubkey: stage.signer.feePayer, toPubkey: thief, lamports: 10_000_000 },
  })
  for (const payment of [fees, money]) {
    const customer = Keypair.generate()
    await fund(customer.publicKey, 25_000_000n)
    await authorize(payment, await sign(payment, customer))
  }
  const replace = (payment: Payment, transaction: string) =>
    db.write((tx) => tx.run(sql`update authorizations set data = ${transaction} where payment_id = ${payment.id}`))
  await replace(fees, await sign(fees, solana.customer, [theft]))
  await replace(money, await sign({ id: money.id, depositAddress: other.depositAddress }))
  await stage.pass()
  await solana.advance(8)
  const refused = await db.read((tx) =>
    tx.all<object>(sql`
        select state, code, transaction_id from authorizations where payment_id in ${[fees.id, money.id]} order by code`),
  )
  expect(refused).toEqual([
    { state: 'failed', code: 'INVALID_SIGNATURE', transaction_id: null },
    { state: 'failed', code: 'WRONG_RECIPIENT', transaction_id: null },
  ])
  expect(await solana.connection.getBalance(thief)).toBe(0)
  expect(await received(other)).toBe(0n)
})

test('an unreadable payment blocks neither the token accounts nor the transactions of others', async () => {
  const customer = Keypair.generate()
  await fund(customer.publicKey, 60_000_000n)
  const [broken, paid] = [await readyDeposit(), await readyDeposit()]
  for (const payment of [broken, paid]) await authorize(payment, await sign(payment, customer))
  const [unopened, opened] = [await newDeposit(), await newDeposit()]
  await stage.watch()
  const setMetadata = (metadata: string | null) =>
    db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id in ${[broken.id, unopened.id]}`))
  await setMetadata('{')
  await expect(stage.pass()).rejects.toThrow('JSON')
  await solana.advance(8)
  expect(await received(paid)).toBe(25_000_000n)
  expect(await stage.authorizer.sponsor?.isReady(opened)).toBe(true)
  await setMetadata(null)
  await stage.pass()
  await solana.advance(8)
  expect(await received(broken)).toBe(25_000_000n)
})

test('a node that simulates a sweep cannot send it before it is stored', async () => {
  const payment = await readyDeposit()
  await fund(new PublicKey(payment.depositAddress), 25_000_000n)
  for (let round = 0; round < 3; round++) {
    await stage.watch()
    await solana.advance(40)
  }
  let asked = 0
  const simulate = async (transaction: string) => {
    asked += 1
    const sent = solana.connection.sendRawTransaction(Buffer.from(transaction, 'base64'), { skipPreflight: true })
    await sent.catch(() => undefined)
    throw new Error('The process ends here')
  }
  await expect(stage.pass({ simulate })).rejects.toThrow('ends here')
  await solana.advance(8)
  expect(asked).toBeGreaterThan(0)
  expect(await received(payment)).toBe(25_000_000n)
})
