// Compares the imports of the sources with `modules.json`, tests apart. `node bff/imports.mjs` prints what is against it, and how often
// each module imports each other one.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = 'bff/src/'

/** @type {import('./imports.d.mts').Modules} */
export const modules = JSON.parse(readFileSync(new URL('modules.json', import.meta.url), 'utf8'))

/** The sources whose imports have rules, by their path in the repository. */
export function readSources() {
  const paths = [source, 'widget/src/'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('test/'))
      .map((name) => folder + name),
  )
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(root + path, 'utf8')]))
}

/** Every source of the repository, programs and tests too, by its path. */
export function readAllSources() {
  const paths = ['bff/', 'widget/src/', 'demo/', 'test/'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|mjs)$/.test(name) && !/(?:^|\/)(?:node_modules|dist|\.\w+)\//.test(name))
      .map((name) => folder + name),
  )
  return Object.fromEntries(paths.map((path) => [path, readFileSync(root + path, 'utf8')]))
}

const statement = /(?:^(?:import|export)\b([^'"]*?)\bfrom\s*|(\bimport\s*\(\s*)|^import\s*)'([^']+)'/gm

/**
 * @returns what each file imports: a path in the repository, or the name of a package. `loads`: the code of the other file is read into
 * memory with this one's, which neither the import of a type does nor one at run time.
 */
function importsOf(sources) {
  return Object.entries(sources).flatMap(([from, text]) =>
    [...text.matchAll(statement)].map(([, names, atRunTime, name = '']) => ({
      from,
      to: name.startsWith('.') ? posix.join(posix.dirname(from), name) : name,
      loads: atRunTime === undefined && !/^\s*type\b/.test(names ?? ''),
    })),
  )
}

const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`)

/** The first folder below `base`, or the file that stands there by itself. */
const partOf = (path, base) => path.slice(base.length).split('/', 1)[0].replace(/\.ts$/, '')

const matches = (path, file) => (file.startsWith('*') ? path.endsWith(file.slice(1)) : isIn(path, file))

/** @returns the name of the part that a file is of; undefined: it is of the kernel. The last that names the file counts. */
export function partOfFile(path, { parts } = modules) {
  const found = Object.entries(parts).findLast(([, { files }]) => files.some((file) => matches(path, file)))
  return found?.[1].kernel?.some((file) => isIn(path, file)) ? undefined : found?.[0]
}

/** @returns the fault of an import that would load the code of a part that may be off. */
function partFault({ from, to, loads }, rules) {
  // The doors of tests are not of the program.
  if (!loads || isIn(from, 'bff/src/testing')) return undefined
  const mine = partOfFile(from, rules)
  const ofPackage = Object.entries(rules.parts).find(([, { packages = [] }]) => packages.some((name) => isIn(to, name)))
  const other = to.includes('.ts') ? partOfFile(to, rules) : ofPackage?.[0]
  const needed = mine === undefined ? [] : (rules.parts[mine].needs ?? [])
  if (other === undefined || other === mine || needed.includes(other)) return undefined
  return `${other} can be off: its *.part.ts loads it, others by import() or for a type; a file that is always on is listed in modules.json, as "kernel"`
}

const moduleOf = (path) => (path.startsWith(source) ? partOf(path, source) : undefined)

/**
 * @param sources - Texts by their path in the repository.
 * @returns one line for each import that breaks a rule, and for each cycle of rooms.
 */
export function faultsOf(sources, rules = modules) {
  const { order, rooms, apart, seenBy, packages } = rules
  const imports = importsOf(sources)
  const faults = []
  for (const path of Object.keys(sources)) {
    const name = moduleOf(path)
    if (name !== undefined && !order.includes(name)) faults.push(`${path}: modules.json does not name ${name}`)
  }
  for (const found of imports) {
    const { from, to } = found
    const refuse = (why) => faults.push(`${from} imports ${to}: ${why}`)
    const [mine, other] = [moduleOf(from), moduleOf(to)]
    if (mine === undefined) continue
    if (/^(?:demo|test|bff\/test|@stablecoin-checkout\/(?:demo|rig|test))\//.test(to))
      refuse('the product imports nothing of the demo or of the tests')
    for (const [name, folder] of Object.entries(packages)) {
      if (isIn(to, name) && !isIn(from, folder)) refuse(`${name} is imported in ${folder} alone`)
    }
    for (const [one, two] of apart) {
      if ((isIn(from, one) && isIn(to, two)) || (isIn(from, two) && isIn(to, one)))
        refuse('they never import each other')
    }
    const fault = partFault(found, rules)
    if (fault !== undefined) refuse(fault)
    if (other === undefined) continue
    if (order.indexOf(other) > order.indexOf(mine)) refuse(`${other} stands after ${mine} in modules.json`)
    for (const [folder, seers] of Object.entries(seenBy)) {
      if (isIn(to, folder) && !seers.includes(mine)) refuse(`${folder} is seen by ${seers.join(', ')} alone`)
    }
  }
  return [...faults, ...rooms.flatMap((folder) => cyclesIn(`${folder}/`, imports))]
}

/** What the element, the dashboard's page and the client, which browsers and other bundlers load, import by its path. */
const doors = new Set(Object.values(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).exports))

/** @returns one line for each import from outside of a file of the rig by its path, or of the service that is no door of its package. */
export const faultsOfDoors = (sources) =>
  importsOf(sources).flatMap(({ from, to }) => {
    if (isIn(to, 'bff/test') && !isIn(from, 'bff/test'))
      return [`${from} imports ${to}: the rig is imported as @stablecoin-checkout/rig`]
    if (isIn(to, 'bff/src') && !isIn(from, 'bff/src') && !doors.has(`.${to.slice('bff'.length)}`))
      return [`${from} imports ${to}: the service is imported as @stablecoin-checkout/bff`]
    return []
  })

/** @returns a line for each set of rooms of the folder that lead to each other. A file that stands in no room is one by itself. */
function cyclesIn(folder, imports) {
  const doors = new Map()
  for (const { from, to } of imports) {
    if (!from.startsWith(folder) || !to.startsWith(folder)) continue
    const [mine, other] = [partOf(from, folder), partOf(to, folder)]
    if (mine === other) continue
    const known = doors.get(mine) ?? new Map()
    doors.set(mine, known.set(other, [...(known.get(other) ?? []), `${from} -> ${to}`]))
  }
  return knots(doors).map((knot) => {
    const within = knot.flatMap((room) => [...(doors.get(room) ?? [])].filter(([other]) => knot.includes(other)))
    return `${folder}: ${knot.join(', ')} lead to each other:\n${within.flatMap(([, ways]) => ways.map((way) => `  ${way}\n`)).join('')}`
  })
}

/** @returns the sets of names, of two or more, that each lead to each other. */
function knots(doors) {
  const reached = (start) => {
    const seen = new Set()
    const open = [start]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      for (const next of doors.get(name)?.keys() ?? []) {
        if (!seen.has(next)) open.push(next)
        seen.add(next)
      }
    }
    return seen
  }
  const all = new Map([...doors.keys()].map((name) => [name, reached(name)]))
  const taken = new Set()
  return [...all].flatMap(([name, seen]) => {
    if (!seen.has(name) || taken.has(name)) return []
    const knot = [...seen].filter((other) => all.get(other)?.has(name)).sort()
    for (const other of knot) taken.add(other)
    return [knot]
  })
}

/** @returns how often each module imports each other one. */
export function moduleImports(sources) {
  const counts = new Map()
  for (const { from, to } of importsOf(sources)) {
    const [mine, other] = [moduleOf(from), moduleOf(to)]
    if (mine === undefined || other === undefined || mine === other) continue
    const known = counts.get(mine) ?? new Map()
    counts.set(mine, known.set(other, (known.get(other) ?? 0) + 1))
  }
  return counts
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = readSources()
  const faults = faultsOf(sources)
  for (const [mine, others] of [...moduleImports(sources)].sort()) {
    for (const [other, count] of [...others].sort()) process.stdout.write(`${mine} -> ${other}: ${count}\n`)
  }
  process.stdout.write(`against the order of bff/modules.json: ${faults.length}\n${faults.join('\n')}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
