import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Where templates of pages that people read are. The reference of the API is English for everyone. */
const folders = ['bff/dashboard', 'bff/src/checkout', 'bff/src/notice', 'bff/src/system', 'widget/src']

const sources = folders.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/(^|\/)(locales|texts|test)\//.test(path))
    .map((path) => `${folder}/${path}`),
)

/** Names that are the same in every language. */
const names = /^(?:UTC|JSON|PIN|QR|stablecoin-checkout|Solana|TronLink|payment\.completed|bdi)$/

/** Attributes that are shown or read aloud. */
const spoken = /\s(?:aria-label|label|title|placeholder|alt|content)=("[^"]*"|'[^']*'|[^\s>"']+)/g

/** The words that a template says itself. `\uE000` stands for a value. */
function wordsOf(markup: string): string[] {
  const isAttributes = /^(?:\s*[\w-]+=| hidden$)/.test(markup) && !markup.includes('<')
  if (isAttributes) return []
  const bare = markup
    .replaceAll(/<!doctype[^>]*>|<!--.*?-->|<(style|script)\b.*?<\/\1>|<meta\b[^>]*>/gis, ' ')
    .replaceAll(/&\w+;/g, ' ')
  const attributes = [...bare.matchAll(spoken)].map(([, value = '']) => value.replaceAll(/^["']|["']$/g, ''))
  const texts = [...attributes, bare.replaceAll(/<[^>]*>/g, ' ')].filter((text) => !/^https?:/.test(text))
  return texts
    .flatMap((text) => text.split(/[\s\uE000]+/))
    .flatMap((word) => {
      const plain = word.replaceAll(/^\P{L}+|\P{L}+$/gu, '')
      return /\p{L}{2}/u.test(plain) && !names.test(plain) ? [plain] : []
    })
}

type Node = { type: string; tag?: { name?: string }; quasi?: { quasis: { value: { cooked: string } }[] } }

/** The markup of each `html` and `svg` template of a source. */
function templatesOf(path: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, tag, quasi } = value as Node
    if (type === 'TaggedTemplateExpression' && /^(?:html|svg)$/.test(tag?.name ?? ''))
      found.push((quasi?.quasis ?? []).map(({ value: { cooked } }) => cooked).join('\uE000'))
    Object.values(value).forEach(visit)
  }
  visit(parseAst(readFileSync(`${root}${path}`, 'utf8'), { lang: 'ts' }).body)
  return found
}

test('no template of a page says a word itself: each is a text of the reader’s language', () => {
  const templates = sources.flatMap((path) => templatesOf(path).map((markup) => ({ path, markup })))
  expect(templates.length).toBeGreaterThan(400)
  const said = templates.flatMap(({ path, markup }) => wordsOf(markup).map((word) => `${path}: ${word}`))
  expect(said).toEqual([])
})

test('a word in a text or in an attribute that is read aloud is found', () => {
  expect(wordsOf('<p class="quiet">Served by \uE000</p>')).toEqual(['Served', 'by'])
  expect(wordsOf('<button title="Copy" @click=\uE000>\uE000</button>')).toEqual(['Copy'])
  expect(wordsOf('<dt>\uE000</dt><dd>\uE000 UTC</dd>')).toEqual([])
})
