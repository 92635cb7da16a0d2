import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** What the program brings beside its code: SQL, the built element, the built dashboard, logos. */
type Kind = 'migrations' | 'element' | 'dashboard' | 'network-logos' | 'token-logos'

/** In the binary: the names of all assets, as JSON. */
const indexName = 'index.json'

/** Where a kind lies beside the sources and, by the same path, beside the bundle. */
const folders: Record<Kind, () => string> = {
  migrations: () => beside('./db/migrations'),
  element: () => beside('../../widget/dist'),
  dashboard: () => beside('../dist/dashboard'),
  'network-logos': () => beside('./logos/networks'),
  'token-logos': () => beside('./logos/tokens'),
}

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Names of the files of a kind, sorted, those of folders with `/`; none where the folder is not there. */
export function assetNames(kind: Kind): string[] {
  if (isSea()) {
    const all = JSON.parse(getAsset(indexName, 'utf8')) as string[]
    return all.flatMap((name) => (name.startsWith(`${kind}/`) ? [name.slice(kind.length + 1)] : [])).sort()
  }
  try {
    const found = readdirSync(folders[kind](), { recursive: true, withFileTypes: true })
    const files = found.filter((entry) => entry.isFile())
    const root = folders[kind]()
    return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/')).sort()
  } catch {
    return []
  }
}

/** @throws {Error} when there is no such file. */
export function readAsset(kind: Kind, name: string): Buffer {
  return isSea() ? Buffer.from(getAsset(`${kind}/${name}`)) : readFileSync(`${folders[kind]()}/${name}`)
}
