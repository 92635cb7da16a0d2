import { chartFile, chartNames } from './charts.ts'
import type { Measure } from './fixtures.ts'
import type { Results } from './results.ts'

/** Parts that are compared in one table, with what begins the names of their columns. */
type Section = { heading: string; parts: readonly (readonly [part: string, columns: string])[] }

/** The sections in the order of the page, with what each of them asks. */
const sections: readonly Section[] = [
  {
    heading:
      '## Cost by the number of payments\n\nDeposits of the last week, seven in ten paid, those of the last fifteen minutes open.',
    parts: [
      ['growth', 'SQLite, '],
      ['growth-postgres', 'PostgreSQL, '],
    ],
  },
  {
    heading:
      '## A start by the number of wallet payments on Solana\n\nOf 20 merchants. The first start finds the token accounts of payments; later starts read what arrived since.',
    parts: [
      ['growth-solana', 'SQLite, '],
      ['growth-solana-postgres', 'PostgreSQL, '],
    ],
  },
  {
    heading: '## Replicas\n\nAll replicas, their database and the clients share the same cores.',
    parts: [['postgres', '']],
  },
  {
    heading: '## Requests, against bare routes with the same rows, queries and group commit',
    parts: [['http', '']],
  },
  { heading: '## The watcher', parts: [['watcher', '']] },
  { heading: '## Solana', parts: [['solana', '']] },
  { heading: '## Webhooks', parts: [['webhook', '']] },
  { heading: '## The element', parts: [['widget', '']] },
  { heading: '## Gas', parts: [['gas', '']] },
  {
    heading:
      '## What a payment costs the merchant on each rail\n\nGas of the merchant’s side. The watcher’s calls are the most that a block can cost: 500 transfers and no filters that prove it complete; else it costs two.',
    parts: [['rails', '']],
  },
  { heading: '## Payments by signature', parts: [['signature', '']] },
  {
    heading:
      '## The dashboard by the number of payments\n\nSQLite, in Chromium on the same machine. A filter that matches nothing reads ten thousand payments.',
    parts: [['dashboard', '']],
  },
  { heading: '## What a machine needs', parts: [['operation', '']] },
]

type Checkout = {
  name: string
  /** JavaScript until the first screen, minified and by `gzip -9`. */
  scriptKb?: number
  /** Median from navigation to the first screen. */
  plainMs?: number
  /** The same on slow 4G with a CPU a quarter as fast. */
  slowMs?: number
  /** What the first screen shows, and what the script's size is of. */
  screen: string
}

/** Other checkouts, measured in the same way. */
const checkouts: readonly Checkout[] = [
  { name: 'a static page with the QR code as SVG', plainMs: 100, slowMs: 385, screen: 'QR code' },
  { name: 'SablePay React 1.1.2', scriptKb: 75.6, plainMs: 282, slowMs: 1333, screen: 'a button; React included' },
  { name: 'ICPay widget 1.2.52', scriptKb: 209, plainMs: 378, slowMs: 1994, screen: 'a button' },
  { name: 'Bitcoin Connect 3.12.3', scriptKb: 156, plainMs: 489, slowMs: 1904, screen: '"Waiting for payment"' },
  { name: 'BTCPay Server, checkout v2', scriptKb: 165, plainMs: 608, slowMs: 1902, screen: 'QR code; with CSS, icons' },
  { name: 'DePay widgets 13.0.45', scriptKb: 1060, plainMs: 1108, slowMs: 6499, screen: '"Select a wallet"' },
  { name: 'Reown AppKit 1.8.24, ethers', scriptKb: 601, plainMs: 1408, slowMs: 5958, screen: 'a list of wallets' },
  { name: 'thirdweb 5.121.6, CheckoutWidget', scriptKb: 283, screen: '' },
  { name: 'OnchainKit 1.1.3, Checkout', scriptKb: 341, screen: 'React and wagmi included' },
  { name: 'Daimo SDK 1.7.0', scriptKb: 897, screen: 'React included' },
]

/** Gas of one payment: with OpenZeppelin's ERC-20, and with Circle's USDC behind its proxy. */
const contracts: readonly [name: string, plain: string, usdc: string][] = [
  ['two `transferFrom` and one event, without a guard', '49,084', '69,004'],
  ['Request ERC20FeeProxy, without a guard', '53,256', '73,176'],
  ['DePay router', '75,056', '96,196'],
  ['Coinbase Commerce, approved before', '102,118', '124,266'],
  ['base/commerce-payments, charge', '164,292', '170,937 to 187,132'],
]

const shown = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')

function chartImages(measures: readonly Measure[]): string[] {
  const names = chartNames(measures)
  return names.length === 0 ? [] : [names.map((name) => `![${name}](benchmarks/${chartFile(name)})`).join('\n')]
}

const withColumn = (measure: Measure, columns: string): Measure =>
  measure.case === undefined ? measure : { ...measure, case: `${columns}${measure.case}` }

/** What there is one value of. */
function list(measures: readonly Measure[]): string[] {
  if (measures.length === 0) return []
  const line = (measure: Measure) =>
    `- ${labelOf([measure])}: ${cell(measure)}${measure.target === undefined ? '' : `, bound ${measure.target}`}`
  return [measures.map(line).join('\n')]
}

/** One row a quantity with its ratio in parentheses, one column a case, and the bound of the row where one of its values has one. */
function comparison(measures: readonly Measure[]): string[] {
  if (measures.length === 0) return []
  const cases = [...new Set(measures.map((measure) => measure.case ?? ''))]
  const names = [...new Set(measures.map(({ name }) => name))]
  const hasBounds = measures.some(({ target }) => target !== undefined)
  const rows = names.map((name) => {
    const row = measures.filter((measure) => measure.name === name)
    const values = cases.map((of) => {
      const found = row.filter((measure) => measure.case === of)
      const ratio = found.find(isRatio)
      return `${cell(found.find((measure) => !isRatio(measure)))}${ratio ? ` (${cell(ratio)})` : ''}`
    })
    return [labelOf(row), ...values, ...(hasBounds ? [boundOf(row)] : [])]
  })
  return [table(['', ...cases, ...(hasBounds ? ['bound'] : [])], rows)]
}

const isRatio = ({ ratioTo }: Measure): boolean => ratioTo !== undefined

const cell = (measure?: Measure): string => {
  if (!measure) return ''
  const text = `${shown(measure.value)}${isRatio(measure) ? '×' : ''}`
  return measure.isGood === false ? `${text} **missed**` : text
}

function labelOf(row: readonly Measure[]): string {
  const [first] = row
  if (!first) return ''
  const ratioTo = row.find(isRatio)?.ratioTo
  const isNamed = first.unit === 'x' || first.name.split(' ').includes(first.unit)
  const units = [isNamed ? '' : first.unit, ratioTo === undefined ? '' : `× ${ratioTo}`].filter((text) => text !== '')
  return units.length === 0 ? first.name : `${first.name} (${units.join('; ')})`
}

/** A bound that not every value of the row has, or that differs, says of which case it is. */
function boundOf(row: readonly Measure[]): string {
  const ratioBounds = new Set(row.filter(isRatio).flatMap(({ target }) => (target === undefined ? [] : [`${target}×`])))
  const values = row.filter((measure) => !isRatio(measure))
  const targets = new Set(values.map(({ target }) => target))
  const bounds =
    targets.size === 1
      ? [...targets].flatMap((target) => target ?? [])
      : values.flatMap(({ target, case: of }) => (target === undefined ? [] : [`${target} (${of})`]))
  return [...bounds, ...ratioBounds].join(', ')
}

/** `docs/benchmarks.md`, made of nothing but the results. */
export function pageOf(results: Results): string {
  const machines = new Set(Object.values(results).map(({ machine }) => machine))
  const isOneMachine = machines.size === 1
  const ofSections = sections.flatMap(({ heading, parts }) => {
    const found = parts.flatMap(([part, columns]) => {
      const measured = results[part]
      return measured ? [{ part, columns, ...measured }] : []
    })
    if (found.length === 0) return []
    const measures = found.flatMap((one) => one.measures.map((measure) => withColumn(measure, one.columns)))
    return [
      heading,
      found
        .map(
          ({ part, date, machine, load }) => `\`${part}\`, ${date}, ${isOneMachine ? '' : `${machine}, `}load ${load}.`,
        )
        .join('\n'),
      ...chartImages(measures),
      ...comparison(measures.filter((measure) => measure.case !== undefined)),
      ...list(measures.filter((measure) => measure.case === undefined)),
    ]
  })
  return `${[
    '# Benchmarks',
    `\`npm run bench -- <part> --write\` writes this page, its charts and \`results.json\`, unless other programs take more than a tenth of the processors. Load is the number of processes that wanted a core; above the number of cores, only ratios within one run count.${isOneMachine ? ` The machine: ${[...machines][0]}.` : ''}`,
    ...ofSections,
    '## Beside other checkouts',
    'Measured by us with released packages: JavaScript until the first screen (minified, `gzip -9`), and time from navigation to it (median of 15 and 7 runs, one machine, in turns).',
    table(
      ['', 'kB', 'ms, plain', 'ms, slow 4G, CPU × 1/4', 'first screen'],
      checkouts.map(({ name, scriptKb, plainMs, slowMs, screen }) => [
        name,
        ...[scriptKb, plainMs, slowMs].map((value) => (value === undefined ? '' : shown(value))),
        screen,
      ]),
    ),
    'Gas of one payment to recipients that have held the token before:',
    table(['', 'plain ERC-20', 'USDC of Circle'], contracts),
  ].join('\n\n')}\n`
}
