import { z } from 'zod'
import { familiesOf } from './chain/index.ts'
import { parseSolanaKey } from './chain/solana/facts/solana-key.ts'
import { relaySetting } from './checkout/cross-chain/relay-settings.ts'
import { stablezactSetting } from './checkout/stablezact/stablezact-setting.ts'
import { countUnfinishedBridges, countUnusedCharges } from './checkout/unfinished-store.ts'
import type { Network, Networks } from './core/families.ts'
import type { Finding } from './core/finding.ts'
import type { FindingCode } from './core/finding-codes.ts'
import type { Tx } from './db/db.ts'
import { isPostgres } from './db/location.ts'
import { type MailSettings, mailSetting } from './notice/mail/mail-settings.ts'

/** The parts that the configuration's `parts` switches. */
export const switchNames = ['dashboard', 'links', 'notices', 'reports', 'stores', 'tools', 'x402'] as const

type SwitchName = (typeof switchNames)[number]

/** The settings that decide which parts are on. */
export type PartSettings = {
  networks: Networks
  database: string
  relay: object | null
  mail: object | null
  stablezact: object | null
  parts: Readonly<Record<SwitchName, boolean>>
}

/** What the configuration file says about parts. */
export type GivenSwitches = Readonly<Partial<Record<SwitchName, boolean | undefined>>>

/** Payments that only the part completes. They are counted while it is off too, so the kernel counts them. */
type Unfinished = {
  code: FindingCode
  count(tx: Tx): Promise<number>
  /** A sentence for the log and the doctor, for a part that is off. */
  says(count: number): string
  /** Exported while the part is on. */
  metric?: { name: string; help: string }
}

type Examined = {
  database: string
  /** Short names of the configured networks. */
  networks: readonly string[]
  version: string
  nowMs: () => number
  mail: MailSettings | null
}

/**
 * What a service can do without: its settings, metrics, findings and code are declared here. A part that is off requires no setting, has
 * no route, worker, metric or finding, and no code in memory: `bff/modules.json` names its files, which the kernel never imports except
 * by `load` and `examine`.
 */
export type Part = {
  /** Parts that must be on too. */
  needs: readonly SwitchName[]
  /** Settings of the configuration file that belong to it. */
  settings?: z.ZodRawShape
  /** Variables of the environment that belong to it. */
  environment?: z.ZodRawShape
  /** Whether it is on when the configuration's `parts` does not name it. Without this function, other settings switch it on. */
  isOnByDefault?(given: GivenSwitches, networks: readonly Network[]): boolean
  isOn(settings: PartSettings): boolean
  /** Reads its code into memory. */
  load(): Promise<unknown>
  /** The doctor's findings while it is on. The findings of a network come from its chain (`chain/connector.ts`). */
  examine?(examined: Examined): Promise<Finding[]>
  unfinished?: Unfinished
}

const movesNoMoney = (networks: readonly Network[]) => networks.every(({ isTestnet }) => isTestnet)

export const parts = {
  /** Its networks are connected by `chain/connect-networks.ts`, which commands use too. */
  solana: {
    needs: [],
    environment: {
      SOLANA_FEE_PAYER_KEY: z
        .string()
        .refine(
          (text) => parseSolanaKey(text) !== undefined,
          'must be a secret key of 64 bytes: base58, or the JSON array that solana-keygen stores',
        )
        .optional()
        .describe('64 bytes, base58 or a `solana-keygen` array. Pays fees and rent on Solana'),
    },
    isOn: ({ networks }: PartSettings) => familiesOf(networks).has('solana'),
    load: () => import('./checkout/contract/solana-pay.routes.ts'),
  },
  /** Watches only. Its networks are connected by `chain/connect-networks.ts`; on where one is configured. */
  tron: {
    needs: [],
    isOn: ({ networks }: PartSettings) => familiesOf(networks).has('tron'),
    load: () => import('./chain/tron/tron.part.ts'),
  },
  relay: {
    needs: [],
    settings: { relay: relaySetting },
    environment: {
      RELAY_API_KEY: z
        .string()
        .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable and without spaces')
        .optional()
        .describe('sent to Relay as `x-api-key`. Without it Relay allows 50 quotes and 200 other calls a minute'),
    },
    isOn: ({ relay }: PartSettings) => relay !== null,
    load: () => import('./checkout/cross-chain/relay.part.ts'),
    unfinished: {
      code: 'parts.relay',
      count: countUnfinishedBridges,
      says: (count: number) =>
        `relay is not configured, but ${count} cross-chain payments wait for a bridge. Money that arrives is still credited; the progress and refunds of bridges are not read until it is configured again.`,
      metric: {
        name: 'bridges_unfinished',
        help: 'Bridges whose progress is read from the relay, counted up to 10000.',
      },
    },
  },
  /** For clients of the service of that name, whose interface differs from the contract. */
  stablezact: {
    needs: [],
    settings: { stablezact: stablezactSetting },
    isOn: ({ stablezact }: PartSettings) => stablezact !== null,
    load: () => import('./checkout/stablezact/stablezact.part.ts'),
  },
  x402: {
    needs: [],
    /** `signatureGas` pays for it. */
    isOnByDefault: (_given: GivenSwitches, networks: readonly Network[]) =>
      movesNoMoney(networks) || networks.some(({ signatureGas }) => signatureGas !== null),
    isOn: (settings: PartSettings) => settings.parts.x402,
    load: () => import('./checkout/x402/x402.part.ts'),
    unfinished: {
      code: 'parts.x402',
      count: countUnusedCharges,
      says: (count: number) =>
        `x402 is switched off, but ${count} charges are paid and not used. Their clients get 404 until it is switched on.`,
    },
  },
  /** Tools for agents, by the Model Context Protocol. */
  tools: {
    needs: ['links'] as const,
    isOnByDefault: ({ links }: GivenSwitches, networks: readonly Network[]) =>
      movesNoMoney(networks) && links !== false,
    isOn: (settings: PartSettings) => settings.parts.tools,
    load: () => import('./agent/mcp/tools.part.ts'),
  },
  links: {
    needs: [],
    isOnByDefault: () => true,
    isOn: (settings: PartSettings) => settings.parts.links,
    load: () => import('./checkout/link/links.part.ts'),
  },
  reports: {
    needs: [],
    /** The dashboard shows them. */
    isOnByDefault: ({ dashboard }: GivenSwitches) => dashboard ?? true,
    isOn: (settings: PartSettings) => settings.parts.reports,
    load: () => import('./reports/reports.part.ts'),
  },
  dashboard: {
    needs: ['links', 'reports'] as const,
    isOnByDefault: () => true,
    isOn: (settings: PartSettings) => settings.parts.dashboard,
    load: () => import('./dashboard/dashboard.part.ts'),
  },
  /** Plug-ins of shops, by BTCPay's Greenfield API. Off until it is switched on: it is a second way to a merchant's account. */
  stores: {
    needs: ['dashboard', 'links', 'reports'] as const,
    isOnByDefault: () => false,
    isOn: (settings: PartSettings) => settings.parts.stores,
    load: () => import('./stores/stores.part.ts'),
  },
  /** Notices to people: by e-mail, push, and in chats. */
  notices: {
    needs: ['dashboard'] as const,
    /** People choose them in the dashboard. */
    isOnByDefault: ({ dashboard }: GivenSwitches) => dashboard ?? true,
    isOn: (settings: PartSettings) => settings.parts.notices,
    load: () => import('./notice/notices.part.ts'),
  },
  /** Receipts and notices by e-mail. */
  mail: {
    needs: [],
    settings: { mail: mailSetting },
    environment: {
      SMTP_PASSWORD: z.string().min(1).max(1_000).optional().describe('of the user in `mail.server`'),
    },
    isOn: ({ mail }: PartSettings) => mail !== null,
    load: () => import('./notice/mail/mail.part.ts'),
    examine: async ({ mail }: Examined) =>
      mail === null ? [] : (await import('./notice/mail/examine-mail.ts')).examineMail(mail),
  },
  /** The database itself is opened by `db/open-database.ts`, which commands use too. */
  postgres: {
    needs: [],
    isOn: ({ database }: PartSettings) => isPostgres(database),
    load: () => import('./access/limits/postgres.part.ts'),
    examine: async ({ database, ...examined }: Examined) =>
      (await import('./db/postgres/examine-postgres.ts')).examinePostgres(database, examined),
  },
} satisfies Record<string, Part>

export type PartName = keyof typeof parts

/** @returns a declaration with every field that it may have. */
export const declarationOf = (name: PartName): Part => parts[name]

export const partNames = Object.keys(parts) as PartName[]

/** The code of each part that is on; null for the others. */
export type LoadedParts = { readonly [Name in PartName]: Awaited<ReturnType<(typeof parts)[Name]['load']>> | null }

export const partsOn = (settings: PartSettings): PartName[] => partNames.filter((name) => parts[name].isOn(settings))

/** Reads the code of the parts into memory, and of no other. */
export async function loadParts(names: readonly PartName[]): Promise<LoadedParts> {
  const loaded = partNames.map(async (name) => [name, names.includes(name) ? await parts[name].load() : null])
  return Object.fromEntries(await Promise.all(loaded)) as LoadedParts
}
