import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { assetNames, readAsset } from '../../assets.ts'

/** What a merchant's page loads, and what that loads from beside itself. */
const filePattern = /^stablecoin-checkout[\w.-]*\.m?js$/

/** What a page is told to load: a few lines that import the element, which must go on working at this address. */
const script = 'stablecoin-checkout.js'

/** Everything else has its hash in its name since the build. */
const entries = [script, 'stablecoin-checkout.mjs']

const elementPattern = /^stablecoin-checkout-element-[\w-]+\.js$/

/** Hex digits of the hash in an entry's address: 64 bits tell any two builds apart, and SRI compares all of it. */
const hashDigits = 16

/** Nine tenths of the gain of the highest, in a tenth of its time. */
const brotliQuality = 9

const compressors = {
  br: (text: Buffer) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (text: Buffer) => promisify(gzip)(text, { level: 9 }),
}

export type Encoding = keyof typeof compressors

/** One file of the built element, held in memory. */
export type ElementFile = {
  name: string
  /** Its name with a hash: at this address nothing else will ever be. */
  hashedName: string
  /** For the `integrity` attribute. */
  integrity: string
  /** Made at the first request for it. */
  body(encoding: Encoding | null): Promise<Buffer>
}

export type ElementFiles = {
  /** The module with the element itself; null when the element is not built. */
  element: ElementFile | null
  files: readonly ElementFile[]
  /** By its name, with or without the hash. */
  find(name: string): ElementFile | undefined
}

/** Where no browser comes. */
export const noElementFiles: ElementFiles = { element: null, files: [], find: () => undefined }

/** Reads the built element once. A folder that is missing holds nothing; null is the element that comes with the program. */
export function openElementFiles(folder: string | null): ElementFiles {
  const files = (folder === null ? assetNames('element') : namesIn(folder))
    .filter((name) => filePattern.test(name))
    .map((name) => openFile(name, folder === null ? readAsset('element', name) : readFileSync(join(folder, name))))
  const byName = new Map(files.flatMap((file) => [[file.name, file] as const, [file.hashedName, file] as const]))
  const element = files.find(({ name }) => elementPattern.test(name)) ?? null
  return { element, files, find: (name) => byName.get(name) }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function openFile(name: string, text: Buffer): ElementFile {
  const hash = createHash('sha384').update(text).digest()
  const compressed = new Map<Encoding, Promise<Buffer>>()
  return {
    name,
    hashedName: entries.includes(name)
      ? name.replace(/\.(?=m?js$)/, `.${hash.toString('hex').slice(0, hashDigits)}.`)
      : name,
    integrity: `sha384-${hash.toString('base64')}`,
    async body(encoding) {
      if (encoding === null) return text
      const known = compressed.get(encoding) ?? compressors[encoding](text)
      compressed.set(encoding, known)
      return await known
    },
  }
}

const hashInName = new RegExp(`\\.[0-9a-f]{${hashDigits}}(?=\\.m?js$)`)

/** The name without the hash of some build; undefined when there is none in it. */
export function nameWithoutHash(name: string): string | undefined {
  return hashInName.test(name) ? name.replace(hashInName, '') : undefined
}
