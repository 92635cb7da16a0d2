import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Measure } from './fixtures.ts'

/** What one part of the benchmarks has measured, and where. `load` is the number of processes that wanted a core meanwhile. */
type PartResults = { date: string; machine: string; load: string; measures: Measure[] }

/** By the part's name. */
export type Results = Record<string, PartResults>

const docs = new URL('../../docs/', import.meta.url)
export const pagePath = fileURLToPath(new URL('benchmarks.md', docs))
export const chartsFolder = fileURLToPath(new URL('benchmarks/', docs))
export const resultsPath = `${chartsFolder}results.json`

export const loadResults = (): Results => JSON.parse(readFileSync(resultsPath, 'utf8')) as Results
