import { effectOf } from '../../chain/movements.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { Judged } from './difference.ts'

/** Period of a statement: everything up to the compared block, up to an older block, or a time range. */
export type Period =
  | { kind: 'all' }
  | { kind: 'block'; block: number }
  /** Unix milliseconds; `untilMs` is exclusive. */
  | { kind: 'time'; fromMs: number; untilMs: number }

/**
 * One token's money in a period, in base units: `opening` + `came` = `merchant` + `fee` + `refunded` + `returned` +
 * `unexplained` + `closing`. Only the complete statement breaks the closing balance down: `onItsWay` + `unmatched` +
 * `stillThere`.
 */
export type StatementLine = {
  token: string
  opening: bigint
  came: bigint
  merchant: bigint
  fee: bigint
  refunded: bigint
  returned: bigint
  unexplained: bigint
  closing: bigint
  holding: { onItsWay: bigint; unmatched: bigint; stillThere: bigint } | null
}

/** Adds up the compared payments. */
export function createStatement(period: Period, isSameAddress: (one: string, other: string) => boolean) {
  const lines: StatementLine[] = []

  function lineOf(token: string): StatementLine {
    const known = lines.find((line) => isSameAddress(line.token, token))
    if (known) return known
    const holding = period.kind === 'all' ? { onItsWay: 0n, unmatched: 0n, stillThere: 0n } : null
    const flows = { opening: 0n, came: 0n, merchant: 0n, fee: 0n, refunded: 0n, returned: 0n, unexplained: 0n }
    const line = { token, ...flows, closing: 0n, holding }
    lines.push(line)
    return line
  }

  return {
    add({ entries, holdings }: Pick<Judged, 'entries' | 'holdings'>): void {
      for (const { movement, isMatched } of entries) {
        const place = placeIn(period, movement)
        // Coins leave no log of their arrival: only the complete statement includes them.
        if (place === 'after' || (movement.token === coinAddress && period.kind !== 'all')) continue
        const line = lineOf(movement.token)
        line.closing += effectOf(movement)
        if (place === 'before') line.opening += effectOf(movement)
        else addFlow(line, movement, isMatched)
      }
      if (period.kind !== 'all') return
      for (const { token, onItsWay, unmatched, stillThere } of holdings) {
        const line = lineOf(token)
        if (line.holding) {
          line.holding.onItsWay += onItsWay
          line.holding.unmatched += unmatched
          line.holding.stillThere += stillThere
        }
      }
      const coins = lines.find(({ token }) => token === coinAddress)
      if (coins?.holding) {
        coins.closing = coins.holding.onItsWay + coins.holding.unmatched + coins.holding.stillThere
        coins.came = coins.closing + coins.returned
      }
    },
    lines: (): readonly StatementLine[] => lines,
  }
}

function placeIn(period: Period, { block, timeMs }: { block: number; timeMs: number }): 'before' | 'in' | 'after' {
  switch (period.kind) {
    case 'all':
      return 'in'
    case 'block':
      return block <= period.block ? 'in' : 'after'
    case 'time':
      if (timeMs < period.fromMs) return 'before'
      return timeMs < period.untilMs ? 'in' : 'after'
    default:
      return period satisfies never
  }
}

function addFlow(line: StatementLine, movement: Judged['entries'][number]['movement'], isMatched: boolean): void {
  switch (movement.kind) {
    case 'in':
      line.came += movement.amount
      break
    case 'settled':
      line.merchant += movement.merchantAmount
      if (!movement.isFeeParked) line.fee += movement.feeAmount
      break
    case 'feePaid':
      line.fee += movement.amount
      break
    case 'sentBack':
      if (isMatched) line.refunded += movement.amount
      else line.returned += movement.amount
      break
    case 'gone':
      line.unexplained += movement.amount
      break
    default:
      movement satisfies never
  }
}
