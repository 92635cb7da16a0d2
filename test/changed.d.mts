export function testsOfChange(paths: readonly string[]): {
  bff: string[]
  isOnBothDatabases: boolean
  demo: string[]
  suites: string[]
  stories: string[]
  left: number
}
export function suitesOfChange(base?: string): [string, (output: unknown) => Promise<unknown>][]
