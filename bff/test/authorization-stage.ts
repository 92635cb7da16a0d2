import { permit2Address } from '@stablecoin-checkout/bff/testing/evm'
import type { PaymentId, SignedAuthorization } from '@stablecoin-checkout/bff/testing/payment'
import { encodeFunctionData, type Hex, hexToBigInt, type PrivateKeyAccount, toHex } from 'viem'
import { type Answer, type Created, openContractStage } from './contract-stage.ts'
import { receiptOf } from './devnet/receipt.ts'
import { testSmartAccount } from './devnet/smart-account.generated.ts'
import { testUsdc, testUsdt } from './devnet/tokens.generated.ts'

const defaultGas = { coinPrice: '50', perPayer: 20, perAddress: 100, dailyBudget: '20' }

const fieldTypes = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export type Deposit = { id: PaymentId; depositAddress: Hex; amount: string }

export type AuthorizationStage = Awaited<ReturnType<typeof openAuthorizationStage>>

/** A real chain, the application, and the sender of authorizations: customers sign, and nobody else pays. For tests. */
export async function openAuthorizationStage(changes: Parameters<typeof openContractStage>[0] = {}) {
  const stage = await openContractStage({ signatureGas: defaultGas, ...changes })
  const { chain, customer, network } = stage
  const [usdc] = network.tokens
  const token = usdc?.address as Hex
  const never = new AbortController().signal
  let sweeper = stage.signatures.newSweeper()
  let nonces = 0n

  async function chainSeconds(): Promise<bigint> {
    return (await chain.getBlock()).timestamp
  }

  /** A wallet's signature for a deposit. @param changed - Fields that the wallet signs differently. */
  async function sign(
    { depositAddress, amount = '25.00' }: Pick<Deposit, 'depositAddress'> & { amount?: string },
    changed: Partial<Omit<SignedAuthorization, 'signature'>> = {},
    account: PrivateKeyAccount = customer,
  ): Promise<SignedAuthorization> {
    nonces += 1n
    const random = hexToBigInt(toHex(crypto.getRandomValues(new Uint8Array(31))))
    const fields = {
      from: account.address,
      to: depositAddress,
      value: String(BigInt(Math.round(Number(amount) * 1_000_000))),
      validAfter: '0',
      validBefore: String((await chainSeconds()) + 600n),
      nonce: toHex(random + nonces, { size: 32 }),
      ...changed,
    }
    return { ...fields, signature: await signFields('TransferWithAuthorization', fields, account) }
  }

  async function signFields(
    primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization',
    fields: Omit<SignedAuthorization, 'signature'>,
    account: PrivateKeyAccount = customer,
  ): Promise<Hex> {
    const { value, validAfter, validBefore, ...rest } = fields
    return await account.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: network.chainId, verifyingContract: token },
      types: { [primaryType]: fieldTypes },
      primaryType,
      message: {
        ...(rest as { from: Hex; to: Hex; nonce: Hex }),
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
      },
    })
  }

  /** Gives an account test USDT, with a one-time approval of Permit2. */
  async function giveUsdt(account: PrivateKeyAccount, units: bigint, approved = units): Promise<void> {
    const usdt = network.tokens[1]?.address as Hex
    const { abi } = testUsdt
    await chain.setBalance({ address: account.address, value: 10n ** 18n })
    await stage.send({
      to: usdt,
      data: encodeFunctionData({ abi, functionName: 'mint', args: [account.address, units] }),
    })
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [permit2Address, approved] })
    const hash = await chain.sendTransaction({ account, to: usdt, data })
    await receiptOf(chain, hash)
    await chain.setBalance({ address: account.address, value: 0n })
  }

  type Permit2Message = Record<string, unknown> & { nonce: string | null }

  /**
   * The body that a page posts for a payment signed with Permit2. @param changed - Fields of the message changed before signing.
   */
  async function signPermit2(
    { authorization }: { authorization?: { typedData: { message: unknown } } },
    account: PrivateKeyAccount,
    changed: object = {},
  ) {
    const typedData = authorization?.typedData
    if (!typedData) throw new Error('The payment offers no signature')
    const offered = typedData.message as Permit2Message
    const random = String(hexToBigInt(toHex(crypto.getRandomValues(new Uint8Array(31)))))
    const message = { ...offered, nonce: offered.nonce ?? random, ...changed }
    const signature = await account.signTypedData({ ...typedData, message } as never)
    return { permit2Authorization: { from: account.address as string, ...message }, signature: signature as string }
  }

  const bodyOf = ({ signature, ...authorization }: SignedAuthorization) => ({ authorization, signature })

  return {
    ...stage,
    token,
    sign,
    signFields,
    signPermit2,
    giveUsdt,
    bodyOf,

    /** The payment's public view. */
    async readPublic(id: string) {
      return (await stage.ask(`/api/v1/payments/public/${id}`)).body.payment as never as {
        authorization?: { typedData: { primaryType: string; message: Record<string, unknown> } }
      }
    },

    async createDeposit(amount = '25.00'): Promise<Deposit> {
      const answer = await stage.post('/api/v1/deposits/create', { amount, currency: 'USDC', network: 'devnet' })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body.payment as unknown as Deposit
    },

    /**
     * A wallet's signature for a contract payment: the typed data of its create response. @param payer - The payer, if it is a
     * contract.
     */
    async signSplit({ contractCall }: Created, payer: Hex = customer.address): Promise<SignedAuthorization> {
      const message = contractCall.authorization?.typedData.message
      if (!message) throw new Error('The payment offers no authorization')
      const fields = { ...message, from: payer }
      return { ...fields, signature: await signFields('ReceiveWithAuthorization', fields) }
    },

    /** The owner's smart account, with test tokens. It rejects 65-byte signatures. */
    async openSmartAccount(units: bigint, owner: Hex = customer.address): Promise<Hex> {
      const { abi, bytecode } = testSmartAccount
      const hash = await chain.deployContract({ account: customer, abi, bytecode, args: [owner] })
      const { contractAddress } = await receiptOf(chain, hash)
      await stage.send({
        to: token,
        data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [contractAddress as Hex, units] }),
      })
      return contractAddress as Hex
    },

    /** Mints test tokens. */
    mint: (to: Hex, amount: bigint) =>
      stage.send({
        to: token,
        data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [to, amount] }),
      }),

    /** Sends the customer's own transaction. */
    transfer: (to: Hex, units: bigint) =>
      stage.send({
        to: token,
        data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to, units] }),
      }),

    /** Sets the base fee of the next blocks, in gwei. */
    async setBaseFee(gwei: number) {
      await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(gwei) * 1_000_000_000n })
      await chain.mine({ blocks: 1 })
    },

    /** One pass of the sender. */
    sendDue: () => sweeper.pass(never),

    /** Simulates a restart of the process: a new one starts from the stored state. */
    restart() {
      sweeper = stage.signatures.newSweeper()
    },

    /** The service's response, while everything due is sent. */
    async authorize(id: string, body: unknown): Promise<Answer> {
      let answer: Answer | undefined
      let failure: unknown
      void stage.post(`/api/v1/payments/${id}/authorize`, body).then(
        (given) => {
          answer = given
        },
        (error: unknown) => {
          failure = error ?? new Error('failed')
        },
      )
      while (answer === undefined && failure === undefined) {
        await sweeper.pass(never)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      if (answer === undefined) throw failure
      return answer
    },

    /** The response to a body, while nothing is sent to the chain. */
    refusal: async (id: string, body: unknown) => {
      const { status, body: answer } = await stage.post(`/api/v1/payments/${id}/authorize`, body)
      return { status, ...answer } as Record<string, unknown>
    },

    /** Mines until everything sent is final, and watcher and sender have seen it. */
    async finish(): Promise<void> {
      await chain.mine({ blocks: network.confirmations })
      await stage.watch()
      while ((await sweeper.pass(never)) > 0);
    },
  }
}
