import { moneyAreas } from './money-areas.mjs'
import { rightsAreas } from './rights-areas.mjs'

/**
 * What decides about money, rights, leases, budgets, sums and order. Of each area the files that are mutated, and the tests that must notice
 * it: without a chain and a browser, each test within a second or two.
 */
export const areas = { ...moneyAreas, ...rightsAreas }
