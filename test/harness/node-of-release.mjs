import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The major releases that the project supports, from package.json. */
export const majorReleases = [
  ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.matchAll(/\^(\d+)\./g),
].map(([, major]) => Number(major))

/**
 * Node of a major release, whichever runs this: npm's registry contains Node itself. Downloaded once per repository.
 * @param {number} major
 * @returns {{ program: string, headers: string | undefined }} headers: the folder for `npm_config_nodedir`; undefined for the
 * Node that runs this.
 * @throws {Error} if npm has no such Node for this machine.
 */
export function nodeOfRelease(major) {
  if (Number.parseInt(process.versions.node, 10) === major) return { program: process.execPath, headers: undefined }
  const name = `node-${process.platform}-${process.arch}`
  const home = join(root, 'node_modules', '.cache', `node-${major}`)
  if (!existsSync(home)) {
    mkdirSync(dirname(home), { recursive: true })
    const draft = mkdtempSync(`${home}-`)
    const args = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, stderr } = spawnSync('npm', [...args, `${name}@${major}`], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm has no ${name} ${major}:\n${stderr}`)
    try {
      renameSync(draft, home)
    } catch (error) {
      // Another run was faster.
      rmSync(draft, { recursive: true })
      if (!existsSync(home)) throw error
    }
  }
  const headers = join(home, 'node_modules', name)
  return { program: join(headers, 'bin', 'node'), headers }
}
