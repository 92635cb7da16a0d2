/** JSON that is returned as it was sent. Parsing and writing it again would turn `1.0` into `1`, and round long numbers. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Like `JSON.stringify`, for values that contain a `Verbatim`. */
export function writeJson(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map((one) => writeJson(one ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`
}

/** Matches a string as a whole, so that brackets and commas inside it do not count. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/**
 * A member of a JSON object as it was written, without surrounding space. The last of several with the name, as in
 * `JSON.parse`.
 * @param text - Valid JSON of an object.
 */
export function memberText(text: string, name: string): string | undefined {
  let depth = 0
  let lastString = ''
  let current: { name: string; from: number } | undefined
  let found: string | undefined
  for (const { 0: part, index } of text.matchAll(token)) {
    const isEnd = part === '}' || part === ']'
    if (depth === 1 && current && (part === ',' || part === '}')) {
      if (current.name === name) found = text.slice(current.from, index).trim()
      current = undefined
    }
    if (part === '{' || part === '[') depth += 1
    else if (isEnd) depth -= 1
    else if (part.startsWith('"')) lastString = part
    else if (part === ':' && depth === 1) current = { name: JSON.parse(lastString) as string, from: index + 1 }
  }
  return found
}
