import { testSmartAccount } from '@stablecoin-checkout/rig/devnet/smart-account.generated'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import type { StorefrontNetwork } from '../config.ts'
import { type InTurn, turnKey } from '../turns.ts'
import { askNode } from './node.ts'
import type { WalletAccount } from './wallet-account.ts'

/** The page's request. `gas` overrides the estimate. */
export type Call = { to: Hex; data?: Hex; value?: bigint; gas?: bigint }

/**
 * Handling of an approved transaction. `slow`: sent later, also if the page is gone by then. `drop`: its hash is
 * returned, and it is never sent. `replace`: its hash is returned, and the same content is sent with more gas, as when
 * a wallet speeds it up.
 */
export type SendBehaviour = 'honest' | 'slow' | 'drop' | 'replace'

export type SendCall = (
  network: StorefrontNetwork,
  account: WalletAccount,
  call: Call,
  behaviour?: SendBehaviour,
) => Promise<Hex>

/** Margin on the estimate, whose state may be a block old. */
const gasPercent = 120n
const tipWei = 1_000_000_000n

/**
 * @param beSlow - Resolves when slow transactions are sent.
 * @returns a function that signs with the account's key and broadcasts; for a smart account through its contract.
 */
export function openSender(inTurn: InTurn, beSlow: () => Promise<unknown>): SendCall {
  return async (network, account, call, behaviour = 'honest') => {
    if (behaviour === 'slow') await beSlow()
    const inner = account.isSmart ? batchOf(account, [call]) : call
    // One nonce at a time; the shop's other button pays from the same account.
    return await inTurn(turnKey(network, account.signer.address), () => sendNow(network, account, inner, behaviour))
  }
}

/** The owner's call that makes the smart account execute the whole batch, or nothing. */
export function batchOf({ address }: WalletAccount, calls: readonly Call[]): Call {
  const args = [calls.map(({ to, data = '0x', value = 0n }) => ({ to, value, data }))] as const
  return { to: address, data: encodeFunctionData({ abi: testSmartAccount.abi, functionName: 'execute', args }) }
}

async function sendNow(
  network: StorefrontNetwork,
  { signer }: WalletAccount,
  { to, data = '0x', value = 0n, gas }: Call,
  behaviour: SendBehaviour,
): Promise<Hex> {
  const read = async (method: string, ...params: unknown[]) => BigInt(String(await askNode(network, method, params)))
  const request = { from: signer.address, to, data, value: `0x${value.toString(16)}` }
  const estimate = gas ?? ((await read('eth_estimateGas', request)) * gasPercent) / 100n
  const nonce = Number(await read('eth_getTransactionCount', signer.address, 'pending'))
  const sign = async (feeWei: bigint) =>
    await signer.signTransaction({
      type: 'eip1559',
      chainId: network.chainId,
      nonce,
      to,
      data,
      value,
      gas: estimate,
      maxFeePerGas: feeWei,
      maxPriorityFeePerGas: tipWei,
    })
  const feeWei = 2n * (await read('eth_gasPrice')) + tipWei
  const signed = await sign(feeWei)
  const hash = keccak256(signed)
  if (behaviour === 'drop') return hash
  await askNode(network, 'eth_sendRawTransaction', [behaviour === 'replace' ? await sign(2n * feeWei) : signed])
  return hash
}
