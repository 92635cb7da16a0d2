import { chartFile, chartNames } from './charts.ts'
import type { Measure } from './fixtures.ts'
import type { PartResults, Results } from './results.ts'

/** The parts in the order of the page, with what each of them asks. */
const headings = new Map([
  [
    'growth',
    '## Cost by the number of payments, SQLite\n\nDeposits of the last week, each watched for late money: seven in ten are paid, and those of the last fifteen minutes are open. The bound for a start is 10 s and 500 MB, for the other costs 1.5 of what they are with 10,000 payments.',
  ],
  ['growth-postgres', '## Cost by the number of payments, PostgreSQL\n\nThe same payments, and the same bounds.'],
  [
    'growth-solana',
    '## A start by the number of wallet payments, Solana\n\nThe first start finds the token accounts that payments come to, each later one reads what came to them since. SQLite; nothing came meanwhile, since what did is read and verified one by one.',
  ],
  [
    'growth-solana-postgres',
    '## A start by the number of wallet payments, Solana on PostgreSQL\n\nThe same payments, and the same bounds.',
  ],
  [
    'postgres',
    '## Replicas\n\nOne database for all replicas, on the machine that makes the requests: with 2 cores more replicas share the same cores.',
  ],
  ['http', '## Requests, against bare routes with the same queries'],
  ['watcher', '## The watcher'],
  ['solana', '## Solana'],
  ['webhook', '## Webhooks'],
  ['widget', '## The element'],
  ['gas', '## Gas'],
  ['signature', '## Payments by signature'],
  [
    'dashboard',
    '## The dashboard by the number of payments\n\nSQLite, in Chromium on the same machine. A filter that no payment passes looks at ten thousand of them. The month has most of the payments, each of which is read; meanwhile one small request follows the other. The indexes that the lists need cost the insert of a payment 13 µs of CPU (45 in place of 32, in one run with 100,000 payments, SQLite).',
  ],
  ['operation', '## What a machine needs'],
])

/**
 * Other checkouts, measured in the same way: JavaScript of the first screen, minified and by `gzip -9`, in kB. The last column is what the
 * number is of.
 */
const elements: readonly [name: string, firstKb: number, of: string][] = [
  ['SablePay React 1.1.2', 75.6, 'a button, React included'],
  ['Bitcoin Connect 3.12.3', 156, 'a web component'],
  ['BTCPay Server, checkout v2', 165, 'a page: JavaScript, CSS, icons'],
  ['ICPay widget 1.2.52', 209, 'a button, a web component'],
  ['thirdweb 5.121.6, CheckoutWidget', 283, ''],
  ['OnchainKit 1.1.3, Checkout', 341, 'React and wagmi included'],
  ['Reown AppKit 1.8.24 with ethers', 601, 'a list of wallets'],
  ['Daimo SDK 1.7.0', 897, 'React included'],
  ['DePay widgets 13.0.45', 1060, 'one script tag'],
]

/** Median from navigation to the QR code, or to the first words of those that show none: plain, and on slow 4G with a CPU a quarter as fast. */
const screens: readonly [name: string, plainMs: number, slowMs: number, until: string][] = [
  ['a static page with the QR code as SVG', 100, 385, 'QR code'],
  ['SablePay', 282, 1333, 'a button'],
  ['ICPay', 378, 1994, 'a button'],
  ['Bitcoin Connect', 489, 1904, '"Waiting for payment"'],
  ['BTCPay Server, checkout v2', 608, 1902, 'QR code'],
  ['DePay', 1108, 6499, '"Select a wallet"'],
  ['AppKit with ethers', 1408, 5958, 'a list of wallets'],
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

/** @param shownCharts - Each chart is shown once, with the first part that has a curve in it. */
function measured({ command, date, machine, measures }: PartResults, shownCharts: Set<string>): string {
  const rows = measures.map(({ name, value, unit, target, isGood }: Measure) => [
    name,
    `${shown(value)} ${unit === 'x' ? '×' : unit}`,
    target === undefined ? '' : `${target}${isGood ? '' : ': **missed**'}`,
  ])
  const isNew = (name: string) => !shownCharts.has(name)
  const names = chartNames(measures).filter(isNew)
  for (const name of names) shownCharts.add(name)
  const charts = names.map((name) => `![${name}](benchmarks/${chartFile(name)})`)
  return [
    `\`${command}\`, ${date}, ${machine}.`,
    ...(charts.length === 0 ? [] : [charts.join('\n')]),
    table(['', '', 'bound'], rows),
  ].join('\n\n')
}

/** `docs/benchmarks.md`, made of nothing but the results. */
export function pageOf(results: Results): string {
  const shownCharts = new Set<string>()
  const parts = [...headings].flatMap(([part, heading]) => {
    const found = results[part]
    return found ? [`${heading}\n\n${measured(found, shownCharts)}`] : []
  })
  return `${[
    '# Benchmarks',
    'Made by `npm run bench -- <part> --write`. Each table has its command, its day and its machine; `load` is the number of processes that wanted a core meanwhile, and where it is above the number of cores, only the ratios within one run mean anything. `results.json` beside the charts has the figures.',
    ...parts,
    '## Beside other checkouts',
    'Measured by us with released packages, in one way for all. JavaScript until the first screen, minified, `gzip -9`:',
    table(
      ['', 'first screen', ''],
      elements.map(([name, kb, of]) => [name, `${shown(kb)} kB`, of]),
    ),
    'From navigation to the first screen, median of 15 and of 7 runs, one machine, runs in turns:',
    table(
      ['', 'plain', 'slow 4G, CPU × 1/4', 'until'],
      screens.map(([name, plain, slow, until]) => [name, `${plain} ms`, `${shown(slow)} ms`, until]),
    ),
    'Gas of one payment, the recipients have had the token before:',
    table(['', 'plain ERC-20', 'USDC of Circle'], contracts),
    'Ours: `npm run bench -- widget` and `npm run bench -- gas`.',
  ].join('\n\n')}\n`
}
