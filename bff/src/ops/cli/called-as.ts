import { basename, delimiter, dirname, extname, relative } from 'node:path'

/** How this program is started again, for texts that say what to type next. */
export type Program = {
  /** Before the words of a command. */
  command: string
  /** What starts the service; null: the command `serve`. */
  start: string | null
}

type Process = {
  /** As the shell was given it. */
  argv0: string
  /** The script; undefined in a binary. */
  script: string | undefined
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

/** A binary as it was typed, `npx`, a script of Node, or what a container's environment says. */
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

/** As a shell reads it. */
export const quoted = (path: string): string =>
  /^[\w./~@%+:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
