import { decodeFunctionData, formatUnits, type Hex, parseAbi } from 'viem'
import type { StorefrontNetwork } from '../config.ts'
import type { Call } from './send.ts'

/** The wallet's confirmation text: one line for a person, then named facts. */
export type Description = { title: string; facts: [name: string, value: string][] }

/** The shop's payment calls; anything else is shown raw. */
const abi = parseAbi([
  'struct Details { address token; uint256 amount; string paymentId; address recipient1; address recipient2; address recipient3; uint256 recipient1Percentage; uint256 recipient2Percentage; uint256 recipient3Percentage }',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function splitPayment(Details details)',
  'function splitPaymentBefore(Details details, uint256 deadline)',
  'function splitPaymentWithPermit(Details details, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function splitPaymentWithAuthorization(Details details, address payer, uint256 validAfter, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

export function describeCalls(network: StorefrontNetwork, calls: readonly Call[]): Description {
  const all = calls.map((call) => describeCall(network, call))
  const [first, ...more] = all
  if (first === undefined) return { title: 'Do nothing', facts: [] }
  if (more.length === 0) return first
  return {
    title: `Execute ${all.length} calls at once, or none of them`,
    facts: all.flatMap(({ title, facts }, index) => [[`${index + 1}.`, title] as [string, string], ...facts]),
  }
}

function describeCall(network: StorefrontNetwork, { to, data = '0x', value = 0n }: Call): Description {
  const facts: Description['facts'] = value === 0n ? [] : [['And send', `${formatUnits(value, 18)} ETH`]]
  const decoded = decode(data)
  if (decoded === null) {
    const title = data === '0x' ? 'Send ETH' : 'Call a contract'
    return { title, facts: [['To', to], ...facts, ['Data', data]] }
  }
  const { functionName, args } = decoded
  if (functionName === 'approve') {
    const [spender, amount] = args
    const title = amount === 0n ? 'Revoke an allowance' : `Approve ${money(network, to, amount)}`
    return { title, facts: [['By', spender], ['Token', to], ...facts] }
  }
  if (functionName === 'transfer') {
    const [recipient, amount] = args
    return { title: `Send ${money(network, to, amount)}`, facts: [['To', recipient], ['Token', to], ...facts] }
  }
  const [{ token, amount, paymentId, recipient1, recipient2 }] = args
  return {
    title: `Pay ${money(network, token, amount)}`,
    facts: [['To', recipient1], ['Fee to', recipient2], ['Payment', paymentId], ['Contract', to], ...facts],
  }
}

export function describeTypedData(network: StorefrontNetwork, typedData: Record<string, unknown>): Description {
  const { primaryType, message, domain } = typedData
  const { verifyingContract } = (domain ?? {}) as { verifyingContract?: unknown }
  const fields = (message ?? {}) as Record<string, unknown>
  // Permit2 names the token beside the amount; otherwise the contract itself is the token.
  const { token = verifyingContract, amount = fields['value'] } = (fields['permitted'] ?? {}) as Record<string, unknown>
  const isMoney = typeof token === 'string' && /^\d+$/.test(String(amount))
  const what = isMoney ? ` for ${money(network, token, BigInt(String(amount)))}` : ''
  return {
    title: `Sign a ${String(primaryType)}${what}`,
    facts: [...Object.entries(fields), ['Contract', verifyingContract]].map(([name, fact]) => [
      String(name),
      typeof fact === 'object' ? JSON.stringify(fact) : String(fact),
    ]),
  }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return null
  }
}

function money({ tokens }: StorefrontNetwork, address: string, amount: bigint): string {
  const known = Object.entries(tokens).find(([, token]) => token.address.toLowerCase() === address.toLowerCase())
  if (known === undefined) return `${amount} units of an unknown token`
  const [symbol, { decimals }] = known
  return `${formatUnits(amount, decimals)} ${symbol}`
}
