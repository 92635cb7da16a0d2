import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './suites.mjs'

const roots = ['bff/src', 'bff/test', 'bff/dashboard', 'bff/clients', 'demo']
const isTest = (path) => path.endsWith('.test.ts')

/** They import the whole service: a test that reaches a file only through one of them tests something else. */
const isWholeService = (path) =>
  /^bff\/(?:src\/(?:app|api-types|index|parts)\.ts$|src\/(?:ops\/(?:serve|cli)|testing)\/|test\/)/.test(path)

/** @returns the files of the folders with unit tests, as paths from the root, with their text. */
function readSources() {
  const paths = roots.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true })
      .filter((path) => /\.(?:ts|mjs)$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
      .map((path) => `${folder}/${path}`),
  )
  return new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')]))
}

const { exports: doors } = JSON.parse(readFileSync(`${root}bff/package.json`, 'utf8'))

/** @returns the files that a door of the service has these names from; a door that passes nothing on is a file of its own. */
function behindDoor(door, names, sources) {
  const path = join('bff', doors[`.${door}`] ?? `src${door}.ts`)
  const passedOn = [...sources.get(path).matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)]
  const wanted = new Set(names.replaceAll(/\btype /g, '').match(/\w+/g))
  return passedOn.length === 0
    ? [path]
    : passedOn.flatMap(([, given, from]) =>
        given.match(/\w+/g).some((name) => wanted.has(name)) ? join(dirname(path), from) : [],
      )
}

/** @returns by path, the files that import it. */
function importersOf(sources) {
  const importers = new Map()
  for (const [path, text] of sources) {
    // The rig is imported by its name.
    const byPath = text.replaceAll(
      /'@stablecoin-checkout\/rig\/([^']+)'/g,
      `'./${relative(dirname(path), 'bff/test')}/$1.ts'`,
    )
    const byName = [...text.matchAll(/\{([^}]*)\} from '@stablecoin-checkout\/bff([^']*)'/g)]
    const targets = [
      ...[...byPath.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) => join(dirname(path), to)),
      ...byName.flatMap(([, names, door]) => behindDoor(door, names, sources)),
    ]
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path])
  }
  return importers
}

/**
 * The unit tests that a change of these paths can break, nearest first: changed tests, tests in the same folder, tests that name a changed
 * document, then those that import a changed file, by ever longer ways.
 * @param changed - Paths from the root.
 */
export function unitTestsOf(changed) {
  const sources = readSources()
  const importers = importersOf(sources)
  const tests = [...sources.keys()].filter(isTest)
  const tested = new Set(tests.map(dirname))
  // Of a folder without tests those of the folder around it: a migration is tested with the database.
  const folders = new Set(changed.map(dirname).map((folder) => (tested.has(folder) ? folder : dirname(folder))))
  const documents = changed.filter((path) => path.endsWith('.md'))
  const found = new Set([
    ...tests.filter((path) => changed.includes(path)),
    ...tests.filter((path) => folders.has(dirname(path))),
    ...tests.filter((path) => documents.some((one) => sources.get(path).includes(one))),
  ])
  const seen = new Set(changed)
  let nearest = changed.filter((path) => !isTest(path))
  while (nearest.length > 0) {
    const next = nearest.flatMap((path) => importers.get(path) ?? []).filter((path) => !seen.has(path))
    for (const path of next) {
      seen.add(path)
      if (isTest(path)) found.add(path)
    }
    nearest = [...new Set(next)].filter((path) => !isTest(path) && !isWholeService(path))
  }
  return [...found]
}
