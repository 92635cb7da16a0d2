import { ValidationError } from '../../core/errors.ts'
import '../../core/input-rules.ts'

type Issue = { code: string; path: PropertyKey[]; message: string }
type Result = { target?: string } & ({ success: true; data: unknown } | { success: false; error: { issues: Issue[] } })

/**
 * Handles the validation result of each part of a request.
 * @throws {ValidationError} that names the field and the rule.
 */
export function verifyInput(result: Result): void {
  if (!result.success) {
    const [issue] = result.error.issues
    throw new ValidationError(sentence(issue, result.target ?? ''), undefined, topField(issue))
  }
  refuseNullCharacters(result.data)
}

/** The field at the top level only: the names below it, such as keys of metadata, are the caller's. */
function topField(issue: Issue | undefined): string | null {
  const name = issue?.path[0]
  return typeof name === 'string' ? name : null
}

/** The field and the rule, whether or not the rule's text names the field. */
function sentence(issue: Issue | undefined, target: string): string {
  if (!issue) return 'The request could not be read.'
  const { path, message: rule, code } = issue
  if (path.length > 0) return rule.includes(String(path[0])) ? rule : `${path.join('.')}: ${rule}`
  // A rule of several fields names them itself.
  return code === 'custom' ? rule : `${partNames[target] ?? 'The request'} ${rule}`
}

const partNames: Readonly<Record<string, string>> = { json: 'The body', query: 'The query', param: 'The path' }

/**
 * Refuses U+0000, which PostgreSQL cannot store in text, on both databases and also in field names. Does not recurse, because a body may
 * be as deep as it is long.
 */
function refuseNullCharacters(input: unknown): void {
  const left: { path: string; value: unknown }[] = [{ path: '', value: input }]
  for (let at = left.pop(); at; at = left.pop()) {
    const { path, value } = at
    if (typeof value === 'string' && value.includes('\0')) {
      throw new ValidationError(`${path}: must not contain the character U+0000`)
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (name.includes('\0')) throw new ValidationError(`${path}: no name may contain the character U+0000`)
      left.push({ path: path === '' ? name : `${path}.${name}`, value: inner })
    }
  }
}
