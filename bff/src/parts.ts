import { familiesOf } from './chain/index.ts'
import type { Networks } from './core/families.ts'
import { isPostgres } from './db/location.ts'

/** The settings that decide which parts are on. */
export type PartSettings = {
  networks: Networks
  database: string
  relay: object | null
  parts: Readonly<Record<'dashboard' | 'links' | 'reports' | 'tools' | 'x402', boolean>>
}

/**
 * What a service can do without. A part that is off has no route, no worker and no code in memory: `bff/modules.json` names its files,
 * which the kernel never imports but by `load`. The settings of a part, and the facts that the kernel reads of it, stay in the kernel.
 */
type Part<Loaded> = {
  /** Parts that must be on too. */
  needs: readonly string[]
  isOn(settings: PartSettings): boolean
  /** Reads its code into memory. */
  load(): Promise<Loaded>
}

const part = <Loaded>(declared: Part<Loaded>): Part<Loaded> => declared

export const parts = {
  /** Its networks are connected by `chain/connect-networks.ts`, which commands use too. */
  solana: part({
    needs: [],
    isOn: ({ networks }) => familiesOf(networks).has('solana'),
    load: () => import('./checkout/contract/solana-pay.routes.ts'),
  }),
  relay: part({
    needs: [],
    isOn: ({ relay }) => relay !== null,
    load: () => import('./checkout/cross-chain/relay.part.ts'),
  }),
  x402: part({
    needs: [],
    isOn: (settings) => settings.parts.x402,
    load: () => import('./checkout/x402/x402.part.ts'),
  }),
  tools: part({
    needs: ['links'],
    isOn: (settings) => settings.parts.tools,
    load: () => import('./agent/mcp/tools.part.ts'),
  }),
  links: part({
    needs: [],
    isOn: (settings) => settings.parts.links,
    load: () => import('./checkout/link/links.part.ts'),
  }),
  reports: part({
    needs: [],
    isOn: (settings) => settings.parts.reports,
    load: () => import('./reports/reports.part.ts'),
  }),
  dashboard: part({
    needs: ['links', 'reports'],
    isOn: (settings) => settings.parts.dashboard,
    load: () => import('./dashboard/dashboard.part.ts'),
  }),
  /** The database itself is opened by `db/open-database.ts`, which commands use too. */
  postgres: part({
    needs: [],
    isOn: ({ database }) => isPostgres(database),
    load: () => import('./access/limits/postgres.part.ts'),
  }),
}

export type PartName = keyof typeof parts

export const partNames = Object.keys(parts) as PartName[]

/** The code of each part that is on; null for the others. */
export type LoadedParts = { readonly [Name in PartName]: Awaited<ReturnType<(typeof parts)[Name]['load']>> | null }

export const partsOn = (settings: PartSettings): PartName[] => partNames.filter((name) => parts[name].isOn(settings))

/** Reads the code of the parts into memory, and of no other. */
export async function loadParts(names: readonly PartName[]): Promise<LoadedParts> {
  const loaded = partNames.map(async (name) => [name, names.includes(name) ? await parts[name].load() : null])
  return Object.fromEntries(await Promise.all(loaded)) as LoadedParts
}
