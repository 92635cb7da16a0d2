import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A statement of the source, or a fragment of one. `texts`: the parts between its values. */
export type SourceStatement = { place: string; texts: readonly string[] }

/** Every `sql` template in the folder's source, except tests. */
export function sourceStatements(folder: string): SourceStatement[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => statementsOf(readFileSync(join(folder, file), 'utf8'), file))
}

function statementsOf(source: string, file: string): SourceStatement[] {
  // Skips those in comments.
  return [...source.matchAll(/(?<![\w`.])sql`/g)].map(({ index }) => {
    const line = source.slice(0, index).split('\n').length
    return { place: `${file}:${line}`, texts: textsFrom(source, index + 'sql`'.length) }
  })
}

/** @param start - After a template's opening backtick. */
function textsFrom(source: string, start: number): string[] {
  const texts: string[] = []
  let from = start
  for (let at = start; at < source.length; at++) {
    if (source[at] === '`') return [...texts, source.slice(from, at)]
    if (source[at] === '$' && source[at + 1] === '{') {
      texts.push(source.slice(from, at))
      at = endOfValue(source, at + 2)
      from = at + 1
    }
  }
  throw new Error('A template has no end.')
}

/** @returns the index of the bracket that ends a value, after nested templates and brackets. */
function endOfValue(source: string, start: number): number {
  let open = 0
  for (let at = start; at < source.length; at++) {
    if (source[at] === '`') at = endOfTemplate(source, at + 1)
    else if (source[at] === '{') open += 1
    else if (source[at] === '}' && open === 0) return at
    else if (source[at] === '}') open -= 1
  }
  throw new Error('A value has no end.')
}

function endOfTemplate(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    if (source[at] === '`') return at
    if (source[at] === '$' && source[at + 1] === '{') at = endOfValue(source, at + 2)
  }
  throw new Error('A template has no end.')
}

const isWhole = (text: string | undefined): boolean =>
  /^\s*(select|insert|update|delete|with|pragma)\b/.test(text ?? '')

/** Whether the statement was run: a recorded text contains its texts in order; a whole statement from end to end. */
export function wasRun({ texts }: SourceStatement, run: readonly string[]): boolean {
  return run.some((text) => {
    if (isWhole(texts[0]) && !(text.startsWith(texts[0] ?? '') && text.endsWith(texts.at(-1) ?? ''))) return false
    let from = 0
    for (const part of texts) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return true
  })
}

/** Reads the file that `recorded` has written. */
export const readRecord = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as string)
