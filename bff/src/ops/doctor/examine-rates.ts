import { limitCurrency, listedSymbols } from '../../core/families.ts'
import { bad, type Finding, found, good, warning } from '../../core/finding.ts'
import { silentLog } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createRates, type RatesSource } from '../../rates/read-rates.ts'
import { isListed, type RatedToken } from '../../rates/token-rates.ts'

/** Queries the exchange rate provider once, as the service does. Never throws. */
export async function examineRates(
  source: RatesSource,
  tokens: readonly RatedToken[],
  runtime: Runtime,
): Promise<Finding[]> {
  if (source.kind === 'parity') {
    const says =
      'a token counts as one unit of its currency; prices in other currencies are refused without rates.provider'
    return [good('rates.parity', 'none', says)]
  }
  const subject = source.kind === 'fixed' ? 'fixed' : (source.provider ?? new URL(source.url).host)
  let reason: unknown
  const log = { ...silentLog, warn: (fields: object) => (reason = (fields as { err?: unknown }).err) }
  try {
    const { rates, asOfMs } = await createRates(source, { runtime, log, tokens })()
    const currencies = [...new Set(Object.values(rates).flatMap((table) => Object.keys(table)))]
    const others = tokens.filter(({ symbol }) => !isListed(symbol) && rates[symbol]?.[limitCurrency] === undefined)
    const missing = [
      ...listedSymbols.filter((symbol) => rates[symbol] === undefined),
      ...others.map(({ symbol }) => symbol),
    ]
    const says = `${currencies.length} currencies, as of ${new Date(asOfMs).toISOString()}`
    if (missing.length === 0) return [good(found('rates.good', currencies.length), subject, says)]
    const fix = 'Add the token, or use another provider.'
    return [
      warning(
        found('rates.incomplete', currencies.length, missing.join(', ')),
        subject,
        `${says}, but not for ${missing.join(', ')}`,
        fix,
      ),
    ]
  } catch (error) {
    const says = reason instanceof Error ? reason.message : (error as Error).message
    const fix =
      source.kind === 'fixed'
        ? 'Write newer rates and their asOf into the configuration, or set rates.provider.'
        : 'Check that this machine can reach it (proxy, firewall), or use another rates.provider.'
    const what = found(source.kind === 'fixed' ? 'rates.outdated' : 'rates.unreachable', says.slice(0, 200))
    return [bad(what, subject, `no rate: ${says.slice(0, 200)}`, fix)]
  }
}
