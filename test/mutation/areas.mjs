import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { faults } from '../faults/faults.mjs'
import { evmAreas } from './evm-areas.mjs'
import { keyAreas } from './key-areas.mjs'
import { moneyAreas } from './money-areas.mjs'
import { noticeAreas } from './notice-areas.mjs'
import { refundAreas } from './refund-areas.mjs'
import { rightsAreas } from './rights-areas.mjs'
import { solanaAreas } from './solana-areas.mjs'
import { storeAreas } from './store-areas.mjs'
import { tillAreas } from './till-areas.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

const listed = {
  ...moneyAreas,
  ...refundAreas,
  ...evmAreas,
  ...solanaAreas,
  ...rightsAreas,
  ...keyAreas,
  ...noticeAreas,
  ...storeAreas,
  ...tillAreas,
}

/** @returns the test of the same name beside a file, and the unit tests that notice the faults planted in it. */
const testsOf = (file) =>
  [file.replace(/\.ts$/, '.test.ts'), ...faults.filter((fault) => fault.file === file).map(({ test }) => test)].filter(
    (test) => test.startsWith('bff/src/') && existsSync(root + test),
  )

/**
 * What decides about money, rights, leases, budgets, sums and order. Of each area the files that are mutated, and the tests that must notice
 * it: without a browser, and without a chain where there are such tests.
 */
export const areas = Object.fromEntries(
  Object.entries(listed).map(([name, { files, tests }]) => [
    name,
    { files, tests: [...new Set([...tests, ...files.flatMap(testsOf)])] },
  ]),
)

/** Folders of which each file is in an area. */
const deciding = [
  'bff/src/access/limits',
  'bff/src/chain/evm/authorization',
  'bff/src/chain/evm/deposit',
  'bff/src/chain/evm/payout',
  'bff/src/chain/evm/send',
  'bff/src/chain/evm/split',
  'bff/src/chain/evm/submit',
  'bff/src/chain/evm/watch',
  'bff/src/chain/solana/facts',
  'bff/src/chain/solana/payout',
  'bff/src/chain/solana/refund',
  'bff/src/chain/solana/relay',
  'bff/src/chain/solana/split',
  'bff/src/chain/solana/watch',
  'bff/src/checkout/authorization',
  'bff/src/checkout/contract',
  'bff/src/checkout/cross-chain',
  'bff/src/checkout/deposit',
  'bff/src/checkout/link',
  'bff/src/checkout/stablezact',
  'bff/src/checkout/x402',
  'bff/src/dashboard/sign-in',
  'bff/src/dashboard/till',
  'bff/src/ops/reconcile',
  'bff/src/payment',
  'bff/src/payment/store',
  'bff/src/payout',
  'bff/src/rates',
  'bff/src/reports',
  'bff/src/webhook/outbox',
  'bff/src/webhook/send',
]

/** But for those that decide nothing: types, messages, and what one object hands to another. */
const others = [
  'bff/src/checkout/cross-chain/cross-chain-errors.ts',
  'bff/src/checkout/cross-chain/relay-faults.ts',
  'bff/src/payment/event.ts',
  'bff/src/payout/payout-chain.ts',
]

/** Tests; contracts and bodies of the API, which the tests of its document compare; and what parts bring. */
const notMutated = /(?:\.test|\.part|\.routes|-schemas|-view)\.ts$/

/** @returns what is wrong with the areas, a line each. */
export function faultsOfAreas() {
  const files = Object.values(areas).flatMap((area) => area.files)
  const named = [...files, ...others, ...Object.values(areas).flatMap(({ tests }) => tests)]
  const known = new Set([...files, ...others])
  const there = deciding.flatMap((folder) =>
    readdirSync(root + folder)
      .filter((name) => name.endsWith('.ts') && !notMutated.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return [
    ...named.filter((file) => !existsSync(root + file)).map((file) => `there is no ${file}`),
    ...files.filter((file, place) => files.indexOf(file) < place).map((file) => `${file} is in two areas`),
    ...there.filter((file) => !known.has(file)).map((file) => `${file} is in no area`),
  ]
}
