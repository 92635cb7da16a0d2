import type { Plugin } from 'vite'
import { first } from './src/words/english.ts'
import { elsewhere } from './src/words/english-elsewhere.ts'
import { offer } from './src/words/english-offer.ts'
import { screens, shared } from './src/words/english-screens.ts'
import { wallet } from './src/words/english-wallet.ts'

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
        : code.replace(/\b(say|word)\(\s*'(\w+)'/g, (_, verb, name) => `${verb}(${placeOf(name)}`)
      for (const [call, name = ''] of short.matchAll(/\bsay\([^()'"`]*['"](\w+)/g))
        if (places.has(name)) throw new Error(`Write word('…') within: ${call}`)
      return { code: short, map: null }
    },
  }
}
