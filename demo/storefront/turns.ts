import type { StorefrontNetwork } from './config.ts'

/** Runs work of one key sequentially, in the order of the calls; work of other keys runs in parallel. */
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

/** The key for all work that uses the account's next nonce on the network. */
export const turnKey = ({ shortName }: StorefrontNetwork, address: string) => `${shortName} ${address.toLowerCase()}`
