import { setTimeout as sleep } from 'node:timers/promises'
import type { Authorizer, SimulatedAuthorization } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import type { ErrorCode } from '../../core/error-codes.ts'
import { createFairShares } from '../../core/fair-shares.ts'
import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Db } from '../../db/db.ts'
import { loadSettings } from '../../merchant/settings-store.ts'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  type IdentifiedAuthorization,
  type SignedAuthorization,
} from '../../payment/authorization.ts'
import type { Payment } from '../../payment/payment.ts'
import {
  dropExternalAuthorization,
  findAuthorization,
  insertExternalAuthorization,
  queueAuthorization,
  type StoredAuthorization,
  transactionsOfPayer,
} from '../../payment/store/authorization-store.ts'
import { type BroughtBy, verifyBounds, verifyCounts, verifyGasLimit, verifyStillOpen } from './authorization-bounds.ts'

/** The pause between two readings of an authorization that is under way. */
const pauseMs = 100

/** Requests that wait for their transaction at once; a further one is answered without a wait. */
const waitsMax = { perClient: 10, perMerchant: 60, all: 100 }

/**
 * `accepted`: a block has the transaction, and it succeeded. `pending`: the authorization is stored and will be sent, or was sent and no
 * block is known to have it; `txId` is null before the transaction is signed. Ask again with the same authorization, or read the payment.
 */
export type Authorized = { state: 'accepted'; txId: string } | { state: 'pending'; txId: string | null }

type AuthorizeOptions = {
  /** A digest of the client's address; null: a merchant's server, of which only what is in vain counts. */
  client: string | null
  /** A digest of the client behind a merchant's server that names it; absent: as `client`. */
  asker?: string | null
  /** A digest of what only the presenter was given; null or absent: nothing. A later one must present the same. */
  presenter?: string | null
  /** How long to wait for a block. */
  waitMs: number
  /** Aborted when the client has gone: the wait ends, and the authorization is sent all the same. */
  signal: AbortSignal
}

/** An authorization that was checked as far as it can be without spending gas. */
export type Verified = { authorizer: Authorizer; checked: CheckedAuthorization; simulated: SimulatedAuthorization }

/** Who is counted for it. */
type Asking = Pick<AuthorizeOptions, 'client' | 'asker'>

const askerOf = ({ client, asker = client }: Asking): string | null => asker

const broughtBy = (asking: Asking): BroughtBy => ({ client: askerOf(asking), isByServer: asking.client === null })

type Presented = { by: BroughtBy; presenter: string | null }

/** An authorization that was read, and who presents it. */
type Identified = {
  authorizer: Authorizer
  identified: IdentifiedAuthorization
  presenter: string | null
  /** When the payment was created. */
  createdAtMs: number
}

type Deps = {
  db: Db
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  runtime: Runtime
  stopping: AbortSignal
}

export type Authorizations = ReturnType<typeof createAuthorizations>

/** Takes what customers signed, once everything was checked that can be checked before gas is spent. */
export function createAuthorizations({ db, chains, runtime, stopping }: Deps) {
  const waits = createFairShares(waitsMax)

  function authorizerOf({ network, currency }: Payment): Authorizer {
    const authorizer = chains.get(network)?.authorizer
    if (authorizer) return authorizer
    const message = `${currency} on ${network} cannot be paid by a signature here.`
    throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', message)
  }

  /**
   * Checks everything but the budget of what the operator pays in a day. Nothing is stored, and no node is asked for what the database
   * refuses.
   * @throws {AuthorizationRefused}
   */
  async function verify(
    payment: Payment,
    signed: SignedAuthorization,
    asking: Asking = { client: null },
  ): Promise<Verified> {
    const authorizer = authorizerOf(payment)
    const by = broughtBy(asking)
    const nowMs = runtime.nowMs()
    const checked = await authorizer.check(payment, signed, nowMs)
    const settings = await db.read(async (tx) => {
      const known = await findAuthorization(tx, checked)
      verifyOwn(known, payment)
      if (known === undefined || known.state === 'failed') {
        await verifyStillOpen(tx, checked)
        await verifyCounts(tx, { ...by, checked, limits: authorizer.limits, nowMs })
      }
      return await loadSettings(tx, payment.merchantId)
    })
    const simulated = await authorizer.simulate(checked, askerOf(asking))
    verifyGasLimit(payment, checked.value, simulated, settings)
    return { authorizer, checked, simulated }
  }

  /** Queues what was verified. A repeat of what is stored already is not queued again. */
  async function queue(payment: Payment, { authorizer, checked, simulated }: Verified, { by, presenter }: Presented) {
    const atMs = runtime.nowMs()
    await db.write(async (tx) => {
      const known = await findAuthorization(tx, checked)
      verifyOwn(known, payment)
      if (known && known.state !== 'failed') return
      await verifyStillOpen(tx, checked)
      await verifyBounds(tx, { ...by, checked, simulated, limits: authorizer.limits, nowMs: atMs })
      const costMicros = simulated.costMaxMicros
      const { client } = by
      await queueAuthorization(tx, { ...checked, id: runtime.newUuid(), client, presenter, costMicros, atMs })
    })
  }

  /** Waits until a block has the transaction. @throws {AuthorizationRefused} when the authorization was given up. */
  async function follow(own: Identified, until: AbortSignal): Promise<Authorized> {
    const { authorizer, identified, presenter } = own
    for (;;) {
      const stored = await db.read((tx) => findAuthorization(tx, identified))
      if (stored?.state === 'failed') throw new AuthorizationRefused(stored.code, stored.reason)
      if (stored) verifySame(stored, identified, presenter)
      const txId = stored?.txId ?? null
      if (txId !== null) {
        const isFinal = stored?.state === 'confirmed'
        // A node that does not answer leaves the question open.
        const receipt = isFinal ? 'done' : await authorizer.receipt(txId).catch(() => undefined)
        if (receipt === 'done') return { state: 'accepted', txId }
        if (receipt === 'reverted') throw revertedTransaction(txId)
      }
      if (until.aborted) return { state: 'pending', txId }
      await sleep(pauseMs, undefined, { signal: until }).catch(() => undefined)
    }
  }

  /** Follows an authorization that is stored. */
  async function followWithin(own: Identified, options: AuthorizeOptions): Promise<Authorized> {
    const asker = { client: askerOf(options), merchantId: own.identified.merchantId }
    if (!waits.take(asker)) return { state: 'pending', txId: null }
    try {
      return await withTimeout(options.waitMs, [options.signal, stopping], (until) => follow(own, until))
    } finally {
      waits.release(asker)
    }
  }

  /**
   * What is stored of this very authorization for this payment, unless it has failed. Somebody else's transaction counts only while
   * the chain has it: what is stored of it is forgotten else.
   * @throws {AuthorizationRefused} when another call is stored under the payer and nonce, or another presenter has shown it.
   */
  async function knownOf({ authorizer, identified, presenter }: Identified): Promise<StoredAuthorization | undefined> {
    const known = await db.read((tx) => findAuthorization(tx, identified))
    if (known === undefined || known.paymentId !== identified.paymentId) return undefined
    if (known.state === 'failed') {
      verifyPresenter(known, presenter)
      return undefined
    }
    verifySame(known, identified, presenter)
    if (known.state !== 'external' || known.txId === null) return known
    if ((await authorizer.receipt(known.txId).catch(() => 'done')) === 'done') return known
    await db.write((tx) => dropExternalAuthorization(tx, known.id))
    return undefined
  }

  /**
   * After a refusal: whether somebody else has brought the authorization to the chain, which the payer has then paid by.
   * @returns undefined when the chain says that it was not, or when the refusal has nothing to do with it.
   * @throws {AuthorizationRefused} when the chain cannot be read.
   */
  async function findExternalSettlement(
    own: Identified,
    client: string | null,
    refusal: ErrorCode,
  ): Promise<Authorized | undefined> {
    const { authorizer, identified, presenter, createdAtMs } = own
    if (!authorizer.findSettlement || !refusalsOfUsed.has(refusal)) return undefined
    const { paymentId, payer } = identified
    const known = await db.read((tx) => transactionsOfPayer(tx, paymentId, payer))
    // The amount that is open has changed by money of others only.
    if (refusalsOfChange.has(refusal) && known.length === 0) return undefined
    const found = await authorizer.findSettlement(identified, { txIds: known, createdAtMs }, client)
    if (found.state === 'unknown') {
      const stored = await db.read((tx) => findAuthorization(tx, identified))
      const isOfAnother = stored !== undefined && stored.paymentId !== paymentId && stored.state !== 'failed'
      return isOfAnother ? undefined : { state: 'pending', txId: null }
    }
    if (found.state !== 'settled') return undefined
    const { txId } = found
    await db.write((tx) =>
      insertExternalAuthorization(tx, {
        ...identified,
        id: runtime.newUuid(),
        presenter,
        txId,
        atMs: runtime.nowMs(),
      }),
    )
    return { state: 'accepted', txId }
  }

  /** @throws {AuthorizationRefused} when it was signed for another payment. */
  async function identify(
    payment: Payment,
    signed: SignedAuthorization,
    presenter: string | null,
  ): Promise<Identified> {
    const authorizer = authorizerOf(payment)
    const { createdAtMs } = payment
    return { authorizer, identified: await authorizer.identify(payment, signed), presenter, createdAtMs }
  }

  return {
    verify,

    /**
     * The transaction that a customer has signed beside our fee payer, as an authorization.
     * @throws {AuthorizationRefused} where the network has no fee payer, and when it is no payment that the fee payer pays for.
     */
    signedOfTransaction(payment: Payment, transaction: string): SignedAuthorization {
      const { sponsor } = authorizerOf(payment)
      if (sponsor) return sponsor.signedOf(payment, transaction)
      const message = `${payment.currency} on ${payment.network} is not paid by a transaction that is signed beside ours.`
      throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', message)
    },

    /**
     * Whether the very authorization was taken for this payment before: then it is followed, and not checked again.
     * @throws {AuthorizationRefused} when it is another call under the same payer and nonce.
     */
    async isKnown(payment: Payment, signed: SignedAuthorization, presenter: string | null = null): Promise<boolean> {
      return (await knownOf(await identify(payment, signed, presenter))) !== undefined
    },

    /**
     * Whether somebody else has brought the authorization to the chain. @param refusal - The code by which it was refused.
     * @throws {AuthorizationRefused} when the chain cannot be read.
     */
    async findExternalSettlement(
      payment: Payment,
      signed: SignedAuthorization,
      options: AuthorizeOptions,
      refusal: ErrorCode,
    ) {
      return await findExternalSettlement(
        await identify(payment, signed, options.presenter ?? null),
        askerOf(options),
        refusal,
      )
    },

    /**
     * Takes an authorization and has it sent, once, whatever becomes of this process. A repeat of the same authorization for the
     * same payment gets the answer to the first. One that somebody else has brought to the chain is accepted as ours is.
     * @returns what is known when a block has the transaction, or when the wait is over.
     * @throws {AuthorizationRefused} No gas was spent then, unless the chain reverted the transaction.
     */
    async authorize(payment: Payment, signed: SignedAuthorization, options: AuthorizeOptions): Promise<Authorized> {
      const { presenter = null } = options
      const own = await identify(payment, signed, presenter)
      try {
        if ((await knownOf(own)) === undefined) {
          const verified = await verify(payment, signed, options)
          await queue(payment, verified, { by: broughtBy(options), presenter })
          verified.authorizer.wake()
        }
        return await followWithin(own, options)
      } catch (error) {
        if (!(error instanceof AuthorizationRefused)) throw error
        const settlement = await findExternalSettlement(own, askerOf(options), error.code)
        if (settlement === undefined) throw error
        return settlement
      }
    },
  }
}

/** Refusals of what may have been used by somebody else, and those of them that say that the payment has changed. */
const refusalsOfChange: ReadonlySet<ErrorCode> = new Set(['PAYMENT_NOT_OPEN', 'WRONG_VALUE', 'REQUIREMENTS_MISMATCH'])
const refusalsOfUsed: ReadonlySet<ErrorCode> = new Set([
  ...refusalsOfChange,
  'SIGNATURE_NOT_OFFERED',
  'AUTHORIZATION_USED',
  'TRANSFER_REFUSED',
  'EXPIRES_TOO_SOON',
])

/** @throws {AuthorizationRefused} Payer and nonce stand on the chain: whoever knows them has signed nothing. */
function verifySame(known: StoredAuthorization, own: IdentifiedAuthorization, presenter: string | null): void {
  // Of a whole transaction the nonce is the digest of all that is signed.
  verifyPresenter(known, presenter)
  if (own.kind !== 'transaction' && known.data !== own.data) throw presentedBefore()
}

/**
 * Also after an attempt has failed: its signature was good, and stood in the transaction pool. @throws {AuthorizationRefused} when somebody
 * else has presented it first.
 */
function verifyPresenter(known: StoredAuthorization, presenter: string | null): void {
  if (known.presenter !== null && known.presenter !== presenter) throw presentedBefore()
}

const presentedBefore = () =>
  new AuthorizationRefused('INVALID_SIGNATURE', 'Another proof with this payer and nonce was presented before.')

/** @throws {AuthorizationRefused} An authorization pays one payment. */
function verifyOwn(known: StoredAuthorization | undefined, { id }: Payment): void {
  if (known === undefined || known.paymentId === id) return
  throw new AuthorizationRefused('AUTHORIZATION_USED', 'The authorization pays another payment.')
}

const revertedTransaction = (transactionHash: string) =>
  new AuthorizationRefused('TRANSFER_REFUSED', 'The chain reverted the transaction; nothing was paid by it.', {
    transactionHash,
  })
