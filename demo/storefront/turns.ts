import type { StorefrontNetwork } from './config.ts'

/** Does work of one key one after the other, in the order it was asked for; work of other keys goes on beside it. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

export function openTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    last.set(
      key,
      turn.catch(() => {}),
    )
    return turn
  }
}

/** The key for everything that takes the account's next nonce on the network. */
export const turnKey = ({ shortName }: StorefrontNetwork, address: string) => `${shortName} ${address.toLowerCase()}`
