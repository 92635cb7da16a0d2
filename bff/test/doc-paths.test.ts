import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'bff/README.md',
  'bff/clients/node/README.md',
  'widget/README.md',
  'demo/README.md',
  'test/README.md',
]
const docs = readdirSync(`${root}docs`)
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)

/** A path of a source file or, with a trailing slash, of a folder. `<name>` and `*` stand for any name. */
const path = /^(?:[\w.@<>*-]+\/)+(?:[\w.<>*-]+\.(?:ts|mjs|sol|sql|md|json|html|yml|grit))?$/

/** Created by a build, at a start, or by a test run. */
const made = /(^|\/)(dist|data|\.data|\.results)\/|\.state\.json$/

/** Paths are relative to the repository, to the guide's own package, or to the service's source. */
function exists(name: string, guide: string): boolean {
  const fixed = name.replace(/[^/]*[<*].*$/, '')
  return ['', `${dirname(guide)}/`, `${dirname(guide)}/src/`, 'bff/src/'].some((folder) =>
    existsSync(root + folder + fixed),
  )
}

/** Without blocks of code. */
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll(/^```.*?^```$/gms, '')

test.each([...guides, ...docs])('every path that %s names exists', (guide) => {
  const text = textOf(root + guide)
  const names = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
  const paths = names.filter((name) => path.test(name) && !made.test(name))
  expect(paths.filter((name) => !exists(name, guide))).toEqual([])
})

test('what CONTRIBUTING.md names of a file is declared there', () => {
  const named = [...textOf(`${root}CONTRIBUTING.md`).matchAll(/`(\w+)` of `([^`<]+\.ts)`/g)]
  expect(named.length).toBeGreaterThan(5)
  const wrong = named.filter(([, name = '', file = '']) => {
    const declared = new RegExp(`\\b(?:const|function|type|interface) ${name}\\b`)
    return !declared.test(readFileSync(root + file, 'utf8'))
  })
  expect(wrong.map(([text]) => text)).toEqual([])
})

test('the guides to the code name many paths', () => {
  for (const guide of ['CONTRIBUTING.md', 'docs/architecture.md']) {
    const text = readFileSync(root + guide, 'utf8')
    expect(text.match(/`(bff|widget|demo|test)\/[^`]+`/g)?.length, guide).toBeGreaterThan(10)
  }
})

test('every changeset names packages by their full names', () => {
  const packages = ['bff', 'bff/clients/node', 'widget'].map((folder) => {
    return (JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')) as { name: string }).name
  })
  const sets = readdirSync(`${root}.changeset`).filter((name) => name.endsWith('.md') && name !== 'README.md')
  for (const name of sets) {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(`${root}.changeset/${name}`, 'utf8')) ?? []
    const named = head.split('\n').map((line) => /^['"](.+)['"]: (?:patch|minor|major)$/.exec(line)?.[1] ?? line)
    expect(packages, `.changeset/${name}`).toEqual(expect.arrayContaining(named))
  }
})

/** The anchor that GitHub creates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

test('every link to a heading leads to one', () => {
  const broken = [...guides, 'SECURITY.md', 'CHANGELOG.md', ...docs].flatMap((guide) => {
    const links = [...textOf(root + guide).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    return links.flatMap(([, file, anchor = '']) => {
      const text = textOf(file ? join(root, dirname(guide), file) : root + guide)
      const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
      return anchors.includes(anchor) ? [] : [`${guide}: ${file}#${anchor}`]
    })
  })
  expect(broken).toEqual([])
})
