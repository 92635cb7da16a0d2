import type { PaymentId, SignedAuthorization } from '@stablecoin-checkout/bff/testing/payment'
import type { Hex, PrivateKeyAccount } from 'viem'
import { authorizationCall } from './calls.ts'
import { chainId, tokenDomain } from './contracts.ts'
import { accounts, type Site, stranger } from './service-site.ts'

/** A signature by nobody. */
const spoiled = `0x${'ab'.repeat(64)}1b` as Hex

/** What a customer signed, and its results. */
export type Proof = { signed: SignedAuthorization; isGarbage: boolean; statuses: number[] }

export type ModelPayment = {
  id: PaymentId
  address: Hex
  token: Hex
  due: bigint
  least: bigint
  clientSecret: string
  windowEndsAtMs: number
  /** An address of the merchant's own wallet. */
  isDirect: boolean
  /** The request to a merchant's server. */
  charge: { resource: string; amount: string; accepted: Record<string, unknown> } | null
  proofs: Proof[]
  /** Responses that released goods. */
  served: number
  bridge: { underWayAtMs: number | null; isReturned: boolean; deliveredAtMs: number | null } | null
}

/** Customers who pay by signature, and others who obtain what they signed. */
export function createSigners(site: Site, at: (index: number) => ModelPayment | undefined) {
  const { chain, runtime, post } = site

  async function sign(payment: ModelPayment, account: PrivateKeyAccount, isGarbage: boolean): Promise<Proof> {
    const fields = {
      from: account.address,
      to: payment.address,
      value: payment.charge ? String(payment.charge.accepted['amount']) : String(payment.due),
      validAfter: '0',
      validBefore: String(Math.floor(chain.nowMs() / 1_000) + 3_600),
      nonce: `0x${Buffer.from(runtime.randomBytes(32)).toString('hex')}`,
    }
    const { value, validAfter, validBefore, ...rest } = fields
    const types = ['address from', 'address to', 'uint256 value', 'uint256 validAfter', 'uint256 validBefore']
    const signature = await account.signTypedData({
      domain: { ...tokenDomain, chainId, verifyingContract: payment.token },
      types: {
        TransferWithAuthorization: [...types, 'bytes32 nonce'].map((one) => {
          const [type = '', name = ''] = one.split(' ')
          return { type, name }
        }),
      },
      primaryType: 'TransferWithAuthorization',
      message: {
        ...rest,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
      },
    } as never)
    const proof: Proof = { signed: { ...fields, signature: isGarbage ? spoiled : signature }, isGarbage, statuses: [] }
    payment.proofs.push(proof)
    return proof
  }

  /** Submits a proof for a charge, or a signature for a payment. @returns the response. */
  async function present(payment: ModelPayment, proof: Proof) {
    const { signature, ...authorization } = proof.signed
    const { charge } = payment
    const answer = charge
      ? await post('/x402/charge', {
          amount: charge.amount,
          currency: 'USDC',
          network: 'devnet',
          resource: charge.resource,
          paymentSignature: Buffer.from(
            JSON.stringify({ x402Version: 2, accepted: charge.accepted, payload: { signature, authorization } }),
          ).toString('base64'),
        })
      : await post(`/payments/${payment.id}/authorize`, { authorization, signature })
    proof.statuses.push(answer.status)
    if (charge && answer.status === 200) payment.served += 1
    return answer
  }

  return {
    present,
    /** Whether a canonical block has used the authorization. */
    isUsed: ({ signed }: Proof, { token: its }: ModelPayment) =>
      chain.tip().state.used.has(`${its} ${signed.from}`.toLowerCase().concat(` ${signed.nonce}`)),

    /** A customer signs. `by`: who submits the signature to the chain or the service, in which order. */
    async signAndSend(index: number, by: 'service' | 'stranger' | 'both', isGarbage: boolean): Promise<void> {
      const payment = at(index)
      if (!payment) return
      const proof = await sign(payment, accounts[index % accounts.length] as PrivateKeyAccount, isGarbage)
      if (by !== 'service' && !isGarbage) this.submitAsStranger(payment, proof)
      if (by !== 'stranger') await present(payment, proof)
    },

    /** Anyone may submit it: a bot that reads the proof is faster. */
    submitAsStranger({ token: to }: ModelPayment, { signed }: Proof): void {
      chain.send(stranger, [{ to, data: authorizationCall(signed) }])
    },

    async presentAgain(index: number, which: number) {
      const payment = at(index)
      const proof = payment?.proofs[which % Math.max(1, payment.proofs.length)]
      if (payment && proof) await present(payment, proof)
    },

    /**
     * Two processes get the same proof: the second while the first calls its nodes. A single process gets it twice in a row: its
     * node client joins equal calls, so a concurrent second request would deadlock.
     */
    async presentTwice(index: number, which: number, call: number): Promise<void> {
      const payment = at(index)
      const proof = payment?.proofs[which % Math.max(1, payment.proofs.length)]
      if (!payment || !proof) return
      site.setDoor(0)
      if (site.processes === 1) {
        await present(payment, proof)
        return void (await present(payment, proof))
      }
      site.setInterruption(async () => {
        site.setDoor(1)
        await present(payment, proof)
      })
      await site.withFaults([{ type: 'meanwhile', call }], () => present(payment, proof))
    },

    /** A thief who reads payer and nonce on chain, and cannot sign. */
    async steal(index: number, which: number): Promise<void> {
      const payment = at(index)
      const proof = payment?.proofs[which % Math.max(1, payment.proofs.length)]
      if (!payment || !proof) return
      const forged: Proof = { signed: { ...proof.signed, signature: spoiled }, isGarbage: true, statuses: [] }
      payment.proofs.push(forged)
      await present(payment, forged)
    },
  }
}
