import { basename, delimiter, dirname, extname, relative } from 'node:path'

/** How to start this program again, for texts that say what to type next. */
export type Program = {
  /** The words before a command's own. */
  command: string
  /** What starts the service; null: the command `serve`. */
  start: string | null
}

type Process = {
  /** As typed into the shell. */
  argv0: string
  /** The script; undefined in a binary. */
  script: string | undefined
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

/** The program as a container's environment names it, or as it was typed: a binary, `npx`, or a Node script. */
export function calledAs({ argv0, script, folder, env }: Process): Program {
  const inContainer = env['CHECKOUT_COMMAND']
  if (inContainer) return { command: inContainer, start: env['CHECKOUT_START'] || null }
  if (script === undefined) return { command: quoted(argv0), start: null }
  const name = basename(script)
  if (env['npm_command'] === 'exec') return { command: `npx ${quoted(name)}`, start: null }
  const near = relative(folder, script)
  const path = quoted(near.length < script.length ? near : script)
  if (extname(script) !== '') return { command: `node ${path}`, start: null }
  const isOnPath = (env['PATH'] ?? '').split(delimiter).includes(dirname(script))
  return { command: isOnPath ? quoted(name) : path, start: null }
}

/** The path as a shell reads it. */
export const quoted = (path: string): string =>
  /^[\w./~@%+:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
