import { type DocumentNode, evaluate, parse, type ValueNode } from '@humanwhocodes/momoa'

/** Names of settings, and indexes of array entries. */
type SettingPath = readonly PropertyKey[]

/** A parsed configuration file: JSON with comments. */
export type ConfigFile = {
  value: unknown
  /** `line:column` of a setting, or of the nearest parent when the setting is missing. */
  at(path: SettingPath): string
  /** Duplicate settings. */
  twice: SettingPath[]
}

/** The text is not JSON. Names the position without quoting the text, which could contain a node's key. */
export class NotJsonError extends Error {
  readonly at: string

  constructor(at: string) {
    super('is not valid JSON from here on')
    this.at = at
  }
}

/** @throws {NotJsonError} */
export function parseConfigFile(text: string): ConfigFile {
  const { body } = parseText(text)
  const twice: SettingPath[] = []
  noteTwice(body, [], twice)
  return { value: evaluate(body), at: (path) => placeOf(body, path), twice }
}

function parseText(text: string): DocumentNode {
  try {
    return parse(text, { mode: 'jsonc' })
  } catch (error) {
    const { line, column } = error as { line?: number; column?: number }
    if (line === undefined) throw error
    throw new NotJsonError(`${line}:${column}`)
  }
}

const nameOf = (member: { name: { type: string } & ({ value: string } | { name: string }) }): string =>
  'value' in member.name ? member.name.value : member.name.name

function placeOf(body: ValueNode, path: SettingPath): string {
  let node = body
  let start = body.loc.start
  for (const key of path) {
    if (node.type === 'Object') {
      // Of several settings with the same name, the last one applies.
      const member = node.members.findLast((one) => nameOf(one) === key)
      if (!member) break
      node = member.value
      start = member.loc.start
    } else if (node.type === 'Array' && typeof key === 'number') {
      const element = node.elements[key]
      if (!element) break
      node = element.value
      start = element.value.loc.start
    } else break
  }
  return `${start.line}:${start.column}`
}

function noteTwice(node: ValueNode, path: SettingPath, twice: SettingPath[]): void {
  if (node.type === 'Array') {
    for (const [index, { value }] of node.elements.entries()) noteTwice(value, [...path, index], twice)
  }
  if (node.type !== 'Object') return
  const seen = new Set<string>()
  for (const member of node.members) {
    const name = nameOf(member)
    if (seen.has(name)) twice.push([...path, name])
    seen.add(name)
    noteTwice(member.value, [...path, name], twice)
  }
}
