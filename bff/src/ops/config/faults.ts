import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { ConfigFile } from './file.ts'

type Path = readonly PropertyKey[]

/** Maximum edit distance of a typing mistake; for short names, half the length. */
const typoMax = 3

const nameOf = (path: Path): string => path.map(String).join('.') || 'the file'

/** Each fault with its line, its setting and the rule, but never with the value, which may be secret. */
export function faultsOfFile(
  schema: z.ZodType,
  error: z.ZodError | undefined,
  path: string,
  file: ConfigFile,
): string[] {
  const at = (setting: Path, rule: string) => `${path}:${file.at(setting)}: ${nameOf(setting)}: ${rule}`
  const found = (error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [at(issue.path, ruleOf(issue))]
    const known = settingsAt(schema, issue.path)
    return issue.keys.map((key) => at([...issue.path, key], `unknown setting${meant(key, known)}`))
  })
  return [...file.twice.map((setting) => at(setting, 'is set twice: remove one')), ...found]
}

function ruleOf({ code, message, ...issue }: z.core.$ZodIssue): string {
  if (code === 'invalid_format' && 'format' in issue && issue.format === 'url') return 'must be a URL: https://…'
  return message
}

/** Adds the line to a fault that begins with `networks.N`. */
export function withPlace(fault: string, path: string, file: ConfigFile): string {
  const [, index] = /^networks\.(\d+)/.exec(fault) ?? []
  return index === undefined ? fault : `${path}:${file.at(['networks', Number(index)])}: ${fault}`
}

function meant(name: string, known: readonly string[]): string {
  const [nearest] = known
    .filter((other) => other !== name)
    .map((other) => ({ other, far: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, far }) => far <= Math.min(typoMax, Math.ceil(other.length / 2)))
    .sort((a, b) => a.far - b.far)
  if (nearest) return `; did you mean "${nearest.other}"?`
  return known.length > 0 ? `; known: ${known.join(', ')}` : ''
}

type JsonSchema = {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema | boolean
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

const branchesOf = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]

/** The schema's setting names at a path. */
function settingsAt(schema: z.ZodType, path: Path): string[] {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
  let here = [root]
  for (const key of path) {
    here = here.flatMap(branchesOf).flatMap((one) => {
      const next = typeof key === 'number' ? one.items : one.properties?.[String(key)]
      return typeof next === 'object' ? [next] : []
    })
  }
  return [...new Set(here.flatMap(branchesOf).flatMap((one) => Object.keys(one.properties ?? {})))]
}

export function environmentFaults(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `environment: ${path.join('.')}: ${message}`)
}
