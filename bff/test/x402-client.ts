import type { PaymentRequired, Requirements, Settlement } from '@stablecoin-checkout/bff/testing/checkout'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import { authorizationAbi } from '@stablecoin-checkout/bff/testing/evm'
import type { SignedAuthorization } from '@stablecoin-checkout/bff/testing/payment'
import type { Hex, PrivateKeyAccount } from 'viem'
import { encodeFunctionData, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { AuthorizationStage } from './authorization-stage.ts'

export type Proof = {
  x402Version: 2
  accepted: Requirements
  payload: { signature: string; authorization: Omit<SignedAuthorization, 'signature'> }
  resource?: { url: string }
}

const decode = <T>(header: string | null): T | undefined =>
  header === null ? undefined : (JSON.parse(Buffer.from(header, 'base64').toString()) as T)
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** An x402 client, a merchant's server, and a stranger who reads the chain. For tests. */
export function createX402Client(stage: AuthorizationStage) {
  const keysOf = ({ apiKey, apiSecret }: typeof stage.merchant) => ({ 'X-API-Key': apiKey, 'X-API-Secret': apiSecret })

  async function answerOf(response: Response) {
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      required: decode<PaymentRequired>(response.headers.get('payment-required')),
      settlement: decode<Settlement>(response.headers.get('payment-response')),
    }
  }

  async function post(path: string, body: unknown, merchant = stage.merchant) {
    const headers = { 'Content-Type': 'application/json', ...keysOf(merchant) }
    return await stage.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  return {
    /** A request to a merchant's paid API, for 25.00 by default. */
    async charge(proof?: unknown, more: object = {}) {
      const terms = { amount: '25.00', currency: 'USDC', network: 'devnet', resource: 'https://api.example/report' }
      const paymentSignature = proof === undefined ? undefined : encode(proof)
      return await answerOf(await post('/api/v1/x402/charge', { ...terms, ...more, paymentSignature }))
    },

    /** A call of the merchant's server about refunds. */
    async merchant(path: string, body: object) {
      return (await (await post(`/api/v1${path}`, body)).json()) as { refund?: { id: string } }
    },

    async askFor({ id }: { id: string }, proof?: unknown) {
      const headers = proof === undefined ? {} : { 'PAYMENT-SIGNATURE': encode(proof) }
      return await answerOf(await stage.app.request(`/x402/${id}`, { method: 'POST', headers }))
    },

    async facilitator(
      name: 'verify' | 'settle',
      paymentPayload: Proof,
      changed: Partial<Requirements> = {},
      merchant = stage.merchant,
    ) {
      const paymentRequirements = { ...paymentPayload.accepted, ...changed }
      const body = { x402Version: 2, paymentPayload, paymentRequirements }
      return (await (await post(`/api/v1/x402/${name}`, body, merchant)).json()) as Record<string, unknown>
    },

    /** @param account - The signer; default: the customer. */
    async prove(accepted: Requirements | undefined, account?: PrivateKeyAccount): Promise<Proof> {
      if (accepted === undefined) throw new Error('Nothing is asked')
      const amount = String(Number(accepted.amount) / 1_000_000)
      const signed = await stage.sign({ depositAddress: accepted.payTo as Hex, amount }, {}, account)
      const { signature, ...authorization } = signed
      return { x402Version: 2, accepted, payload: { signature, authorization } }
    },

    /** A stranger with coins, who submits what others have signed. */
    async openStranger(): Promise<PrivateKeyAccount> {
      const account = privateKeyToAccount(generatePrivateKey())
      await stage.chain.setBalance({ address: account.address, value: 10n ** 19n })
      return account
    },

    /**
     * Sends the customer's authorization from another account. @returns the hash, before mining if blocks are not mined
     * automatically.
     */
    async bring(
      stranger: PrivateKeyAccount,
      { signature, ...one }: SignedAuthorization,
      fees: object = {},
    ): Promise<Hex> {
      const { r, s, v } = parseSignature(signature as Hex)
      const fields = [
        one.from as Hex,
        one.to as Hex,
        BigInt(one.value),
        BigInt(one.validAfter),
        BigInt(one.validBefore),
      ] as const
      const data = encodeFunctionData({
        abi: authorizationAbi,
        functionName: 'transferWithAuthorization',
        args: [...fields, one.nonce as Hex, Number(v), r, s],
      })
      return await stage.chain.sendTransaction({ account: stranger, to: stage.token, gas: 200_000n, data, ...fees })
    },

    /** Sends until the authorization with this nonce is in the transaction pool. Mine no blocks meanwhile. */
    async untilSent(nonce: string): Promise<void> {
      for (let passes = 0; passes < 2_000; passes++) {
        await stage.sendDue()
        const sent = await stage.db.read((tx) =>
          tx.get(sql`select id from authorizations where nonce = ${nonce} and state = 'sent'`),
        )
        if (sent !== undefined) return
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error('Nothing is sent')
    },

    /** Sends, mines and watches until the responses arrive. */
    async drive<T>(answers: Promise<T>): Promise<T> {
      let isDone = false
      const done = () => {
        isDone = true
      }
      answers.then(done, done)
      while (!isDone) {
        await stage.sendDue()
        await stage.chain.mine({ blocks: 1 })
        await stage.watch()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return await answers
    },

    signedOf: ({ payload }: Proof): SignedAuthorization => ({ ...payload.authorization, signature: payload.signature }),
  }
}
