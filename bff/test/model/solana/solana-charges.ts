import type { Connection, Keypair } from '@solana/web3.js'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { type ProofKind, type SolanaCharge, type SolanaPayment, type SolanaProof, signProof } from './solana-proofs.ts'

/** Maximum turns of the event loop until a charge is stored. */
const turnsMax = 10_000

/** Maximum passes until a charge's token account is created. */
const passesMax = 4

type Answer = { status: number; headers: Headers; body: never }

type Site = {
  connection: Connection
  customer: Keypair
  mint: string
  payments: SolanaPayment[]
  post(path: string, body: unknown): Promise<Answer>
  countPayments(): Promise<number>
  placeOf(address: string): Promise<{ id: PaymentId; endsAtMs: number }>
  /** Whether everyone can see the newest payment's token account. */
  isNewestReady(): Promise<boolean>
  /** Makes blocks and runs the workers. */
  send(): Promise<void>
  restart(): Promise<void>
}

/** Requests to a merchant's server, paid by a transaction that the customer signs and the service sends. */
export function createSolanaCharges(site: Site) {
  const { payments } = site
  const at = (index: number) => payments[index % Math.max(1, payments.length)]
  let charges = 0

  const order = (resource: string) => ({ amount: '25.00', currency: 'USDC', network: 'solana-devnet', resource })

  /**
   * Sends a request as a merchant's server does. The service responds once the charge's token account exists; the workers run in
   * the meantime.
   */
  async function ask(body: object): Promise<Answer> {
    const before = await site.countPayments()
    let answer: Answer | undefined
    const asked = site.post('/x402/charge', body).then((given) => {
      answer = given
      return given
    })
    for (let turn = 0; turn < turnsMax && !answer && (await site.countPayments()) === before; turn += 1)
      await new Promise((resolve) => setImmediate(resolve))
    for (let pass = 0; pass < passesMax && !answer && !(await site.isNewestReady()); pass += 1) await site.send()
    // If the account cannot be created now, the waiting request ends with the process, not after a real minute.
    if (!answer && !(await site.isNewestReady())) await site.restart()
    return await asked
  }

  async function present(payment: SolanaPayment, charge: SolanaCharge, proof: SolanaProof): Promise<Answer> {
    const signed = { x402Version: 2, accepted: charge.accepted, payload: { transaction: proof.transaction } }
    const paymentSignature = Buffer.from(JSON.stringify(signed)).toString('base64')
    const answer = await ask({ ...order(charge.resource), paymentSignature })
    proof.statuses.push(answer.status)
    if (answer.status === 200) payment.served += 1
    return answer
  }

  return {
    presentProof: present,

    async createCharge(): Promise<void> {
      charges += 1
      const resource = `https://api.example/${charges}`
      const answer = await ask(order(resource))
      const header = answer.headers.get('payment-required')
      if (!header) return
      const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepts: Record<string, unknown>[] }
      const [accepted = {}] = accepts
      const address = String(accepted['payTo'])
      const { id, endsAtMs: windowEndsAtMs } = await site.placeOf(address)
      payments.push({
        id,
        windowEndsAtMs,
        address,
        clientSecret: '',
        due: 25_000_000n,
        refundTo: null,
        before: 0n,
        served: 0,
        charge: { resource, accepted },
        proofs: [],
      })
    },

    async prove(index: number, kind: ProofKind): Promise<void> {
      const payment = at(index)
      if (!payment?.charge) return
      const { accepted } = payment.charge
      const { feePayer, memo } = accepted['extra'] as { feePayer: string; memo: string }
      const { connection, customer, mint } = site
      const amount = BigInt(String(accepted['amount']))
      const terms = { payTo: payment.address, mint, amount, feePayer, memo, kind }
      const proof = await signProof(connection, customer, terms)
      payment.proofs.push(proof)
      await present(payment, payment.charge, proof)
    },

    async presentProofAgain(index: number, which: number): Promise<void> {
      const payment = at(index)
      const proof = payment?.proofs[which % Math.max(1, payment.proofs.length)]
      if (payment?.charge && proof) await present(payment, payment.charge, proof)
    },
  }
}
