// Keeps the diagram, the table of modules and that of parts in docs/architecture.md: `node bff/parts.mjs --write`. The descriptions are
// written by hand.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { moduleImports, modules, partOfFile, readSources } from './imports.mjs'

const page = new URL('../docs/architecture.md', import.meta.url)
const section = /(<!-- modules: [^>]*-->\n)[\s\S]*?(<!-- \/modules -->)/
const partsSection = /(<!-- parts: [^>]*-->\n)[\s\S]*?(<!-- \/parts -->)/
const source = 'bff/src/'

/** Lines to the nearest hundred; routes by their `method`; tables by the statements that insert into them; checks by their findings. */
function measure(isMeant, sources) {
  const own = Object.entries(sources).filter(([path]) => path.startsWith(source) && isMeant(path))
  const texts = own.map(([, text]) => text)
  const count = (pattern) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)
  const routes = own.filter(([path]) => path.endsWith('.routes.ts')).map(([, text]) => text)
  const namesOf = (pattern) => new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)))
  return {
    lines: Math.max(100, Math.round(count(/\n/g) / 100) * 100),
    routes: routes.reduce((sum, text) => sum + (text.match(/^\s*method: '/gm)?.length ?? 0), 0),
    tables: namesOf(/\binsert into ([a-z_0-9]+)/g),
    checks: namesOf(/\b(?:good|warning|bad|found|what)\(\s*'([a-z ]+)\.\w+'/g),
  }
}

/** @returns only the imports that no other way implies, so that the diagram shows no edge that a reader can infer. */
function direct(imports) {
  const reaches = (from, to) => [...(imports.get(from)?.keys() ?? [])].some((next) => next === to || reaches(next, to))
  return modules.order.flatMap((from) => {
    const others = [...(imports.get(from)?.keys() ?? [])]
    const inferred = (to) => others.some((other) => other !== to && reaches(other, to))
    return others.filter((to) => !inferred(to)).map((to) => [from, to])
  })
}

/** @returns the description of each module, by its name, as the page has it. */
const descriptionsOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^\| `([^`]+)` \| (.*?) \| [\d,]+ \|/gm)].map(([, name, words]) => [name, words]),
  )

/** @returns the section that the page should have. A module without a description gets `TODO`, which the test refuses. */
export function sectionOf(text, sources = readSources()) {
  const descriptions = descriptionsOf(storedSection(text))
  const edges = direct(moduleImports(sources)).map(([from, to]) => `  ${from} --> ${to}`)
  const rows = modules.order.map((name) => {
    const isMeant = (path) => path === `${source}${name}.ts` || path.startsWith(`${source}${name}/`)
    const { lines, routes, tables } = measure(isMeant, sources)
    const counts = [lines.toLocaleString('en'), routes || '', tables.size || '']
    const cells = [`\`${name}\``, descriptions[name] ?? 'TODO', ...counts]
    return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ')
  })
  const table = ['| Module | Does | Lines | Routes | Tables |', '|---|---|---:|---:|---:|', ...rows]
  return `\n${['```mermaid', 'flowchart TD', ...edges, '```', '', ...table].join('\n')}\n\n`
}

/** @returns the table of parts that the page should have: the kernel, the commands, and each part. The kernel's tables are only counted. */
export function partsSectionOf(text, sources = readSources()) {
  const descriptions = descriptionsOf(storedParts(text))
  const rows = ['kernel', ...Object.keys(modules.parts)].map((name) => {
    const isTesting = (path) => path.startsWith(`${source}testing/`)
    const found = measure((path) => (partOfFile(path) ?? 'kernel') === name && !isTesting(path), sources)
    const { packages = [], needs = [], settings = [], metrics = [] } = modules.parts[name] ?? {}
    const tables = name === 'kernel' ? String(found.tables.size) : codes([...found.tables].sort())
    const cells = [`\`${name}\``, descriptions[name] ?? 'TODO', found.lines.toLocaleString('en'), found.routes || '']
    // The findings of the kernel are the doctor's own, which is a command.
    const checks = name === 'kernel' || name === 'commands' ? '' : [...found.checks].sort().join(', ')
    const own = [codes(settings), codes(metrics), checks]
    const others = [codes(packages), name === 'commands' ? '' : codes(needs)]
    return `| ${[...cells, tables, ...own, ...others].join(' | ')} |`.replaceAll(/ {2,}/g, ' ')
  })
  const table = [
    '| Part | Does | Lines | Routes | Tables | Settings | Metrics | Findings | Packages | Needs |',
    '|---|---|---:|---:|---|---|---|---|---|---|',
    ...rows,
  ]
  return `\n${table.join('\n')}\n\n`
}

const codes = (names) => names.map((name) => `\`${name}\``).join(', ')

/** @returns the section that the page has. */
export const storedSection = (text) => section.exec(text)?.[0].replace(/^<!--.*?-->\n|<!-- \/modules -->$/gs, '') ?? ''
export const storedParts = (text) => partsSection.exec(text)?.[0].replace(/^<!--.*?-->\n|<!-- \/parts -->$/gs, '') ?? ''

export const readPage = () => readFileSync(page, 'utf8')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readPage()
  const made = text
    .replace(section, (_all, begin, end) => `${begin}${sectionOf(text)}${end}`)
    .replace(partsSection, (_all, begin, end) => `${begin}${partsSectionOf(text)}${end}`)
  if (process.argv.includes('--write')) writeFileSync(page, made)
  else process.stdout.write(sectionOf(text) + partsSectionOf(text))
}
