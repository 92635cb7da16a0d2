import { setTimeout as sleep } from 'node:timers/promises'
import type { Authorizer, SimulatedAuthorization } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/family.ts'
import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Db } from '../../db/db.ts'
import { loadSettings } from '../../merchant/settings-store.ts'
import type { AuthorizationKey } from '../../payment/authorization.ts'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  type SignedAuthorization,
} from '../../payment/authorization.ts'
import type { Payment } from '../../payment/payment.ts'
import {
  findAuthorization,
  queueAuthorization,
  type StoredAuthorization,
} from '../../payment/store/authorization-store.ts'
import { verifyBounds, verifyGasLimit, verifyStillOpen } from './authorization-bounds.ts'

/** The pause between two readings of an authorization that is under way. */
const pauseMs = 100

/** Requests that wait for their transaction at once; a further one is answered without a wait. */
const waitsMax = 100

/**
 * `accepted`: a block has the transaction, and it succeeded. `pending`: the authorization is stored and will be sent, or was sent and no
 * block is known to have it; `txId` is null before the transaction is signed. Ask again with the same authorization, or read the payment.
 */
export type Authorized = { state: 'accepted'; txId: string } | { state: 'pending'; txId: string | null }

type AuthorizeOptions = {
  /** A digest of the client's address; null: a merchant's server, for which the bound of one address does not hold. */
  client: string | null
  /** How long to wait for a block. */
  waitMs: number
  /** Aborted when the client has gone: the wait ends, and the authorization is sent all the same. */
  signal: AbortSignal
}

/** An authorization that was checked as far as it can be without spending gas. */
export type Verified = { authorizer: Authorizer; checked: CheckedAuthorization; simulated: SimulatedAuthorization }

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
  let waiting = 0

  function authorizerOf({ network, currency }: Payment): Authorizer {
    const authorizer = chains.get(network)?.authorizer
    if (authorizer) return authorizer
    const message = `${currency} on ${network} cannot be paid by a signature here.`
    throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', message)
  }

  /**
   * Checks everything but the bounds of what the operator pays in a day. Nothing is stored.
   * @throws {AuthorizationRefused}
   */
  async function verify(payment: Payment, signed: SignedAuthorization): Promise<Verified> {
    const authorizer = authorizerOf(payment)
    const checked = await authorizer.check(payment, signed, runtime.nowMs())
    const { known, settings } = await db.read(async (tx) => ({
      known: await findAuthorization(tx, checked),
      settings: await loadSettings(tx, payment.merchantId),
    }))
    verifyOwn(known, payment)
    const simulated = await authorizer.simulate(checked)
    verifyGasLimit(payment, checked.value, simulated, settings)
    return { authorizer, checked, simulated }
  }

  /** Queues what was verified. A repeat of what is stored already is not queued again. */
  async function queue(payment: Payment, { authorizer, checked, simulated }: Verified, client: string | null) {
    const atMs = runtime.nowMs()
    await db.write(async (tx) => {
      const known = await findAuthorization(tx, checked)
      verifyOwn(known, payment)
      if (known && known.state !== 'failed') return
      await verifyStillOpen(tx, checked)
      await verifyBounds(tx, { checked, simulated, limits: authorizer.limits, client, nowMs: atMs })
      const costMicros = simulated.costMaxMicros
      await queueAuthorization(tx, { ...checked, id: runtime.newUuid(), client, costMicros, atMs })
    })
  }

  /** Waits until a block has the transaction. @throws {AuthorizationRefused} when the authorization was given up. */
  async function follow(authorizer: Authorizer, key: AuthorizationKey, until: AbortSignal): Promise<Authorized> {
    for (;;) {
      const stored = await db.read((tx) => findAuthorization(tx, key))
      if (stored?.state === 'failed') throw new AuthorizationRefused(stored.code, stored.reason)
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

  /** Of a repeat, what names the authorization that is stored for this payment. */
  async function repeatOf(payment: Payment, { from, nonce }: SignedAuthorization) {
    const { network, tokenAddress } = payment
    const key = { network, token: tokenAddress.toLowerCase(), payer: from.toLowerCase(), nonce: nonce.toLowerCase() }
    const known = await db.read((tx) => findAuthorization(tx, key))
    return known && known.paymentId === payment.id && known.state !== 'failed' ? key : undefined
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
     * Takes an authorization and has it sent, once, whatever becomes of this process. A repeat of the same authorization for the
     * same payment gets the answer to the first.
     * @returns what is known when a block has the transaction, or when the wait is over.
     * @throws {AuthorizationRefused} No gas was spent then, unless the chain reverted the transaction.
     */
    async authorize(payment: Payment, signed: SignedAuthorization, options: AuthorizeOptions): Promise<Authorized> {
      let key: AuthorizationKey | undefined = await repeatOf(payment, signed)
      if (key === undefined) {
        const verified = await verify(payment, signed)
        await queue(payment, verified, options.client)
        verified.authorizer.wake()
        key = verified.checked
      }
      const named = key
      if (waiting >= waitsMax) return { state: 'pending', txId: null }
      waiting += 1
      try {
        return await withTimeout(options.waitMs, [options.signal, stopping], (until) =>
          follow(authorizerOf(payment), named, until),
        )
      } finally {
        waiting -= 1
      }
    },
  }
}

/** @throws {AuthorizationRefused} An authorization pays one payment. */
function verifyOwn(known: StoredAuthorization | undefined, { id }: Payment): void {
  if (known === undefined || known.paymentId === id) return
  throw new AuthorizationRefused('AUTHORIZATION_USED', 'The authorization pays another payment.')
}

const revertedTransaction = (transactionHash: string) =>
  new AuthorizationRefused('TRANSFER_REFUSED', 'The chain reverted the transaction; nothing was paid by it.', {
    transactionHash,
  })
