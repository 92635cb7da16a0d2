import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folders = [
  'bff/src',
  'bff/dashboard',
  'bff/clients',
  'bff/test',
  'bff/contracts/test',
  'test',
  'demo',
  'widget/src',
]

/** Kept lives of the simulator are tests too, by what they found. */
const isTests = (path: string): boolean => /\.(test\.ts|t\.sol)$|kept-lives\.jsonl$/.test(path)

/** Every file of tests, by its path from the root. */
const files = folders.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(isTests)
    .map((path) => `${folder}/${path}`),
)

type Defence = { threat: string; names: string[]; titles: string[] }

/** A line of the list: the threat in bold, the defence, and its tests, of which a title is quoted. */
function defencesOf(text: string): Defence[] {
  return [...text.matchAll(/^- \*\*(.+?)\*\*: (.*)$/gm)].map(([, threat = '', proof = '']) => {
    const names = [...proof.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    return { threat, names, titles: [...proof.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title) }
  })
}

const page = readFileSync(`${root}docs/threats.md`, 'utf8')
const defences = defencesOf(page)

/** By its path from the root, from the service's source, or by its end. */
function find(name: string): string[] {
  const exact = files.filter((file) => file === name || file === `bff/src/${name}`)
  return exact.length > 0 ? exact : files.filter((file) => file.endsWith(`/${name}`))
}

test('every defence names a file of tests that exists, and no name is of two', () => {
  expect(defences.length).toBeGreaterThan(60)
  expect(defences.length).toBe(page.match(/^- /gm)?.length)
  const wrong = defences.flatMap(({ threat, names }) => {
    const named = names.filter(isTests)
    if (named.length === 0) return [`${threat}: names no test`]
    return named
      .filter((name) => find(name).length !== 1)
      .map((name) => `${threat}: ${name} is ${find(name).length} files`)
  })
  expect(wrong).toEqual([])
})

test('every test that is quoted is in one of the files of its line', () => {
  const missing = defences.flatMap(({ threat, names, titles }) => {
    const text = names
      .filter(isTests)
      .flatMap(find)
      .map((file) => readFileSync(`${root}${file}`, 'utf8'))
      .join('\n')
    const solidity = names.filter((name) => name.startsWith('test_'))
    // A title may leave something out in the middle.
    const parts = [...titles, ...solidity].flatMap((title) => title.split(' … '))
    return parts.filter((part) => !text.includes(part)).map((part) => `${threat}: "${part}"`)
  })
  expect(missing).toEqual([])
})

test('every threat of chain, money and crashes has a line', () => {
  const numbers = [...Array.from({ length: 21 }, (_, index) => index + 1), 37, 38, 39, 40, 41]
  const missing = numbers.filter(
    (number) => !defences.some(({ threat }) => new RegExp(`\\bT${number}\\b`).test(threat)),
  )
  expect(missing).toEqual([])
})
