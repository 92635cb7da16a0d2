export type Modules = {
  /** A module imports only those before it. Of `bff/src`: a folder, or a file that stands there by itself, without its ending. */
  order: string[]
  /** Folders whose own folders never lead to each other in a circle. */
  rooms: string[]
  /** Folders that never import each other, or a package. */
  apart: [string, string][]
  /** The modules that may import a folder. */
  seenBy: Record<string, string[]>
  /** The folder that alone may import a package, or the packages of a scope. */
  packages: Record<string, string>
  /** What is loaded on its own. `kernel`: those of its files that are of the kernel all the same. */
  parts: Record<
    string,
    {
      files: string[]
      kernel?: string[]
      packages?: string[]
      needs?: string[]
      settings?: string[]
      metrics?: string[]
    }
  >
}

export const modules: Modules
export function readSources(): Record<string, string>
export function readAllSources(): Record<string, string>
export function faultsOfDoors(sources: Record<string, string>): string[]
export function faultsOf(sources: Record<string, string>, rules?: Modules): string[]
export function partOfFile(path: string, rules?: Modules): string | undefined
export function moduleImports(sources: Record<string, string>): Map<string, Map<string, number>>
