import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A statement in the source, or a fragment that stands in one; `texts` are what lies between its values. */
export type SourceStatement = { place: string; texts: readonly string[] }

/** Every `sql` template of the folder's source, without its tests. */
export function sourceStatements(folder: string): SourceStatement[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => statementsOf(readFileSync(join(folder, file), 'utf8'), file))
}

function statementsOf(source: string, file: string): SourceStatement[] {
  // Not those of comments.
  return [...source.matchAll(/(?<![\w`.])sql`/g)].map(({ index }) => {
    const line = source.slice(0, index).split('\n').length
    return { place: `${file}:${line}`, texts: textsFrom(source, index + 'sql`'.length) }
  })
}

/** @param start - Behind the first backtick of a template. */
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

/** @returns the place of the bracket that ends a value, behind templates and brackets of its own. */
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

/** Whether the statement was run: the texts that were run hold its texts, in their order; a whole statement from end to end. */
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

/** Of the file that `recorded` has written. */
export const readRecord = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as string)
