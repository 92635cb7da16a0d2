import { ValidationError } from '../core/errors.ts'

type Issue = { path: PropertyKey[]; message: string }
type Result = { success: true; data: unknown } | { success: false; error: { issues: Issue[] } }

/** Every validated part of a request comes by here. @throws {ValidationError} that names the field and the rule. */
export function verifyInput(result: Result): void {
  if (!result.success) {
    const [issue] = result.error.issues
    throw new ValidationError(sentence(issue), undefined, topField(issue))
  }
  refuseNullCharacters(result.data)
}

/** Without what is below it, which the caller names: the keys of metadata, for instance. */
function topField(issue: Issue | undefined): string | null {
  const name = issue?.path[0]
  return typeof name === 'string' ? name : null
}

/** The field and the rule, whether or not the rule's own text names the field. */
function sentence(issue: Issue | undefined): string {
  const field = issue?.path.join('.') ?? ''
  const rule = issue?.message ?? 'The request could not be read.'
  return field === '' || rule.includes(String(issue?.path[0])) ? rule : `${field}: ${rule}`
}

/**
 * PostgreSQL cannot store U+0000 in a text, so it is refused on both databases, in names of fields too. Without recursion, because a
 * body may be as deep as it is long.
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
