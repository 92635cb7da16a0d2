import type { PublicPayment, Unchecked } from '@stablecoin-checkout/bff/api-types'
import { type BaseUnits, formatAmount, parseAmount, withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { isSolanaAddress } from '@stablecoin-checkout/bff/testing/solana'
import { addressHex } from '@stablecoin-checkout/bff/testing/tron'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import {
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  isAddress,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StorefrontConfig, StorefrontNetwork } from './config.ts'
import { PayError } from './pay-error.ts'
import { openSolanaWallet } from './solana-customer.ts'
import { type InTurn, turnKey } from './turns.ts'

export type PayRequest = {
  paymentId: string /** Decimal text; default: the remaining amount. */
  amount?: string
}
export type Paid = { hash: string; amount: string; currency: string; network: string }

/** The test customer's wallet: sends real tokens on the devnet. */
export type TestCustomer = { pay(request: PayRequest): Promise<Paid> }

/**
 * USDT returns nothing and USDC a boolean: without outputs one ABI serves both. A refused transfer reverts in either.
 */
const abi = parseAbi(['function transfer(address to, uint256 amount)'])

/** The public key allows any amount; the test customer pays for coffee. */
const wholeTokensMax = 10_000n
/** Enough for forty concurrent payments, few enough for a laptop's memory. */
const waitingMax = 200
const readTimeoutMs = 5_000
const receiptTimeoutMs = 15_000

/** @param inTurn - Shared with every payer from the customer's account. */
export function createTestCustomer(config: StorefrontConfig, inTurn: InTurn): TestCustomer {
  const account = privateKeyToAccount(config.customerPrivateKey)
  const wallets = new Map<string, Wallet>(
    config.networks.map((network) => [network.shortName, openWallet(network, account, inTurn)]),
  )
  if (config.solana) wallets.set(config.solana.network.shortName, openSolanaWallet(config.solana))
  const networkOfChain = (chainId: number) =>
    config.networks.find((network) => network.chainId === chainId)?.shortName ?? `chain ${chainId}`
  let waiting = 0

  return {
    async pay({ paymentId, amount }) {
      if (waiting >= waitingMax)
        throw new PayError(503, `The test customer has ${waitingMax} pending payments. Try again.`)
      waiting += 1
      try {
        const payment = await readPayment(config.bff, paymentId, networkOfChain)
        const { currency, network, address } = payment
        const wallet = wallets.get(network)
        const token = wallet?.tokens[currency]
        if (wallet === undefined || token === undefined) {
          throw new PayError(400, `The test customer has no ${currency} on ${network}.`)
        }
        const units = amountToSend(amount ?? payment.amount, token.decimals)
        const hash = await wallet.send(token.address, address, units)
        return { hash, amount: formatAmount(units, token.decimals), currency, network }
      } finally {
        waiting -= 1
      }
    },
  }
}

/** The customer's account on one network. Amounts are base units. */
type Wallet = {
  tokens: Readonly<Record<string, { address: string; decimals: number }>>
  send(token: string, to: string, amount: bigint): Promise<string>
}

/** The transfer to make: on the payment's network, or on a cross-chain payment's origin chain. */
type Asked = { network: string; currency: string; address: string; amount: string | null }

async function readPayment(
  bff: string,
  paymentId: string,
  networkOfChain: (chainId: number) => string,
): Promise<Asked> {
  if (!/^[0-9a-f-]{36}$/i.test(paymentId)) throw new PayError(400, 'paymentId must be the id of a payment, a UUID.')
  const answer = await withTimeout(readTimeoutMs, [], async (signal) => {
    const response = await fetch(`${bff}/api/v1/payments/public/${paymentId}`, { signal })
    const body = (await response.json().catch(() => ({}))) as { payment?: Unchecked<PublicPayment> }
    return { response, body }
  }).catch(() => null)
  if (answer === null) throw new PayError(502, 'The checkout service does not respond. Try again in a second.')
  const { response, body } = answer
  if (response.status === 404) throw new PayError(404, `No payment ${paymentId}.`)
  const { network, currency, depositAddress, amountRemaining } = body.payment ?? {}
  if (!response.ok || typeof network !== 'string' || typeof currency !== 'string') {
    throw new PayError(502, `The checkout service responded ${response.status} without a payment.`)
  }
  const { relayDepositAddress, originChainId, originCurrency, amountToSendFormatted, bridgeStatus } = body.payment ?? {}
  if (typeof relayDepositAddress === 'string' && isAddress(relayDepositAddress)) {
    // The bridge accepts one transfer of exactly the amount.
    const amount = bridgeStatus === 'waiting' ? String(amountToSendFormatted) : null
    const origin = networkOfChain(Number(originChainId))
    return { network: origin, currency: String(originCurrency), address: relayDepositAddress, amount }
  }
  const isPayable = (address: string) =>
    isAddress(address) || isAddress(addressHex(address)) || isSolanaAddress(address)
  if (typeof depositAddress !== 'string' || !isPayable(depositAddress)) {
    throw new PayError(409, 'This payment has no deposit address: pay it with a wallet.')
  }
  return {
    network,
    currency,
    // The chain behind Tron's local nodes uses hex addresses.
    address: /^T/.test(depositAddress) ? addressHex(depositAddress) : depositAddress,
    amount: typeof amountRemaining === 'string' ? amountRemaining : null,
  }
}

function amountToSend(text: string | null, decimals: number): BaseUnits {
  if (text === null || /^0+(\.0+)?$/.test(text)) throw new PayError(409, 'Nothing is left to pay for this payment.')
  let units: BaseUnits
  try {
    units = parseAmount(text, decimals)
  } catch (error) {
    throw new PayError(400, error instanceof Error ? error.message : 'amount is not a decimal number')
  }
  if (units > wholeTokensMax * 10n ** BigInt(decimals)) {
    throw new PayError(400, `The test customer pays at most ${wholeTokensMax} tokens at once, not ${text}.`)
  }
  return units
}

function openWallet(network: StorefrontNetwork, account: Account, inTurn: InTurn): Wallet {
  const chain = defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: 'Test ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [network.rpcUrl] } },
  })
  const transport = http(network.rpcUrl)
  const reader = createPublicClient({ chain, transport, pollingInterval: 100 })
  const wallet = createWalletClient({ chain, transport, account })
  // Sequential, because each takes the account's next nonce from the chain.
  const turn = turnKey(network, account.address)

  return {
    tokens: network.tokens,
    /** @throws {PayError} when the chain refuses the transfer or does not respond. */
    async send(token, to, amount) {
      try {
        const call = { address: token as Hex, abi, functionName: 'transfer', args: [to as Hex, amount] } as const
        const hash = await inTurn(turn, () => wallet.writeContract(call))
        const receipt = await receiptOf(reader, hash, receiptTimeoutMs)
        if (receipt.status === 'success') return hash
      } catch (error) {
        throw new PayError(502, `${network.name} refused the transfer: ${shortReason(error)}`)
      }
      throw new PayError(502, `The token refused the transfer on ${network.name}.`)
    },
  }
}

const shortReason = (error: unknown): string =>
  error instanceof Error && 'shortMessage' in error ? String(error.shortMessage) : String(error)
