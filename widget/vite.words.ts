import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import type { Group } from './src/wallet-loader.ts'
import { words as ar } from './src/words/ar.ts'
import { words as de } from './src/words/de.ts'
import { first } from './src/words/english.ts'
import { elsewhere } from './src/words/english-elsewhere.ts'
import { offer } from './src/words/english-offer.ts'
import { screens, shared } from './src/words/english-screens.ts'
import { wallet } from './src/words/english-wallet.ts'
import { words as es } from './src/words/es.ts'
import { words as fr } from './src/words/fr.ts'
import { words as hi } from './src/words/hi.ts'
import { words as id } from './src/words/id.ts'
import { words as pt } from './src/words/pt.ts'
import type { Words } from './src/words/say.ts'
import { words as sw } from './src/words/sw.ts'
import { words as tr } from './src/words/tr.ts'
import { words as vi } from './src/words/vi.ts'
import { words as zh } from './src/words/zh.ts'
import { tag, withBeside } from './vite.files.ts'

const languages: Readonly<Record<string, Words>> = { ar, de, es, fr, hi, id, pt, sw, tr, vi, zh }

/** The place of each name among all, the same in every file of one build. */
const places = new Map(
  Object.keys({ ...first, ...shared, ...screens, ...wallet, ...offer, ...elsewhere }).map((name, place) => [
    name,
    String(place),
  ]),
)

/** @throws {Error} for a name that English does not have. */
function placeOf(name: string): string {
  const place = places.get(name)
  if (place === undefined) throw new Error(`No words are called ${name}.`)
  return place
}

/** Writes a number in place of each name of words, in the lists and where they are said: names weigh half as much as words. */
export function shortWords(): Plugin {
  return {
    name: 'short-words',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/src/')) return
      const isList = id.includes('/src/words/') && !id.endsWith('/say.ts')
      // The first words of all stand in the order of their places: a list without the numbers says the same.
      if (id.endsWith('/words/english.ts'))
        return {
          code: code
            .replace(/^ {2}\w+:/gm, '')
            .replace('= {', '= [')
            .replace(/^\}/m, ']'),
          map: null,
        }
      const short = isList
        ? code.replace(/^ {2}(\w+):/gm, (_, name) => `  ${placeOf(name)}:`)
        : code.replace(/\b(say|word)\(\s*'(\w+)'/g, (_, verb, name) => `${verb === 'say' ? verb : ''}(${placeOf(name)}`)
      for (const [call, name = ''] of short.matchAll(/\bsay\([^()'"`]*['"](\w+)/g))
        if (places.has(name)) throw new Error(`Write word('…') within: ${call}`)
      return { code: short, map: null }
    },
  }
}

/** The parts of a language, and which names are in each. */
const groups: Readonly<Record<Group, object>> = {
  first,
  screens: { ...shared, ...screens, ...offer },
  wallet,
  elsewhere,
}

/** A customer should not wait for words longer than for a wink. */
const gzipMax = 2_000

/** One file for each part of each language: a module, which is read as UTF-8 whatever the page is. */
const wordFiles = Object.entries(languages).flatMap(([code, words]) =>
  Object.entries(groups).map(([group, names]) => {
    const said = Object.entries(words).filter(([name]) => name in names)
    const list = said.map(([name, text]) => `${placeOf(name)}:${JSON.stringify(text)}`)
    return { name: `${tag}-${code}-${group}.mjs`, source: `export const words={${list.join()}};\n` }
  }),
)

/** Of all of them, because a number stands for the same word in each. */
const wordsHash = createHash('sha256').update(JSON.stringify(wordFiles)).digest('hex').slice(0, 8)

/** Writes the words of each language beside the script, and their address where it loads them. */
export function wordsBeside(id: string): Plugin {
  const source = `import(\`./words/\${code}.ts\`)`
  return {
    name: 'words-beside',
    enforce: 'pre',
    transform(code, path) {
      if (!path.endsWith(id)) return
      const parts = code.split(source)
      if (parts.length !== 2) throw new Error(`Expected one ${source} in ${id}.`)
      return { code: withBeside(parts.join(`beside(\`-\${code}-\${_group}.mjs?${wordsHash}\`)`)), map: null }
    },
    generateBundle() {
      for (const { name, source } of wordFiles) {
        const bytes = gzipSync(source, { level: 9 }).length
        if (bytes > gzipMax) throw new Error(`${name} is ${bytes} bytes, more than ${gzipMax}.`)
        this.emitFile({ type: 'asset', fileName: name, source })
      }
    },
  }
}
