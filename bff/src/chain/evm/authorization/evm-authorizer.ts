import { createPublicClient, decodeErrorResult, type Hex } from 'viem'
import type { AuthorizationCode } from '../../../core/error-codes.ts'
import type { EvmNetwork } from '../../../core/families.ts'
import { parseAmount } from '../../../core/money.ts'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  type IdentifiedAuthorization,
} from '../../../payment/authorization.ts'
import { microDecimals } from '../../../payout/payout-plan.ts'
import { type Authorizer, limitsOf } from '../../authorization.ts'
import { createMinuteShares, tooManySignatures } from '../../minute-bound.ts'
import { rpcErrorOf } from '../../rpc-pool.ts'
import { type EvmPool, poolTransport } from '../rpc/evm-pool.ts'
import { isRevert } from '../rpc/revert.ts'
import { createEvmSender, type EvmSender, type Head } from '../send/evm-sender.ts'
import { costMax, type Fees } from '../send/evm-transaction.ts'
import { readL1Fee } from '../send/l1-fee.ts'
import { authorizationAbi, checkAuthorization, identifyAuthorization } from './check-authorization.ts'
import { findExternalSettlement, isAcceptedByContract, isNonceUsed, type KnownPayment } from './external-settlement.ts'
import { permit2Abi, permit2Address } from './permit2.ts'

/** Gas: a transfer by signature takes about 80,000, a split 160,000, a smart account's signature check about 100,000 more. */
const gasMax = 600_000n

/** Smart-wallet signatures checked per minute: each costs a node call, and anyone can invent such a signature. */
const contractChecksPerMinute = { perClient: 20, perMerchant: 40, all: 60 }

/** Accounts read per minute: each costs two or three light calls, and anyone can sign with empty accounts. */
const readsPerMinute = { perClient: 400, perMerchant: 800, all: 1_200 }

/** Simulations per minute, for accounts that hold the money: each costs six calls. */
const simulationsPerMinute = { perClient: 60, perMerchant: 200, all: 300 }

type Priced = Pick<EvmNetwork, 'nativeCurrency' | 'signatureGas'>

/** Converts wei to millionths of a dollar, rounded up. */
export function costMicros(wei: bigint, { nativeCurrency, signatureGas }: Priced): number {
  if (signatureGas === null) throw new Error('Gas costs cannot be checked: the network has no coinPrice')
  const coinWei = 10n ** BigInt(nativeCurrency.decimals)
  return Number((wei * parseAmount(signatureGas.coinPrice, microDecimals) + coinWei - 1n) / coinWei)
}

type Call = Pick<CheckedAuthorization, 'target' | 'data'>

/**
 * The current cost of an authorization's call; `gas` includes a margin of one fifth. `l1FeeWei`: the chain's fee in addition to
 * gas.
 */
export type Measured = { gas: bigint; l1FeeWei: bigint } | { code: AuthorizationCode; reason: string }

/** The maximum cost of a transaction, in wei. The additional fee may double until then. */
export const wholeCostMax = ({ gas, l1FeeWei, ...fees }: { gas: bigint; l1FeeWei: bigint } & Fees): bigint =>
  costMax({ gas, ...fees }) + 2n * l1FeeWei

type Measuring = { pool: Pick<EvmPool, 'ask'>; operator: Hex; network: Pick<EvmNetwork, 'chainId' | 'l1FeeOracle'> }

/** Costs of customers' authorization calls. Both reject with the node's error when no node responds. */
export type CallCosts = {
  measure(call: Call): Promise<Measured>
  /** The chain's current fee in addition to gas, in wei. */
  l1FeeWei(call: Call): Promise<bigint>
}

export const createCallCosts = (measuring: Measuring): CallCosts => ({
  measure: (call) => measureCall(measuring, call),
  l1FeeWei: (call) => readL1Fee(clientOf(measuring), measuring.network, call),
})

const clientOf = ({ pool }: Pick<Measuring, 'pool'>) =>
  createPublicClient({ transport: poolTransport(pool), cacheTime: 0 })

/**
 * Simulates the operator's exact transaction on a node.
 * @throws the node's error when no node responds.
 */
async function measureCall(measuring: Measuring, { target, data }: Call): Promise<Measured> {
  const { operator, network } = measuring
  const client = clientOf(measuring)
  try {
    const call = { from: operator, to: target as Hex, data: data as Hex, gas: `0x${gasMax.toString(16)}` as Hex }
    const [estimate, l1FeeWei] = await Promise.all([
      client.request({ method: 'eth_estimateGas', params: [call] }),
      readL1Fee(client, network, { target, data }),
    ])
    const measured = BigInt(estimate)
    const gas = (measured * 6n) / 5n
    return gas <= gasMax ? { gas, l1FeeWei } : { code: 'GAS_TOO_EXPENSIVE', reason: `the call takes ${measured} gas` }
  } catch (error) {
    const revert = rpcErrorOf(error)
    if (!revert || !isRevert(revert)) throw error
    const reason = permit2Error(revert.data) ?? revert.details.slice(0, 300)
    return { code: codeOf(reason), reason }
  }
}

/** The name of a Permit2 error, which has no message. */
function permit2Error(data: unknown): string | undefined {
  try {
    const { errorName }: { errorName: string } = decodeErrorResult({ abi: permit2Abi, data: data as Hex })
    // Contracts may also return standard errors; the node has put these into words.
    return errorName === 'Error' || errorName === 'Panic' ? undefined : errorName
  } catch {
    return undefined
  }
}

/** Circle's messages and the names of Permit2's errors. Others become a generic refusal. */
function codeOf(reason: string): AuthorizationCode {
  if (/invalid ?(contract)?sign(ature|er)/i.test(reason)) return 'INVALID_SIGNATURE'
  if (/used or canceled|^InvalidNonce$/i.test(reason)) return 'AUTHORIZATION_USED'
  if (/authorization is expired|^SignatureExpired$/i.test(reason)) return 'EXPIRES_TOO_SOON'
  if (/not yet valid/i.test(reason)) return 'NOT_YET_VALID'
  if (/exceeds balance|insufficient.?balance/i.test(reason)) return 'INSUFFICIENT_FUNDS'
  return 'TRANSFER_REFUSED'
}

const sentences: Partial<Record<AuthorizationCode, string>> = {
  INVALID_SIGNATURE: 'The signature is not that of the paying account over these terms.',
  AUTHORIZATION_USED: 'The authorization was already used or cancelled.',
  INSUFFICIENT_FUNDS: 'The paying account’s token balance is too low.',
  PERMIT2_NOT_APPROVED: 'The paying account’s Permit2 allowance is too low.',
  GAS_TOO_EXPENSIVE: 'The transaction needs too much gas.',
}

const refusedCall = (code: AuthorizationCode, reason: string): AuthorizationRefused =>
  new AuthorizationRefused(code, sentences[code] ?? `The chain rejects the payment: ${reason}`)

type Deps = {
  network: EvmNetwork
  pool: Pick<EvmPool, 'ask' | 'askNode' | 'isAttested'>
  /** Pays the gas. */
  operator: Hex
  nowMs: () => number
  wake: () => void
}

/** The parts of paying by signature that do not need the network's lease. */
export function createEvmAuthorizer({ network, pool, operator, nowMs, wake }: Deps): Authorizer {
  const sender: EvmSender = createEvmSender(network, pool)
  const client = createPublicClient({ transport: poolTransport(pool), cacheTime: 0 })
  const contractChecks = createMinuteShares(contractChecksPerMinute, nowMs)
  const reads = createMinuteShares(readsPerMinute, nowMs)
  const simulations = createMinuteShares(simulationsPerMinute, nowMs)

  async function readPayer(checked: CheckedAuthorization) {
    const { kind, token, payer } = checked
    const contract = { address: token as Hex, abi: authorizationAbi }
    const owner = payer as Hex
    const isUsed = isNonceUsed(client, checked)
    const allowance =
      kind === 'permit2'
        ? client.readContract({ ...contract, functionName: 'allowance', args: [owner, permit2Address] })
        : null
    const balance = client.readContract({ ...contract, functionName: 'balanceOf', args: [owner] })
    const [used, allowed, held] = await Promise.all([isUsed, allowance, balance])
    return { isUsed: used, allowance: allowed, balance: held }
  }

  /** Verifies that the payer is a contract: only a contract can accept a signature that its key did not make. */
  async function verifyContractPayer(
    { payer, merchantId }: IdentifiedAuthorization,
    asker: string | null,
  ): Promise<void> {
    if (!contractChecks.take({ client: asker, merchantId })) throw tooManySignatures()
    const code = await client.getCode({ address: payer as Hex })
    if (code === undefined || code === '0x') throw refusedCall('INVALID_SIGNATURE', '')
  }

  /** Runs cheap checks first: accounts without the money are not simulated. */
  async function simulate(checked: CheckedAuthorization, asker: string | null) {
    const { merchantId } = checked
    if (!checked.isKeySignature) await verifyContractPayer(checked, asker)
    if (!reads.take({ client: asker, merchantId })) throw tooManySignatures()
    const { isUsed, allowance, balance } = await readPayer(checked)
    if (isUsed) throw refusedCall('AUTHORIZATION_USED', '')
    if (balance < checked.value) throw refusedCall('INSUFFICIENT_FUNDS', '')
    if (allowance !== null && allowance < checked.value) throw refusedCall('PERMIT2_NOT_APPROVED', '')
    if (!simulations.take({ client: asker, merchantId })) throw tooManySignatures()
    const [measured, { fees, head }, balanceWei] = await Promise.all([
      measureCall({ pool, operator, network }, checked),
      readFees(sender),
      sender.balance(operator),
    ])
    if ('code' in measured) throw refusedCall(measured.code, measured.reason)
    const wei = wholeCostMax({ ...measured, ...fees })
    const { gas, l1FeeWei } = measured
    if (balanceWei < wei) {
      throw new AuthorizationRefused('RELAY_UNAVAILABLE', 'The shop cannot pay the network fee right now.')
    }
    return {
      costMicros: costMicros(gas * (head.baseFeePerGas + fees.maxPriorityFeePerGas) + l1FeeWei, network),
      costMaxMicros: costMicros(wei, network),
      balance,
    }
  }

  async function findSettlement(own: IdentifiedAuthorization, known: KnownPayment, asker: string | null) {
    if (!own.isKeySignature) await verifyContractPayer(own, asker)
    if (!reads.take({ client: asker, merchantId: own.merchantId })) throw tooManySignatures()
    if (!own.isKeySignature && !(await isAcceptedByContract(client, own))) throw refusedCall('INVALID_SIGNATURE', '')
    return await findExternalSettlement({ client, confirmations: network.confirmations }, own, known)
  }

  async function answering<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof AuthorizationRefused) throw error
      throw new AuthorizationRefused('RELAY_UNAVAILABLE', `No node of ${network.name} responds; try again.`)
    }
  }

  return {
    wake,
    limits: limitsOf(network),
    check: (payment, signed, atMs) => checkAuthorization(network, payment, signed, atMs),
    identify: (payment, signed) => identifyAuthorization(network, payment, signed),
    simulate: (checked, asker = null) => answering(() => simulate(checked, asker)),
    findSettlement: (own, known, asker) => answering(() => findSettlement(own, known, asker)),
    async receipt(txId) {
      const factory = network.factory as Hex
      const receipt = await sender.receipt(txId as Hex, factory)
      if (receipt === undefined) return undefined
      if (!receipt.isReverted) return 'done'
      return (await sender.isAttested(receipt, factory, 1)) ? 'reverted' : undefined
    },
  }
}

async function readFees(sender: EvmSender): Promise<{ head: Head; fees: Fees }> {
  const head = await sender.head()
  return { head, fees: await sender.fees(head) }
}
