import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shellBlocks } from './harness/shell-docs.ts'
import { pictures } from './picture-list.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every file of the docs that has commands is one that `docs-commands.test.ts` follows', () => {
  const withCommands = readdirSync(join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && shellBlocks(name).length > 0,
  )
  expect(withCommands.sort()).toEqual([
    'agents.md',
    'api.md',
    'go-live.md',
    'moving-over.md',
    'operations.md',
    'webhooks.md',
  ])
  const story = readFileSync(join(root, 'test/docs-commands.test.ts'), 'utf8')
  expect(withCommands.filter((name) => !story.includes(`follow('${name}')`))).toEqual([])
})

test('every text that troubleshooting explains is one that the program can say', () => {
  const sources = readdirSync(join(root, 'bff/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, 'bff/src', name), 'utf8'))
    .join('\n')
  const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
  const quoted = [...page.matchAll(/^- `([^`]+)`: /gm)].map(([, text = '']) => text)
  expect(quoted.length).toBeGreaterThan(20)
  const parts = quoted.flatMap((text) => text.split('…').map((part) => part.trim().replace(/\.$/, '')))
  expect(parts.filter((part) => part !== '' && !sources.includes(part))).toEqual([])
})

test('every link within the docs leads somewhere', () => {
  const readmes = [
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'bff/README.md',
    'bff/clients/node/README.md',
    'widget/README.md',
    'demo/README.md',
    'test/README.md',
  ]
  const files = [...readmes, ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  const broken = files
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const links = [...readFileSync(join(root, name), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      return links.map(([, link = '']) => join(root, name, '..', link)).filter((path) => !existsSync(path))
    })
  expect(broken).toEqual([])
})

test('every document is a page of the site, with a place in its list', () => {
  const listed = readFileSync(join(root, 'docs/.vitepress/config.mjs'), 'utf8')
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  expect(documents.filter((name) => !listed.includes(`'docs/${name}'`))).toEqual([])
})

/** Of one picture: a page of the docs has many. */
const pictureBytesMax = 150_000

test('the pictures of the docs are those that `npm run pictures` makes: small, in WebP, each shown with a text', () => {
  const folders = ['', 'dashboard/']
  // That of the pages before their redesign is for who works on the dashboard.
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => /\.(png|jpe?g|gif|webp)$/.test(name) && name !== 'before.webp')
      .map((name) => `${folder}${name}`),
  )
  expect(files.toSorted()).toEqual(pictures.map(({ name }) => `${name}.webp`).toSorted())
  const tooLarge = files.filter((name) => statSync(join(root, 'docs', name)).size > pictureBytesMax)
  expect(tooLarge).toEqual([])
  const shown = ['README.md', 'demo/README.md', 'docs/dashboard.md', 'docs/stores.md'].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)].map(([, , link = '']) =>
      relative(join(root, 'docs'), join(root, page, '..', link)),
    ),
  )
  expect(shown.toSorted()).toEqual(files.toSorted())
})

test('what moving-over names as ours is in the API: fields, operations, statuses and events', () => {
  const page = readFileSync(join(root, 'docs/moving-over.md'), 'utf8')
  const [, section = ''] = /^## Coinbase Commerce\n(.*?)^## /ms.exec(page) ?? []
  const rows = [...section.matchAll(/^\| .* \| (.*) \|$/gm)].map(([, ours = '']) => ours)
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
  expect(named.length).toBeGreaterThan(50)
  const types = readFileSync(join(root, 'bff/clients/node/src/api.generated.ts'), 'utf8')
  const known = new Set(types.split(/[^\w./{}-]+/))
  // Of a field with its value, such as `status: "expired"`, both.
  const words = named.flatMap((text) =>
    text
      .replace(/^(GET|POST) /, '')
      .split(/: |"/)
      .filter(Boolean),
  )
  const [options, fields] = [
    words.filter((word) => word.startsWith('--')),
    words.filter((word) => !word.startsWith('--')),
  ]
  const settings = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  expect(options.filter((option) => !settings.includes(option))).toEqual([])
  expect(fields.flatMap((field) => field.split(/(?<=^refund)\./)).filter((field) => !known.has(field))).toEqual([])
})
