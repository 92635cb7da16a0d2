import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressedBody, type Encoding } from '../../access/compression.ts'
import { assetNames, readAsset } from '../../assets.ts'

/** What a merchant's page loads, and what that loads from beside itself. */
const filePattern = /^stablecoin-checkout[\w.-]*\.m?js$/

/** What a page loads: a few lines that import the element, which must go on working at this address. */
const script = 'stablecoin-checkout.js'

/** Everything else has its hash in its name since the build. */
const entries = [script, 'stablecoin-checkout.mjs']

const elementPattern = /^stablecoin-checkout-element-[\w-]+\.js$/

/** Hex digits of the hash in an entry's address: 64 bits distinguish any two builds, and SRI compares all of it. */
const hashDigits = 16

/** One file of the built element, held in memory. */
export type ElementFile = {
  name: string
  /** Its name with a hash: the content at this address never changes. */
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
  return {
    name,
    hashedName: entries.includes(name)
      ? name.replace(/\.(?=m?js$)/, `.${hash.toString('hex').slice(0, hashDigits)}.`)
      : name,
    integrity: `sha384-${hash.toString('base64')}`,
    body: compressedBody(text),
  }
}

const hashInName = new RegExp(`\\.[0-9a-f]{${hashDigits}}(?=\\.m?js$)`)

/** The name without the hash of some build; undefined when there is none in it. */
export function nameWithoutHash(name: string): string | undefined {
  return hashInName.test(name) ? name.replace(hashInName, '') : undefined
}
