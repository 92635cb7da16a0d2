import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressedBody } from '../../access/http/compression.ts'
import { assetNames, readAsset } from '../../assets.ts'

/** The scripts that merchants' pages load, and the chunks that those import. */
const filePattern = /^stablecoin-checkout[\w.-]*\.m?js$/

/** The stable URL in merchants' pages: a few lines that import the element. */
const script = 'stablecoin-checkout.js'

/** Files without a hash in their name; the build adds one to all others. */
const entries = [script, 'stablecoin-checkout.mjs']

const elementPattern = /^stablecoin-checkout-element-[\w-]+\.js$/

/** Hex digits of the hash in an entry's URL: 64 bits distinguish builds, and SRI verifies the full hash. */
const hashDigits = 16

/** One file of the built element, held in memory. */
export type ElementFile = {
  name: string
  /** Name with a content hash: the content at this URL never changes. */
  hashedName: string
  /** For the `integrity` attribute. */
  integrity: string
  /** Compressed on the first request per encoding. */
  body: ReturnType<typeof compressedBody>
}

export type ElementFiles = {
  /** The module with the element itself; null when the element is not built. */
  element: ElementFile | null
  files: readonly ElementFile[]
  /** Finds a file by its name, with or without the hash. */
  find(name: string): ElementFile | undefined
}

/** Reads the built element once. @param folder - May be missing; null: the element bundled with the service. */
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

/** The name without its build hash; undefined if it has none. */
export function nameWithoutHash(name: string): string | undefined {
  return hashInName.test(name) ? name.replace(hashInName, '') : undefined
}
