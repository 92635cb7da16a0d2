import { sleep, timing } from '../../timing.ts'
import type { Prompt, Stop, WalletScreen } from '../wallet-state.ts'
import type { Chain } from './evm-order.ts'
import type { EvmWallet } from './evm-wallet.ts'
import { codeOf, isRefusal, messageOf, requestPending } from './wallet-errors.ts'

/** Shows a prompt until the wallet has answered it. */
export type PromptWhile = <Answer>(prompt: Prompt, request: () => Promise<Answer>) => Promise<Answer>

/** @param show - Shows a screen. */
export function promptsOn(show: (screen: WalletScreen) => void) {
  return (planned: Prompt, number: number, total: number): PromptWhile =>
    (prompt, request) => {
      const shown = { at: 'asking', prompt, number, total: prompt === planned ? total : 1 } as const
      show({ ...shown, isSlow: false })
      const timer = setTimeout(() => show({ ...shown, isSlow: true }), timing.slowMs)
      return request().finally(() => clearTimeout(timer))
    }
}

/** @returns the paying account, or the reason why there is none. */
export async function connect(client: EvmWallet, promptWhile: PromptWhile): Promise<string | Stop> {
  try {
    // A wallet that is already connected to this page is not asked again.
    const known = await client.account().catch(() => '')
    return known || (await promptWhile('connect', () => client.connect())) || { why: 'locked' }
  } catch (error) {
    return stopFor(error)
  }
}

/** Switches the wallet to the payment's chain; adds the chain if the wallet does not know it. */
export async function reachChain(client: EvmWallet, chain: Chain, promptWhile: PromptWhile): Promise<Stop | null> {
  try {
    if ((await client.chainId()) === chain.id) return null
    const stop = await switchOrAdd(client, chain, promptWhile)
    return stop ?? ((await hasSwitched(client, chain.id)) ? null : { why: 'network' })
  } catch (error) {
    const stop = stopFor(error)
    return stop.why === 'failed' ? { why: 'network' } : stop
  }
}

async function switchOrAdd(client: EvmWallet, chain: Chain, promptWhile: PromptWhile): Promise<Stop | null> {
  try {
    await promptWhile('switch', () => client.switchTo(chain))
    return null
  } catch (error) {
    if (codeOf(error) !== unknownChain) throw error
  }
  if (chain.rpcUrls.length === 0) return { why: 'unknownNetwork' }
  await promptWhile('add', () => client.add(chain))
  // Most wallets switch after adding; the others are asked once more.
  if ((await client.chainId()) !== chain.id) await promptWhile('switch', () => client.switchTo(chain))
  return null
}

const unknownChain = 4902

/** Wallets answer before they have switched; only the actual chain counts. */
async function hasSwitched(client: EvmWallet, chainId: number): Promise<boolean> {
  const endsAtMs = performance.now() + timing.switchMs
  while ((await client.chainId()) !== chainId) {
    if (performance.now() > endsAtMs) return false
    await sleep(timing.switchMs / 10)
  }
  return true
}

/** A wallet error's meaning for the customer. */
export function stopFor(error: unknown): Stop {
  if (isRefusal(error)) return { why: 'rejected' }
  switch (codeOf(error)) {
    case requestPending:
      return { why: 'busy' }
    case 4100:
    case 4900:
    case 4901:
      return { why: 'locked' }
    default:
      return { why: 'failed', message: messageOf(error) }
  }
}
