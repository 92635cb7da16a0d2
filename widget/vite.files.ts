import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Plugin } from 'vite'

export const tag = 'stablecoin-checkout'

/** In the order they are built: each holds the hashes of those before it that it loads. */
export const files = {
  walletconnect: `${tag}-walletconnect.mjs`,
  solana: `${tag}-solana.mjs`,
  wallet: `${tag}-wallet.mjs`,
  elsewhere: `${tag}-elsewhere.mjs`,
  screens: `${tag}-screens.mjs`,
  offer: `${tag}-offer.mjs`,
  script: `${tag}.js`,
  module: `${tag}.mjs`,
} as const

const dist = new URL('dist/', import.meta.url)

/** @throws {Error} when the file was not built before what loads it. */
function hashOf(name: string): string {
  const url = new URL(name, dist)
  if (!existsSync(url)) throw new Error(`${name} is missing: npm run build -w widget builds all, in order.`)
  return createHash('sha384').update(readFileSync(url)).digest('base64')
}

/**
 * Replaces the `import()` of a source file by one of the built file beside the script. Its hash is in the address, so that
 * a cache never joins the files of two versions.
 * @param base - Expression for the address of the file that loads it.
 */
export function loadsBeside(id: string, source: string, name: string, base: string, suffix = ''): Plugin {
  return {
    name: `loads-${name}`,
    enforce: 'pre',
    transform(code, path) {
      if (!path.endsWith(id)) return
      const parts = code.split(`import('${source}')`)
      if (parts.length !== 2) throw new Error(`Expected one import of ${source} in ${id}.`)
      const address = `${name}?${encodeURIComponent(hashOf(name).slice(0, 8))}`
      return {
        code:
          base === 'scriptUrl'
            ? withBeside(parts.join(`beside('${address.slice(tag.length)}'${suffix})`))
            : parts.join(`import(/* @vite-ignore */ new URL(/* @vite-ignore */ '${address}'${suffix}, ${base}).href)`),
        map: null,
      }
    },
  }
}

const besideDefinition = `const beside = (end) => import(/* @vite-ignore */ new URL(/* @vite-ignore */ '${tag}' + end, scriptUrl).href)\n`

/** Says once how the script finds a file beside it, for all of them. */
export const withBeside = (code: string): string => (code.includes(besideDefinition) ? code : besideDefinition + code)

/**
 * Line breaks stand for nothing in our HTML and CSS, and minified code has none outside of them. Only ASCII, because a
 * classic script is read in the page's encoding, which need not be UTF-8.
 */
export function normalize(script: string): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return script.replace(/\s*\n\s*/g, ' ').replace(/[^\0-\x7f]/g, toEscape)
}

/**
 * The script's own Lit draws what a file describes that is loaded later: a second one would ask for its Trusted Types policy
 * again, which a strict page refuses. The two names are what Lit itself promises to keep, so that its versions can meet on
 * one page.
 */
export function describedForLit(): Plugin {
  const source = `export const html=(strings,...values)=>({_$litType$:1,strings,values});
export const nothing=Symbol.for('lit-nothing');`
  return {
    name: 'described-for-lit',
    enforce: 'pre',
    resolveId: (id) => (id === 'lit/html.js' ? '\0lit-html' : null),
    load: (id) => (id === '\0lit-html' ? source : null),
  }
}

export function asAscii(name: string): Plugin {
  return {
    name: 'as-ascii',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunk = bundle[name]
        if (chunk?.type !== 'chunk') throw new Error(`${name} was not built.`)
        chunk.code = normalize(chunk.code)
      },
    },
  }
}

/** Our own custom properties, by three letters each; a page sets the `--sc-…`, which stay. */
const short = (name: string): string => `--${name.slice(0, 3)}`

/** Drops the spaces of the style literals. They hold no strings with spaces and no nested values. */
export function minifyStyles(): Plugin {
  return {
    name: 'minify-styles',
    transform(code, id) {
      if (!id.includes('/src/styles/') && !id.endsWith('/style.ts')) return
      const tight = (styles: string) =>
        styles
          .replace(/\/\*.*?\*\//gs, '')
          .replace(/\s*([{};,>])\s*/g, '$1')
          .replace(/:\s+/g, ':')
          .replace(/;\}/g, '}')
          .replace(/([ :,(])0\./g, '$1.')
          .replace(/--(accent|background|surface|text|muted|border|success|warning|danger|line)\b/g, (_, name) =>
            short(name),
          )
      return { code: code.replace(/`[^`]*`/g, tight), map: null }
    },
  }
}

/** Hashes for the `integrity` attribute, or for an import map's `integrity`, of every file: in a file, and told. */
export function writeIntegrity(): Plugin {
  return {
    name: 'write-integrity',
    closeBundle() {
      const hashes = Object.values(files).map((name) => [name, `sha384-${hashOf(name)}`])
      writeFileSync(new URL('integrity.json', dist), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`)
      for (const [name, hash] of hashes) this.info(`${name} integrity="${hash}"`)
    },
  }
}
