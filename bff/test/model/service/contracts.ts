import { depositFactory, depositForwarder } from '@stablecoin-checkout/bff/contracts'
import { authorizationAbi, type DepositTerms, depositAddress } from '@stablecoin-checkout/bff/testing/evm'
import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  hashTypedData,
  parseAbi,
  recoverAddress,
  serializeSignature,
} from 'viem'

import { masterOf } from './deposit-kinds.ts'

export const chainId = 31_337
/** EIP-712 domain of the model's tokens. */
export const tokenDomain = { name: 'USD Coin', version: '2' }

const tokenAbi = [...authorizationAbi, ...parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])]
const usedAbi = parseAbi(['event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)'])
const forwarderAbi = depositForwarder.abi
const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export type Call = { to: Hex; data: Hex }
export type Log = { address: Hex; topics: Hex[]; data: Hex }
export type Execution = { state: State; from: Hex; timeMs: number; logs: Log[]; rules: Rules }

/** What a token's issuer and the configuration decide, outside the blocks. */
export type Rules = {
  factory: Hex
  tokens: ReadonlySet<string>
  blocked: Set<string>
  /** Whether the issuer has stopped all transfers. */
  isPaused?: boolean
  /** Whether the blocks' filters prove which logs there are. */
  hasBlooms: boolean
  /** Other contracts, by their address in lower case. */
  others?: ReadonlyMap<string, (run: Execution, data: Hex) => Promise<void>>
}

/** Reverts a transaction. `data`: as a contract returns it. */
export class Revert extends Error {
  readonly data: Hex
  constructor(abi: Abi, errorName: string, args: readonly unknown[]) {
    super(`execution reverted: ${errorName === 'Error' ? args[0] : errorName}`)
    this.data = encodeErrorResult({ abi, errorName, args } as never)
  }
}

const refuse = (reason: string) => new Revert(parseAbi(['error Error(string)']), 'Error', [reason])

/** Balances, nonces and the forwarders, after a block. */
export type State = ReturnType<typeof newState>

export const newState = () => ({
  /** Wei by account. */
  coins: new Map<string, bigint>(),
  /** Base units by token and account. */
  tokens: new Map<string, bigint>(),
  nonces: new Map<string, number>(),
  /** Authorizations by token, payer and nonce. */
  used: new Set<string>(),
  /** Deployed forwarders; open ones can still be settled. */
  deployed: new Set<string>(),
  open: new Set<string>(),
  /** Shares that their recipient could not receive, by forwarder, or by splitter, token and recipient. */
  parked: new Map<string, bigint>(),
})

export const copyState = (state: State): State => ({
  coins: new Map(state.coins),
  tokens: new Map(state.tokens),
  nonces: new Map(state.nonces),
  used: new Set(state.used),
  deployed: new Set(state.deployed),
  open: new Set(state.open),
  parked: new Map(state.parked),
})

const keyOf = (token: string, account: string) => `${token} ${account}`.toLowerCase()
export const balanceOf = (state: State, token: string, account: string): bigint =>
  state.tokens.get(keyOf(token, account)) ?? 0n

export function move(run: Execution, token: Hex, from: Hex, to: Hex, amount: bigint): void {
  const { state, rules, logs } = run
  if (rules.isPaused) throw refuse('Pausable: paused')
  if ([from, to].some((one) => rules.blocked.has(one.toLowerCase())))
    throw refuse('Blacklistable: account is blacklisted')
  const balance = balanceOf(state, token, from)
  const master = masterOf(to)
  if (balance < amount) throw refuse('ERC20: transfer amount exceeds balance')
  state.tokens.set(keyOf(token, from), balance - amount)
  const credited = master ?? to
  state.tokens.set(keyOf(token, credited), balanceOf(state, token, credited) + amount)
  const log = (args: { from: Hex; to: Hex }) => {
    const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args }) as Hex[]
    logs.push({ address: token, topics, data: encodeAbiParameters([{ type: 'uint256' }], [amount]) })
  }
  log({ from, to })
  if (master) log({ from: to, to: master })
}

/** `SafeERC20.trySafeTransfer`. @returns whether the token moved. */
export function tryMove(run: Execution, token: Hex, from: Hex, to: Hex, amount: bigint): boolean {
  try {
    move(run, token, from, to, amount)
    return true
  } catch (error) {
    if (error instanceof Revert) return false
    throw error
  }
}

function logOf(address: Hex, eventName: string, args: object, values: readonly bigint[]): Log {
  const topics = encodeEventTopics({ abi: forwarderAbi, eventName, args } as never) as Hex[]
  return {
    address,
    topics,
    data: encodeAbiParameters(
      values.map(() => ({ type: 'uint256' })),
      values,
    ),
  }
}

type Tuple = Omit<DepositTerms, 'chainId' | 'deadlineSeconds'> & { chainId: bigint; deadline: number }
const termsOf = ({ deadline, chainId: chain, ...terms }: Tuple): DepositTerms => ({
  ...terms,
  chainId: Number(chain),
  deadlineSeconds: deadline,
})

/** `DepositFactory._settle`. */
function settle(run: Execution, tuple: Tuple): void {
  const { state, rules } = run
  const terms = termsOf(tuple)
  const forwarder = depositAddress(terms, rules.factory).toLowerCase() as Hex
  if (state.deployed.has(forwarder) && !state.open.has(forwarder)) {
    throw new Revert(forwarderAbi as Abi, 'AlreadySettled', [forwarder])
  }
  const balance = balanceOf(state, terms.token, forwarder)
  if (balance < terms.least) throw new Revert(depositFactory.abi as Abi, 'NotCovered', [balance, terms.least])
  const isShort = balance < terms.amount
  const paid = isShort ? balance : terms.amount
  const fee = (paid * BigInt(terms.feeBps)) / 10_000n
  state.deployed.add(forwarder)
  state.open.delete(forwarder)
  run.logs.push(logOf(forwarder, 'Settled', {}, [paid - fee, fee]))
  if (fee > 0n && !tryMove(run, terms.token, forwarder, terms.platform, fee)) {
    state.parked.set(forwarder, fee)
    run.logs.push(logOf(forwarder, 'PlatformShareParked', { token: terms.token }, [fee]))
  }
  move(run, terms.token, forwarder, terms.merchant, paid - fee)
}

/** `DepositForwarder.payParked`. */
function payParked(run: Execution, tuple: Tuple): void {
  const terms = termsOf(tuple)
  const { token, platform } = terms
  const forwarder = depositAddress(terms, run.rules.factory).toLowerCase() as Hex
  const amount = run.state.parked.get(forwarder) ?? 0n
  if (amount === 0n) throw new Revert(forwarderAbi as Abi, 'NothingParked', [forwarder])
  run.state.parked.delete(forwarder)
  run.logs.push(logOf(forwarder, 'PlatformSharePaid', { token }, [amount]))
  move(run, token, forwarder, platform, amount)
}

/** `DepositForwarder.refund`. */
function refund(run: Execution, [tuple, token, to, amount]: readonly [Tuple, Hex, Hex, bigint]): void {
  const { state, rules, from } = run
  const terms = termsOf(tuple)
  if (from.toLowerCase() !== terms.operator.toLowerCase()) {
    throw new Revert(depositFactory.abi as Abi, 'NotOperator', [from, terms.operator])
  }
  const forwarder = depositAddress(terms, rules.factory).toLowerCase() as Hex
  if (!state.deployed.has(forwarder)) {
    state.deployed.add(forwarder)
    state.open.add(forwarder)
  }
  const balance = balanceOf(state, token, forwarder)
  const isShort = balance < terms.least && run.timeMs > terms.deadlineSeconds * 1_000
  const ofOpen = balance > terms.amount ? balance - terms.amount : isShort ? balance : 0n
  const isOther = token.toLowerCase() !== terms.token.toLowerCase()
  const ofSettled = balance - (state.parked.get(forwarder) ?? 0n)
  const refundable = isOther ? balance : state.open.has(forwarder) ? ofOpen : ofSettled
  if (amount === 0n || amount > refundable) {
    throw new Revert(forwarderAbi as Abi, 'NotRefundable', [token, amount, refundable])
  }
  run.logs.push(logOf(forwarder, 'Refunded', { token, to }, [amount]))
  move(run, token, forwarder, to, amount)
}

type Given = readonly [Hex, Hex, bigint, bigint, bigint, Hex, ...unknown[]]

/** Circle's FiatTokenV2, whose error messages the service reads. */
async function transferWithAuthorization(run: Execution, token: Hex, given: Given): Promise<void> {
  const [from, to, value, validAfter, validBefore, nonce, ...signed] = given
  const seconds = BigInt(Math.floor(run.timeMs / 1_000))
  if (seconds <= validAfter) throw refuse('FiatTokenV2: authorization is not yet valid')
  if (seconds >= validBefore) throw refuse('FiatTokenV2: authorization is expired')
  const key = `${keyOf(token, from)} ${nonce}`
  if (run.state.used.has(key)) throw refuse('FiatTokenV2: authorization is used or canceled')
  const hash = hashTypedData({
    domain: { ...tokenDomain, chainId, verifyingContract: token },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value, validAfter, validBefore, nonce },
  })
  const [v, r, s] = signed
  const signature =
    signed.length === 3 ? serializeSignature({ v: BigInt(Number(v)), r: r as Hex, s: s as Hex }) : (v as Hex)
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
  if (signer?.toLowerCase() !== from.toLowerCase()) throw refuse('FiatTokenV2: invalid signature')
  run.state.used.add(key)
  const args = { authorizer: from, nonce }
  const topics = encodeEventTopics({ abi: usedAbi, eventName: 'AuthorizationUsed', args }) as Hex[]
  run.logs.push({ address: token, topics, data: '0x' })
  move(run, token, from, to, value)
}

/** Runs one call on a copy of the state. @returns the resulting state and logs. @throws {Revert} */
export async function execute(
  before: State,
  call: Call,
  { from, timeMs, rules }: Pick<Execution, 'from' | 'timeMs' | 'rules'>,
): Promise<{ state: State; logs: Log[] }> {
  const run: Execution = { state: copyState(before), from, timeMs, logs: [], rules }
  if (call.to.toLowerCase() === rules.factory.toLowerCase()) await runFactory(run, call.data)
  else if (rules.tokens.has(call.to.toLowerCase())) await runToken(run, call)
  else await rules.others?.get(call.to.toLowerCase())?.(run, call.data)
  return { state: run.state, logs: run.logs }
}

async function runFactory(run: Execution, data: Hex): Promise<void> {
  const { functionName, args } = decodeFunctionData({ abi: depositFactory.abi, data })
  if (functionName === 'settle') return settle(run, args[0])
  if (functionName === 'refund') return refund(run, args)
  if (functionName === 'payParked') return payParked(run, args[0])
  if (functionName !== 'settleMany') throw new Error(`The model has no ${functionName}`)
  for (const tuple of args[0]) {
    const item: Execution = { ...run, state: copyState(run.state), logs: [] }
    try {
      settle(item, tuple)
      Object.assign(run.state, item.state)
      run.logs.push(...item.logs)
    } catch (error) {
      if (!(error instanceof Revert)) throw error
      const forwarder = depositAddress(termsOf(tuple), run.rules.factory)
      const topics = encodeEventTopics({ abi: depositFactory.abi, eventName: 'SettleSkipped', args: { forwarder } })
      const reason = encodeAbiParameters([{ type: 'bytes' }], [error.data])
      run.logs.push({ address: run.rules.factory, topics: topics as Hex[], data: reason })
    }
  }
}

async function runToken(run: Execution, { to: token, data }: Call): Promise<void> {
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
  if (functionName === 'transfer') return move(run, token, run.from, args[0], args[1])
  if (functionName === 'transferWithAuthorization') return await transferWithAuthorization(run, token, args as Given)
  throw new Error(`The model has no ${functionName}`)
}

/** The result of a token's view function. */
export function readToken(state: State, token: Hex, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
  if (functionName === 'balanceOf') {
    return encodeFunctionResult({ abi: tokenAbi, functionName, result: balanceOf(state, token, args[0]) })
  }
  if (functionName === 'authorizationState') {
    const result = state.used.has(`${keyOf(token, args[0])} ${args[1]}`)
    return encodeFunctionResult({ abi: tokenAbi, functionName, result })
  }
  throw new Error(`The model has no ${functionName}`)
}
