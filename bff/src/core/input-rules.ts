import { z } from 'zod'

/** An issue as zod passes it to the message function; `code` determines its fields. */
type Issue = Parameters<NonNullable<Parameters<typeof z.config>[0]>['localeError'] & {}>[0]
type Nested = { code: string; path: PropertyKey[]; message: string; expected?: string; values?: unknown[] }

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  base64: 'base64',
  base64url: 'base64url',
  datetime: 'a time in UTC, such as 2026-11-21T12:00:00Z',
  date: 'a date, such as 2026-11-21',
}

const typeName = (type: unknown): string => types[String(type)] ?? String(type)

/** The rule that an input breaks, phrased to follow the name of its field: `must be a whole number`. */
function ruleOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is required: ${typeName(issue.expected)}`
        : `must be ${typeName(issue.expected)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return boundRule('at least', issue.origin, issue.minimum)
    case 'too_big':
      return boundRule('at most', issue.origin, issue.maximum)
    case 'invalid_format':
      return formatRule(issue.format, issue.pattern)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.map((key) => key.slice(0, 100)).join(', ')}: unknown field`
    case 'invalid_key':
      return 'has a name that is not allowed'
    case 'invalid_element':
      return 'has an entry that is not allowed'
    case 'invalid_union':
      return unionRule(issue.errors, issue.input === undefined)
    default:
      return 'has a value that is not allowed'
  }
}

function boundRule(bound: string, origin: string, limit: number | bigint): string {
  if (origin === 'string') return limit === 1 ? 'must not be empty' : `must have ${bound} ${limit} characters`
  if (origin === 'array' || origin === 'set') return `must have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return `must be ${bound} ${limit}`
}

function formatRule(format: string, pattern: string | undefined): string {
  const name = formats[format]
  if (name !== undefined) return `must be ${name}`
  return pattern === undefined ? `must be ${format}` : `must match ${pattern}`
}

/**
 * The alternatives that the input may be. If one alternative matches except for a nested field, only that
 * field's rule.
 */
function unionRule(alternatives: readonly (readonly Nested[])[], isMissing: boolean): string {
  const failures = alternatives.flatMap(([first]) => (first ? [first] : []))
  const within = failures.find(({ path }) => path.length > 0)
  if (within) return `${within.path.join('.')}: ${within.message}`
  const names = [...new Set(failures.map(alternativeName))].join(' or ')
  return isMissing ? `is required: ${names}` : `must be ${names}`
}

function alternativeName({ code, expected, values, message }: Nested): string {
  if (code === 'invalid_type') return typeName(expected)
  return code === 'invalid_value' && values ? values.map(String).join(', ') : `text that ${message}`
}

/** Replaces zod's default messages, which are written for developers, for all input. */
z.config({ localeError: ruleOf })
