import { networkOfDigest } from '../../access/http/client-address.ts'
import type { AuthorizationLimits, Authorizer, SimulatedAuthorization } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import type { ErrorCode } from '../../core/error-codes.ts'
import { createFairShares } from '../../core/fair-shares.ts'
import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { pause } from '../../core/worker.ts'
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

/** Pause between two reads of an authorization under way. */
const pauseMs = 100

/** Maximum requests waiting for their transaction; further ones are answered at once. */
const waitsMax = { perClient: 10, perMerchant: 60, all: 100 }

/**
 * `accepted`: the transaction is mined and succeeded. `pending`: the authorization is stored and will be sent, or was
 * sent and is not known to be mined; `txId` is null before the transaction is signed. Ask again with the same
 * authorization, or read the payment.
 */
export type Authorized = { state: 'accepted'; txId: string } | { state: 'pending'; txId: string | null }

type AuthorizeOptions = {
  /** A digest of the client's address; null: a merchant's server, for which only reverted transactions count. */
  client: string | null
  /** A digest of the client named by a merchant's server; absent: as `client`. */
  asker?: string | null
  /** A digest of a value given only to the presenter; null or absent: none. Later requests must present the same value. */
  presenter?: string | null
  /** How long to wait for a block. */
  waitMs: number
  /** Aborted when the client has disconnected: the wait ends, but the authorization is still sent. */
  signal: AbortSignal
}

/** An authorization checked as far as possible without spending gas. */
export type Verified = {
  authorizer: Authorizer
  limits: AuthorizationLimits
  checked: CheckedAuthorization
  simulated: SimulatedAuthorization
}

/** The client that the limits apply to. */
type Asking = Pick<AuthorizeOptions, 'client' | 'asker'>

const askerOf = ({ client, asker = client }: Asking): string | null => asker

const broughtBy = (asking: Asking): BroughtBy => ({ client: askerOf(asking), isByServer: asking.client === null })

type Presented = { by: BroughtBy; presenter: string | null }

/** A parsed authorization, and its presenter. */
type Identified = {
  authorizer: Authorizer
  identified: IdentifiedAuthorization
  presenter: string | null
  /** The payment's creation. */
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

/** Accepts customers' authorizations, after everything that can be checked before gas is spent. */
export function createAuthorizations({ db, chains, runtime, stopping }: Deps) {
  const waits = createFairShares(waitsMax)

  function authorizerOf({ network, currency }: Payment): Authorizer {
    const authorizer = chains.get(network)?.authorizer
    if (authorizer) return authorizer
    throw notSignable({ network, currency })
  }

  /**
   * Checks everything but the operator's daily budget. Stores nothing, and calls no node if the database already refuses.
   * @throws {AuthorizationRefused}
   */
  async function verify(
    payment: Payment,
    signed: SignedAuthorization,
    asking: Asking = { client: null },
  ): Promise<Verified> {
    const authorizer = authorizerOf(payment)
    const { limits } = authorizer
    if (limits === null) throw notSignable(payment)
    const by = broughtBy(asking)
    const nowMs = runtime.nowMs()
    const checked = await authorizer.check(payment, signed, nowMs)
    const settings = await db.read(async (tx) => {
      const known = await findAuthorization(tx, checked)
      verifyOwn(known, payment)
      if (known === undefined || known.state === 'failed') {
        await verifyStillOpen(tx, checked)
        await verifyCounts(tx, { ...by, checked, limits, nowMs })
      }
      return await loadSettings(tx, payment.merchantId)
    })
    const simulated = await authorizer.simulate(checked, networkOfDigest(askerOf(asking)))
    verifyGasLimit(payment, checked.value, simulated, settings)
    return { authorizer, limits, checked, simulated }
  }

  /** Queues a verified authorization. A stored one is not queued again. */
  async function queue(payment: Payment, { limits, checked, simulated }: Verified, { by, presenter }: Presented) {
    const atMs = runtime.nowMs()
    await db.write(async (tx) => {
      const known = await findAuthorization(tx, checked)
      verifyOwn(known, payment)
      if (known && known.state !== 'failed') return
      await verifyStillOpen(tx, checked)
      await verifyBounds(tx, { ...by, checked, simulated, limits, nowMs: atMs })
      const costMicros = simulated.costMaxMicros
      const { client } = by
      await queueAuthorization(tx, { ...checked, id: runtime.newUuid(), client, presenter, costMicros, atMs })
    })
  }

  /**
   * Waits until the transaction is mined.
   * @throws {AuthorizationRefused} when the authorization was given up.
   */
  async function follow(own: Identified, until: AbortSignal): Promise<Authorized> {
    const { authorizer, identified, presenter } = own
    for (;;) {
      const stored = await db.read((tx) => findAuthorization(tx, identified))
      if (stored?.state === 'failed') throw new AuthorizationRefused(stored.code, stored.reason)
      if (stored) verifySame(stored, identified, presenter)
      const txId = stored?.txId ?? null
      if (txId !== null) {
        const isFinal = stored?.state === 'confirmed'
        // An unresponsive node leaves the question open.
        const receipt = isFinal ? 'done' : await authorizer.receipt(txId).catch(() => undefined)
        if (receipt === 'done') return { state: 'accepted', txId }
        if (receipt === 'reverted') throw revertedTransaction(txId)
      }
      if (until.aborted) return { state: 'pending', txId }
      await pause(pauseMs, until)
    }
  }

  /** Follows a stored authorization. */
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
   * The stored state of this authorization for this payment, unless it has failed. An external transaction counts only while it is on
   * chain; otherwise it is forgotten.
   * @throws {AuthorizationRefused} when another call is stored under the payer and nonce, or another presenter presented it first.
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
   * After a refusal: whether the authorization was submitted externally, so that the payer has paid by it.
   * @returns undefined when it was not, or when the refusal is unrelated.
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
    // None of the payer's transactions has paid: transfers of others changed the open amount.
    if (refusalsOfChange.has(refusal) && known.length === 0) return undefined
    const found = await authorizer.findSettlement(identified, { txIds: known, createdAtMs }, networkOfDigest(client))
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
     * A customer's signed transaction with our fee payer, as an authorization.
     * @throws {AuthorizationRefused} if the network has no fee payer, and when it is not a sponsored payment.
     */
    signedOfTransaction(payment: Payment, transaction: string): SignedAuthorization {
      const { sponsor } = authorizerOf(payment)
      if (sponsor) return sponsor.signedOf(payment, transaction)
      const message = `${payment.currency} on ${payment.network} is not paid by a transaction that is signed beside ours.`
      throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', message)
    },

    /**
     * Whether the same authorization was accepted for this payment before: then it is followed instead of checked again.
     * @throws {AuthorizationRefused} when it is another call under the same payer and nonce.
     */
    async isKnown(payment: Payment, signed: SignedAuthorization, presenter: string | null = null): Promise<boolean> {
      return (await knownOf(await identify(payment, signed, presenter))) !== undefined
    },

    /**
     * Whether the authorization was submitted externally.
     * @param refusal - The refusal's code.
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
     * Accepts an authorization and has it sent once, even across restarts. A repeat of the same authorization for the
     * same payment gets the first response. One submitted externally counts like ours.
     * @returns the state when the transaction is mined, or when the wait is over.
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

/** Refusals that may be caused by an external submission, and those of them that mean the payment has changed. */
const refusalsOfChange: ReadonlySet<ErrorCode> = new Set(['PAYMENT_NOT_OPEN', 'WRONG_VALUE', 'REQUIREMENTS_MISMATCH'])
const refusalsOfUsed: ReadonlySet<ErrorCode> = new Set([
  ...refusalsOfChange,
  'SIGNATURE_NOT_OFFERED',
  'AUTHORIZATION_USED',
  'TRANSFER_REFUSED',
  'EXPIRES_TOO_SOON',
])

/** @throws {AuthorizationRefused} Payer and nonce are public on chain: knowing them proves no signature. */
function verifySame(known: StoredAuthorization, own: IdentifiedAuthorization, presenter: string | null): void {
  // For a whole transaction the nonce is the digest of its message.
  verifyPresenter(known, presenter)
  if (own.kind !== 'transaction' && known.data !== own.data) throw presentedBefore()
}

/**
 * Runs even after a failed attempt, whose valid signature was visible in the transaction pool.
 * @throws {AuthorizationRefused} when another presenter has presented it first.
 */
function verifyPresenter(known: StoredAuthorization, presenter: string | null): void {
  if (known.presenter !== null && known.presenter !== presenter) throw presentedBefore()
}

const presentedBefore = () =>
  new AuthorizationRefused('INVALID_SIGNATURE', 'Another proof with this payer and nonce was presented before.')

/** @throws {AuthorizationRefused} when the authorization belongs to another payment. */
function verifyOwn(known: StoredAuthorization | undefined, { id }: Payment): void {
  if (known === undefined || known.paymentId === id) return
  throw new AuthorizationRefused('AUTHORIZATION_USED', 'The authorization pays another payment.')
}

const notSignable = ({ network, currency }: Pick<Payment, 'network' | 'currency'>) =>
  new AuthorizationRefused('SIGNATURE_NOT_OFFERED', `${currency} on ${network} cannot be paid by a signature here.`)

const revertedTransaction = (transactionHash: string) =>
  new AuthorizationRefused('TRANSFER_REFUSED', 'The chain reverted the transaction; nothing was paid by it.', {
    transactionHash,
  })
