import { z } from 'zod'
import type { Network } from '../../core/families.ts'
import { type PartSettings, parts } from '../../parts.ts'

type Switches = PartSettings['parts']
type Switch = keyof Switches

/** Which parts are on. Solana, the relay and PostgreSQL are switched on by settings of their own. */
export const partsSetting = z
  .strictObject({
    dashboard: z.boolean().optional(),
    links: z.boolean().optional(),
    /** The dashboard shows them. */
    reports: z.boolean().optional(),
    /** Tools for agents, by the Model Context Protocol. */
    tools: z.boolean().optional(),
    x402: z.boolean().optional(),
  })
  .default({})

/** @param networks - While none of them moves real money, every part is on. `signatureGas` pays for x402, and switches it on. */
export function resolveParts(given: z.infer<typeof partsSetting>, networks: readonly Network[]): Switches {
  const movesNoMoney = networks.every(({ isTestnet }) => isTestnet)
  const dashboard = given.dashboard ?? true
  return {
    dashboard,
    links: given.links ?? true,
    reports: given.reports ?? dashboard,
    tools: given.tools ?? (movesNoMoney && given.links !== false),
    x402: given.x402 ?? (movesNoMoney || networks.some(({ signatureGas }) => signatureGas !== null)),
  }
}

/** Parts that are on without one that they need. */
export function partFaults(switches: Switches): string[] {
  const on = (Object.keys(switches) as Switch[]).filter((name) => switches[name])
  return on.flatMap((name) =>
    parts[name].needs
      .filter((needed) => !on.includes(needed as Switch))
      .map((needed) => `parts.${needed}: ${name} needs it: switch it on, or set parts.${name} to false too`),
  )
}
