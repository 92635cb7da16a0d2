import { z } from 'zod'
import type { Network } from '../../core/families.ts'
import { type GivenSwitches, type PartSettings, parts, switchNames } from '../../parts.ts'

type Switches = PartSettings['parts']

/** Which parts are on. Parts that are not listed here are switched on by settings of their own. */
export const partsSetting = z
  .strictObject(
    Object.fromEntries(switchNames.map((name) => [name, z.boolean().optional()])) as {
      [Name in (typeof switchNames)[number]]: z.ZodOptional<z.ZodBoolean>
    },
  )
  .default({})
  .meta({
    description: '[parts](configuration.md#parts) that are on: `{ "x402": true, "tools": true }`',
    otherwise: 'see there',
  })

/** @param networks - While none of them moves real money, every part is on. */
export function resolveParts(given: GivenSwitches, networks: readonly Network[]): Switches {
  const resolved = switchNames.map((name) => [name, given[name] ?? parts[name].isOnByDefault(given, networks)])
  return Object.fromEntries(resolved) as Switches
}

/** Reports parts that are on without a part that they need. */
export function partFaults(switches: Switches): string[] {
  const on = switchNames.filter((name) => switches[name])
  return on.flatMap((name) =>
    parts[name].needs
      .filter((needed) => !on.includes(needed))
      .map((needed) => `parts.${needed}: ${name} needs it: switch it on, or set parts.${name} to false too`),
  )
}
