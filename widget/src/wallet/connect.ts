import type { Chain } from './order.ts'
import { pace, sleep } from './pace.ts'
import { codeOf, isRefusal, messageOf, requestPending } from './provider.ts'
import type { Prompt, Screen, Stop } from './screen.ts'
import type { WalletClient } from './wallet-client.ts'

/** Shows a prompt for as long as the wallet has not answered it. */
export type Asking = <Answer>(prompt: Prompt, request: () => Promise<Answer>) => Promise<Answer>

/** @param show - Puts a screen before the customer. */
export function askingOn(show: (screen: Screen) => void) {
  return (planned: Prompt, number: number, total: number): Asking =>
    (prompt, request) => {
      const shown = { at: 'asking', prompt, number, total: prompt === planned ? total : 1 } as const
      show({ ...shown, isSlow: false })
      const timer = setTimeout(() => show({ ...shown, isSlow: true }), pace.slowMs)
      return request().finally(() => clearTimeout(timer))
    }
}

/** @returns the account that pays, or why there is none. */
export async function connect(client: WalletClient, asking: Asking): Promise<string | Stop> {
  try {
    // A wallet that knows this page already is not asked again.
    const known = await client.account().catch(() => '')
    return known || (await asking('connect', () => client.connect())) || { why: 'locked' }
  } catch (error) {
    return stopFor(error)
  }
}

/** Brings the wallet to the payment's chain; adds the chain where the wallet does not know it. */
export async function reachChain(client: WalletClient, chain: Chain, asking: Asking): Promise<Stop | null> {
  try {
    if ((await client.chainId()) === chain.id) return null
    const stop = await switchOrAdd(client, chain, asking)
    return stop ?? ((await hasSwitched(client, chain.id)) ? null : { why: 'network' })
  } catch (error) {
    const stop = stopFor(error)
    return stop.why === 'failed' ? { why: 'network' } : stop
  }
}

async function switchOrAdd(client: WalletClient, chain: Chain, asking: Asking): Promise<Stop | null> {
  try {
    await asking('switch', () => client.switchTo(chain))
    return null
  } catch (error) {
    if (codeOf(error) !== unknownChain) throw error
  }
  if (chain.rpcUrls.length === 0) return { why: 'unknownNetwork' }
  await asking('add', () => client.add(chain))
  // Adding asks to switch as well in most wallets; the others are asked once more.
  if ((await client.chainId()) !== chain.id) await asking('switch', () => client.switchTo(chain))
  return null
}

const unknownChain = 4902

/** Wallets answer before they have switched; what counts is the chain they are on. */
async function hasSwitched(client: WalletClient, chainId: number): Promise<boolean> {
  const endsAtMs = performance.now() + pace.switchMs
  while ((await client.chainId()) !== chainId) {
    if (performance.now() > endsAtMs) return false
    await sleep(pace.switchMs / 10)
  }
  return true
}

/** What an error of a wallet means for the customer. */
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
      return { why: 'failed', words: messageOf(error) }
  }
}
