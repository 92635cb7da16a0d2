import type { Landed } from './landed.ts'
import { blockhashBlocks, type Ledger } from './ledger.ts'
import { invalidParams } from './rpc-error.ts'
import { configAt, type Methods, wholeAt } from './rpc-params.ts'

/** Faults requested by a test. */
export type Controls = ReturnType<typeof createControls>

export function createControls() {
  let toLose = 0
  return {
    /** How far the chain's clock is ahead. */
    travelledMs: 0,
    /** Number of newest blocks that the node does not have yet. */
    lag: 0,
    /** Whether transactions wait for `devnet_advance`. */
    isHolding: false,
    lose: (transactions: number) => {
      toLose = transactions
    },
    losesNext(): boolean {
      if (toLose === 0) return false
      toLose -= 1
      return true
    },
  }
}

const advanceMax = 10_000

/** Methods beyond a real node's API, with which tests control the chain. */
export function controlMethods(ledger: Ledger, control: Controls): Methods {
  const advance = (blocks: number): number => {
    for (let made = 0; made < blocks; made += 1) ledger.produce()
    return ledger.at('processed').slot
  }

  return {
    /**
     * Makes blocks now.
     * @returns the newest slot.
     */
    devnet_advance: (params) => advance(bounded(wholeAt(params, 0, 'a number of blocks'))),
    /**
     * Makes the blocks that the newest transaction still needs to have that many on top of its own; none if it has them.
     * @returns how many were made.
     */
    devnet_confirm(params) {
      const blocks = ledger.blocks()
      const onTop = blocks.length - 1 - blocks.findLastIndex(({ transactions }) => transactions.length > 0)
      const lacking = Math.max(0, bounded(wholeAt(params, 0, 'a number of blocks')) - onTop)
      advance(lacking)
      return lacking
    },
    /**
     * Replaces the newest blocks with a fork. `keep`: signatures that land again; bit n mod 16 of `kept` selects the transaction
     * at index n.
     * @returns the transactions that do not land again.
     */
    devnet_fork(params) {
      const { keep = [], kept = 0 } = configAt(params, 1) as { keep?: readonly string[]; kept?: number }
      const gone = takeBack(ledger, wholeAt(params, 0, 'a number of blocks'))
      for (const [place, transaction] of gone.entries())
        if (keep.includes(transaction.signature) || (kept >> (place % 16)) & 1) ledger.add(transaction)
      ledger.produce()
      return gone.flatMap(({ signature }) => (ledger.landed(signature) ? [] : [signature]))
    },
    /** The next transactions get a signature and never land. */
    devnet_drop(params) {
      control.lose(wholeAt(params, 0, 'a number of transactions'))
    },
    /** While held, transactions wait for `devnet_advance`, and no block comes automatically. */
    devnet_hold(params) {
      control.isHolding = params[0] === true
    },
    devnet_lag(params) {
      control.lag = bounded(wholeAt(params, 0, 'a number of blocks'))
    },
    /**
     * Makes enough blocks for every known blockhash to expire.
     * @returns the newest slot.
     */
    devnet_expireBlockhashes: () => advance(blockhashBlocks + 1),
    /**
     * Advances the chain's clock, and makes a block with it.
     * @returns the newest slot.
     */
    devnet_travel(params) {
      control.travelledMs += wholeAt(params, 0, 'a number of seconds') * 1_000
      return advance(1)
    },
  }
}

function bounded(count: number): number {
  if (count > advanceMax) throw invalidParams(`at most ${advanceMax} blocks at once`)
  return count
}

function takeBack(ledger: Ledger, blocks: number): Landed[] {
  try {
    return ledger.fork(blocks)
  } catch (error) {
    throw invalidParams(error instanceof Error ? error.message : String(error))
  }
}
